import { build, parseAst } from 'vite';
import { replaceRanges, walk } from './edit-source.mjs';

/** What is called without being named. */
const BY_LANGUAGE = ['constructor', 'toString', 'valueOf', 'toJSON', 'then'];
/** Each round finds what only the methods of the one before had called; a third would find a five-hundredth of the bundle. */
const ROUNDS = 2;

/**
 * Packages without the methods that nothing names. Bundlers drop functions that nobody calls, but no methods: they cannot
 * tell whose they are. Those whose name is nowhere in the whole bundle, not even within a string, are nobody's.
 */
export async function withoutUnusedMethods(config, packages) {
  let named;
  const lean = () => ({ ...config, configFile: false, plugins: [...config.plugins, unusedMethods(named, packages)] });
  for (let round = 0; round < ROUNDS; round++) {
    const { output } = await build({ ...lean(), build: { ...config.build, write: false, minify: false } });
    const names = namesIn(output.flatMap(({ code }) => code ?? []));
    if (names.size === named?.size) break;
    named = names;
  }
  return lean();
}

function unusedMethods(named, packages) {
  return {
    name: 'unused-methods',
    transform(code, id) {
      if (!named || !packages.some((name) => id.includes(`/node_modules/${name}/`))) return undefined;
      return withoutMethods(code, this.parse(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }), named);
    },
  };
}

/** `code`, whose syntax tree is given, without the methods that are not `named`. */
export function withoutMethods(code, tree, named) {
  const ranges = [];
  walk(tree, (node) => {
    const name = methodOf(node);
    if (name && !named.has(name)) ranges.push([node.start, node.end, node.type === 'MethodDefinition' ? '' : ';']);
  });
  return replaceRanges(code, ranges);
}

const FUNCTIONS = ['FunctionExpression', 'ArrowFunctionExpression', 'Identifier'];

/** The name of what `node` makes a method: a member of a class, or a statement `this.name = function`. */
function methodOf({ type, kind, computed, key, expression }) {
  // What is only ever written may have a setter.
  if (type === 'MethodDefinition' && kind !== 'set' && !computed && key.type === 'Identifier') return key.name;
  if (type !== 'ExpressionStatement' || expression.type !== 'AssignmentExpression') return undefined;
  const { left, right } = expression;
  const own = left.type === 'MemberExpression' && left.object.type === 'ThisExpression' && !left.computed;
  return own && FUNCTIONS.includes(right.type) ? left.property.name : undefined;
}

/** Every name that a property is read or taken apart by, and every word of every string. */
export function namesIn(chunks) {
  const names = new Set(BY_LANGUAGE);
  const addWords = (text) => {
    for (const [word] of text.matchAll(/[\w$]+/g)) names.add(word);
  };
  for (const code of chunks) {
    walk(parseAst(code), (node, parent) => {
      const written = parent?.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === node;
      if (node.type === 'MemberExpression' && !node.computed && !written) names.add(node.property.name);
      if (node.type === 'Property' && parent.type === 'ObjectPattern' && !node.computed) names.add(node.key.name);
      if (node.type === 'Literal' && typeof node.value === 'string') addWords(node.value);
      if (node.type === 'TemplateElement') addWords(node.value.raw);
    });
  }
  return names;
}
