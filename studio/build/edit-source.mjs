/** The nodes of a syntax tree right below one. */
export const childrenOf = (node) =>
  Object.values(node).flatMap((child) => (Array.isArray(child) ? child : [child]).filter((one) => one?.type));

/**
 * Calls `visit(node, ancestors)` for every node of a syntax tree but those below one for which it returns `false`; ancestors
 * from the parent up.
 */
export function walk(node, visit, ancestors = []) {
  if (visit(node, ancestors) === false) return;
  for (const child of childrenOf(node)) walk(child, visit, [node, ...ancestors]);
}

/** `code` with its ranges `[start, end, text]` replaced; what lies within a range that is replaced goes with it. */
export function replaceRanges(code, ranges) {
  let result = '';
  let from = 0;
  for (const [start, end, text] of ranges.sort(([a, x], [b, y]) => a - b || y - x)) {
    if (start < from) continue;
    result += code.slice(from, start) + text;
    from = end;
  }
  return result + code.slice(from);
}

/** The range of a member of an object in `code`, with the comma behind it. */
export const withComma = (code, { start, end }) => [start, end + /^\s*,|/.exec(code.slice(end))[0].length];

/** The words of a text. */
export const words = (text) => text.trim().split(/\s+/);

/**
 * Ranges of what never happens in a module, by name: the bodies of functions and methods that are not `called`, the
 * statements that set what is never `set`, and calls of what always `returns` the same, as text. A name that is not there
 * is an error.
 */
export function neverIn(tree, code, file, { called = [], set = [], returns = {} }) {
  const ranges = [];
  const missing = new Set([...called, ...set, ...Object.keys(returns)]);
  const replace = (name, { start, end }, text) => {
    missing.delete(name);
    ranges.push([start, end, text]);
  };
  walk(tree, (node) => {
    const { type, expression, callee, id, key, value } = node;
    if (type === 'FunctionDeclaration' && called.includes(id.name)) replace(id.name, node.body, '{}');
    if (/^(MethodDefinition|Property)$/.test(type) && value?.body && called.includes(key.name))
      replace(key.name, value.body, '{}');
    if (type === 'CallExpression') {
      const full = code.slice(callee.start, callee.end);
      const name = [full, callee.property?.name].find((name) => Object.hasOwn(returns, name));
      if (name) replace(name, node, returns[name]);
    }
    if (type === 'ExpressionStatement' && expression.type === 'AssignmentExpression') {
      const { start, end } = expression.left;
      const left = code.slice(start, end);
      if (set.includes(left)) replace(left, node, ';');
    }
  });
  if (missing.size) throw new Error(`${file} has no ${[...missing].join(', ')}: has its version changed?`);
  return ranges;
}
