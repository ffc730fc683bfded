import { build, parseAst } from 'vite';
import { childrenOf, replaceRanges, walk, withComma } from './edit-source.mjs';

/** What is called without being named. */
const BY_LANGUAGE = ['constructor', 'toString', 'valueOf', 'toJSON', 'then', 'next', 'return', 'handleEvent'];

/**
 * Packages without the methods that nobody calls. Bundlers drop functions that nobody calls, but no methods: they cannot
 * tell whose they are. Here it is known who gets hold of the things of a package: `users` has, for each, parts of the paths
 * of their files. A method whose name is read nowhere there, but in methods that nobody calls either, is nobody's.
 */
export async function withoutUnusedMethods(config, users) {
  const { output } = await build({
    ...config,
    configFile: false,
    build: { ...config.build, write: false, minify: false },
  });
  const modules = output.flatMap((chunk) => Object.entries(chunk.modules ?? {}));
  const called = namesCalled(
    modules.map(([id, { code }]) => [id, code ?? '']),
    users,
  );
  return { ...config, configFile: false, plugins: [...config.plugins, unusedMethods(called, users)] };
}

function unusedMethods(called, users) {
  return {
    name: 'unused-methods',
    transform(code, id) {
      const names = called.get(packageOf(id, users));
      return names && withoutMethods(code, this.parse(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }), names);
    },
  };
}

const packageOf = (id, users) => Object.keys(users).find((name) => id.includes(`/node_modules/${name}/`));

/** `code`, whose syntax tree is given, without the methods that are not `called`. */
export function withoutMethods(code, tree, called) {
  const ranges = [];
  walk(tree, (node, ancestors) => {
    const name = methodOf(node, ancestors);
    if (!name || called.has(name)) return;
    if (node.type === 'Property') ranges.push([...withComma(code, node), '']);
    else ranges.push([node.start, node.end, node.type === 'ExpressionStatement' ? ';' : '']);
  });
  return replaceRanges(code, ranges);
}

const FUNCTIONS = ['FunctionExpression', 'ArrowFunctionExpression', 'Identifier'];

/**
 * The name of what `node` makes a method: a member of a class, a statement `this.name = function`, or one of a set of
 * functions that is returned, or that a module has.
 */
function methodOf({ type, kind, computed, key, value, expression }, ancestors) {
  if (type === 'MethodDefinition' && kind !== 'set' && !computed && key.type === 'Identifier') return key.name;
  if (type === 'Property' && key.type === 'Identifier' && !computed && FUNCTIONS.includes(value.type)) {
    return isSet(ancestors) ? key.name : undefined;
  }
  if (type !== 'ExpressionStatement' || expression.type !== 'AssignmentExpression') return undefined;
  const { left, right } = expression;
  const own = left.type === 'MemberExpression' && left.object.type === 'ThisExpression' && !left.computed;
  return own && FUNCTIONS.includes(right.type) ? left.property.name : undefined;
}

/** Of sets that are returned those count that have nothing but functions, by the looks of them: data may be gone through. */
function isSet([set, owner, ...above]) {
  if (set.type !== 'ObjectExpression') return false;
  if (owner.type === 'ReturnStatement') {
    const functions = functionsIn(above.at(-1));
    return set.properties.every(({ value }) => value?.type !== 'Identifier' || functions.has(value.name));
  }
  const ofModule = above.every(({ type }) => /^(VariableDeclaration|ExportNamedDeclaration|Program)$/.test(type));
  const named = set.properties.every(({ value }) => value?.type === 'Identifier');
  return owner.type === 'VariableDeclarator' && ofModule && named;
}

const functionsOfTrees = new WeakMap();

/** The names of all functions of a module. */
function functionsIn(tree) {
  let names = functionsOfTrees.get(tree);
  if (!names) {
    names = new Set();
    walk(tree, ({ type, id }) => void (type === 'FunctionDeclaration' && id && names.add(id.name)));
    functionsOfTrees.set(tree, names);
  }
  return names;
}

/** Per package, the names of its methods that may be called. `modules`: paths and codes of all that is bundled. */
export function namesCalled(modules, users) {
  const called = new Map(Object.keys(users).map((name) => [name, new Set(BY_LANGUAGE)]));
  const functions = new Set();
  const sees = (id, name) => [`/node_modules/${name}/`, ...users[name]].some((part) => id.includes(part));
  const strangers = Object.values(users).flatMap((parts) =>
    parts.filter((part) => !modules.some(([id]) => id.includes(part))),
  );
  if (strangers.length) throw new Error(`nothing that is bundled lies in ${strangers.join(', ')}: has it moved?`);
  let waiting = modules.flatMap(([id, code]) => {
    const of = packageOf(id, users);
    const seen = [...called].filter(([name]) => sees(id, name)).map(([, names]) => names);
    return piecesOf(parseAst(code), of).map((piece) => ({ ...piece, methods: called.get(of), seen }));
  });
  for (let found = waiting; found.length; ) {
    found = waiting.filter(({ method, named, methods }) =>
      method ? methods.has(method) : !named || functions.has(named),
    );
    waiting = waiting.filter((piece) => !found.includes(piece));
    for (const { reads, names, seen } of found) {
      for (const name of names) functions.add(name);
      for (const methods of seen) for (const name of reads) methods.add(name);
    }
  }
  return called;
}

/**
 * A module of a package in pieces that may never run: its methods, its functions, and the rest; any other module in one.
 * Of each, what it `reads` of things, and all `names` in it.
 */
function piecesOf(tree, inPackage) {
  const pieces = [];
  const add = (piece) => pieces[pieces.push({ ...piece, reads: new Set(), names: new Set() }) - 1];
  const visit = (outer, node, ancestors) => {
    let piece = outer;
    if (inPackage) {
      const method = methodOf(node, ancestors);
      if (method) piece = add({ method });
      else if (node.type === 'FunctionDeclaration' && node.id) piece = add({ named: nameOf(node.id) });
      // What is only ever written may have a setter.
      if (node.type === 'MethodDefinition' && node.kind === 'set') pieces[0].reads.add(node.key.name);
    }
    for (const name of readBy(node, ancestors[0])) piece.reads.add(name);
    if (node.type === 'Identifier' && ancestors[0].id !== node) piece.names.add(nameOf(node));
    for (const child of childrenOf(node)) visit(piece, child, [node, ...ancestors]);
  };
  visit(add({}), tree, []);
  return pieces;
}

/** A name of the source: bundlers number those that occur twice. */
const nameOf = ({ name }) => name.replace(/\$\d+$/, '');

/** The names that `node` reads properties by: of members, of what is taken apart, and every word of strings. */
function readBy(node, parent) {
  const wordsOf = (text) => text.match(/[\w$]+/g) ?? [];
  const written = parent?.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === node;
  if (node.type === 'MemberExpression' && !node.computed && !written) return [node.property.name];
  if (node.type === 'Property' && parent.type === 'ObjectPattern' && !node.computed) return [node.key.name];
  if (node.type === 'Literal' && typeof node.value === 'string') return wordsOf(node.value);
  if (node.type === 'TemplateElement') return wordsOf(node.value.cooked ?? '');
  return [];
}
