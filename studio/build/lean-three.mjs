import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { neverIn, replaceRanges, walk } from './edit-source.mjs';
import { foldShader } from './shaders.mjs';
import {
  ALWAYS,
  CASES,
  CONSTANTS,
  COPY,
  FORMAT,
  GL_CONSTANTS,
  KINDS,
  MACROS,
  MATERIALS,
  NEVER,
  ORIGINALS,
  PARAMETERS,
  REPLACED,
  VALUES,
  WARNINGS,
} from './unused-three.mjs';

/**
 * three.js from its modules, without what the studio never draws. Bundlers cannot know that: every renderer names every
 * kind of material, light and texture, and asks things what they are.
 */
export function leanThree(packages) {
  const three = join(packages, 'three');
  const source = join(three, 'src');
  const used = shadersOf(join(source, 'renderers/shaders'));
  const undefinedMacros = macrosOf(readFileSync(join(source, 'renderers/webgl/WebGLProgram.js'), 'utf8'));
  return {
    name: 'lean-three',
    enforce: 'pre',
    resolveId: (id) => (id === 'three' ? join(source, 'Three.js') : undefined),
    transform(code, id) {
      if (!id.startsWith(three)) {
        refuseAbsent(code, id);
        return undefined;
      }
      const file = id.slice(id.startsWith(source) ? source.length + 1 : join(three, 'examples/jsm').length + 1);
      if (REPLACED[file]) return REPLACED[file];
      if (!file.endsWith('.glsl.js')) return lean(code, this.parse(code), file);
      if (used.has(id)) return code.replace(/`([^`]*)`/g, (_, shader) => `\`${foldShader(shader, undefinedMacros)}\``);
      return file.includes('ShaderLib') ? "export const vertex = '', fragment = '';" : "export default '';";
    },
  };
}

/** Whoever makes something that is left out here had better hear of it. */
function refuseAbsent(code, file) {
  for (const [, imported] of code.matchAll(/import \{([^}]*)\} from 'three'/g)) {
    const names = imported.split(',').map((name) => name.trim().split(' as ')[0]);
    const absent = names.find((name) => KINDS.includes(`is${name}`)) ?? /new Color\('[a-z]+'/.exec(code)?.[0];
    if (absent) throw new Error(`${file}: ${absent} of three.js is left out by studio/build/unused-three.mjs`);
  }
}

/** Files of the shaders that the materials include, directly or not. */
function shadersOf(folder) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, chunk] of readFileSync(file, 'utf8').matchAll(/#include <(\w+)>/g)) {
      visit(join(folder, 'ShaderChunk', `${chunk}.glsl.js`));
    }
  };
  for (const name of MATERIALS) visit(join(folder, 'ShaderLib', `${name}.glsl.js`));
  for (const name of ALWAYS) visit(join(folder, 'ShaderChunk', `${name}.glsl.js`));
  return found;
}

/** Macros of shaders that are never defined. */
function macrosOf(program) {
  const defined = new Set();
  const never = new Set();
  for (const [, condition, macro] of program.matchAll(/([^\n,?]*)\? '#define (\w+)/g)) {
    const parameters = [...condition.matchAll(/parameters\.(\w+)/g)].map(([, name]) => name);
    const holds = condition.replace(/parameters\.(\w+)/g, (_, name) => !PARAMETERS.includes(name));
    const possible = !parameters.some((name) => PARAMETERS.includes(name)) || new Function(`return ${holds}`)();
    (possible ? defined : never).add(macro);
  }
  for (const [, macro, name] of program.matchAll(/replace\( \/(\w+)\/g, parameters\.(\w+) \)/g)) {
    if (PARAMETERS.includes(name)) never.add(macro);
  }
  return new Set([...MACROS, ...[...never].filter((macro) => !defined.has(macro))]);
}

/** A module in which names have the values that they always have, and what never happens does not stand. */
function lean(code, tree, file) {
  const values = new Map();
  for (const [files, names, text] of VALUES) if (files.test(file)) for (const name of names) values.set(name, text);
  const named = (node) => node.type === 'MemberExpression' && !node.computed && values.has(node.property.name);
  const methods = ORIGINALS.some((files) => files.test(file)) ? [...FORMAT, ...COPY] : FORMAT;
  const ranges = neverIn(tree, code, file, NEVER[file] ?? {});
  const replace = ({ start, end }, text) => ranges.push([start, end, text]);
  walk(tree, (node, [parent]) => {
    const { type, expression, key } = node;
    if (type === 'ExpressionStatement' && expression.type === 'AssignmentExpression' && named(expression.left)) {
      // Kinds stay what they are: three.js makes an empty thing of each.
      if (!expression.left.property.name.startsWith('is')) replace(node, ';');
    } else if (type === 'ExpressionStatement' && WARNINGS.includes(expression.callee?.name)) {
      replace(node, ';');
    } else if (named(node) && !(parent.type === 'AssignmentExpression' && parent.left === node)) {
      replace(node, values.get(node.property.name));
    } else if (type === 'Property' && parent.type === 'ObjectExpression' && values.has(key.name)) {
      const { length } = /^\s*,|/.exec(code.slice(node.end))[0];
      ranges.push([node.start, node.end + length, '']);
    } else if (type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && isNever(node.right)) {
      replace(node, `${node.operator === '!=='}`);
    } else if (type === 'SwitchCase' && CASES.includes(code.slice(node.test?.start, node.test?.end))) {
      replace(node, '');
    } else if (type === 'MethodDefinition' && methods.includes(key.name)) {
      replace(node, '');
    } else if (type === 'VariableDeclarator' && node.id.name === '_colorKeywords') {
      // Colours by name, of which there are a hundred and a half.
      replace(node.init, '{}');
    }
  });
  return ranges.length ? replaceRanges(code, ranges) : undefined;
}

/** Whether a constant is one that nothing is ever equal to. */
const isNever = ({ type, name, object, property }) =>
  type === 'Identifier'
    ? CONSTANTS.some((names) => names.test(name))
    : object?.name === '_gl' && GL_CONSTANTS.test(property.name);
