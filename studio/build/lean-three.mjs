import { readFileSync } from 'node:fs';
import { neverIn, replaceRanges, walk, withComma } from './edit-source.mjs';
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
  PROPERTIES,
  REPLACED,
  VALUES,
  WARNINGS,
} from './unused-three.mjs';

/**
 * three.js from its modules, without what the studio never draws. Bundlers cannot know that: every renderer names every
 * kind of material, light and texture, and asks things what they are.
 */
export function leanThree(packages) {
  const three = `${packages}/three`;
  const source = `${three}/src`;
  const used = shadersOf(`${source}/renderers/shaders`);
  const undefinedMacros = macrosOf(readFileSync(`${source}/renderers/webgl/WebGLProgram.js`, 'utf8'));
  /** Entries of the tables that something in three.js matched. */
  const matched = new Set();
  return {
    name: 'lean-three',
    enforce: 'pre',
    resolveId: (id) => (id === 'three' ? `${source}/Three.js` : undefined),
    buildEnd(error) {
      const entries = [...KINDS, ...PROPERTIES, ...CASES, ...CONSTANTS, ...Object.keys({ ...REPLACED, ...NEVER })];
      const missing = entries.filter((entry) => !matched.has(entry));
      // A build that failed before has not seen everything.
      if (!error && missing.length) this.error(`three.js has no ${missing.join(', ')}: has its version changed?`);
    },
    transform(code, id) {
      if (!id.startsWith(three)) {
        refuseAbsent(code, id);
        return undefined;
      }
      const file = id.slice((id.startsWith(source) ? source : `${three}/examples/jsm`).length + 1);
      matched.add(file);
      if (REPLACED[file]) return REPLACED[file];
      if (!file.endsWith('.glsl.js')) return lean(code, this.parse(code), file, matched);
      if (used.has(id)) return code.replace(/`([^`]*)`/g, (_, shader) => `\`${foldShader(shader, undefinedMacros)}\``);
      return file.includes('ShaderLib') ? "export const vertex = '', fragment = '';" : "export default '';";
    },
  };
}

/** Colours by name, of which there are a hundred and a half, in the ways that they are given to three.js. */
const COLOUR_BY_NAME = /(new Color\(|\.set\(|color: )'[a-z]+'/;

/**
 * Whoever makes something that is left out here, sets it, or names a colour had better hear of it. Copies, ways of blending
 * and kinds of textures are not looked for.
 */
function refuseAbsent(code, file) {
  const imported = [...code.matchAll(/import \{([^}]*)\} from 'three'/g)].flatMap(([, names]) => names.split(','));
  if (!imported.length) return;
  const kind = imported.map((name) => name.trim().split(' as ')[0]).find((name) => KINDS.includes(`is${name}`));
  const set = PROPERTIES.find((name) => new RegExp(`\\b${name}\\b( =|:) `).test(code));
  const absent = kind ?? set ?? COLOUR_BY_NAME.exec(code)?.[0];
  if (absent) throw new Error(`${file}: ${absent} of three.js is left out by studio/build/unused-three.mjs`);
}

/** Files of the shaders that the materials include, directly or not. */
function shadersOf(folder) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, chunk] of readFileSync(file, 'utf8').matchAll(/#include <(\w+)>/g)) {
      visit(`${folder}/ShaderChunk/${chunk}.glsl.js`);
    }
  };
  for (const name of MATERIALS) visit(`${folder}/ShaderLib/${name}.glsl.js`);
  for (const name of ALWAYS) visit(`${folder}/ShaderChunk/${name}.glsl.js`);
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
function lean(code, tree, file, matched) {
  const values = new Map();
  for (const [files, names, text] of VALUES) if (files.test(file)) for (const name of names) values.set(name, text);
  const named = (node) => node.type === 'MemberExpression' && !node.computed && values.has(node.property.name);
  const methods = ORIGINALS.some((files) => files.test(file)) ? [...FORMAT, ...COPY] : FORMAT;
  const ranges = neverIn(tree, code, file, NEVER[file] ?? {});
  const textOf = ({ start, end }) => code.slice(start, end);
  const replace = ({ start, end }, text, entry) => {
    ranges.push([start, end, text]);
    matched.add(entry);
  };
  walk(tree, (node, [parent]) => {
    const { type, expression, key } = node;
    const before = ranges.length;
    if (type === 'ExpressionStatement' && expression.type === 'AssignmentExpression' && named(expression.left)) {
      if (!KINDS.includes(expression.left.property.name)) replace(node, ';');
    } else if (type === 'ExpressionStatement' && WARNINGS.includes(expression.callee?.name)) {
      replace(node, ';');
    } else if (named(node) && !(parent.type === 'AssignmentExpression' && parent.left === node)) {
      const value = values.get(node.property.name);
      refuseOtherKind(value, parent, node, file);
      replace(node, value, node.property.name);
    } else if (type === 'Property' && parent.type === 'ObjectExpression' && values.has(key.name)) {
      const [start, end] = withComma(code, node);
      replace({ start, end }, '', key.name);
    } else if (type === 'BinaryExpression' && /^[!=]==$/.test(node.operator)) {
      const constant = constantOf(node.right);
      if (constant) replace(node, `${node.operator === '!=='}`, constant);
    } else if (type === 'SwitchCase' && node.test && CASES.includes(textOf(node.test))) {
      replace(node, '', textOf(node.test));
    } else if (type === 'MethodDefinition' && methods.includes(key.name)) {
      replace(node, '');
    } else if (type === 'VariableDeclarator' && node.id.name === '_colorKeywords') {
      replace(node.init, '{}');
    }
    return ranges.length === before;
  });
  return ranges.length ? replaceRanges(code, ranges) : undefined;
}

/** The entry for a constant that nothing is ever equal to. */
const constantOf = ({ type, name, object, property }) =>
  type === 'Identifier'
    ? CONSTANTS.find((names) => names.test(name))
    : object?.name === '_gl' && GL_CONSTANTS.test(property.name)
      ? GL_CONSTANTS
      : undefined;

/** A name that reads as nothing where a truth is expected, or the other way, would be neither. */
function refuseOtherKind(value, { type, operator, left, right }, node, file) {
  if (type !== 'BinaryExpression' || !/^[!=]==$/.test(operator)) return;
  const other = left === node ? right : left;
  const kind = other.type === 'Literal' ? `${other.value}` : (other.name ?? '');
  const fits = value === 'null' ? !/^(true|false|undefined)$/.test(kind) : !/^(null|undefined)$/.test(kind);
  if (!fits) throw new Error(`${file}: ${node.property.name} is compared with ${kind}, but reads as ${value}`);
}
