/** Calls `visit(node, parent)` for every node of a syntax tree. */
export function walk(node, visit, parent) {
  visit(node, parent);
  for (const key in node) {
    const child = node[key];
    if (Array.isArray(child)) for (const one of child) if (one?.type) walk(one, visit, node);
    if (child?.type) walk(child, visit, node);
  }
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

/** The words of a text. */
export const words = (text) => text.trim().split(/\s+/);

/** Ranges of the bodies of functions and methods that are never called, by name; one that is not there is an error. */
export function bodiesOf(tree, names, file) {
  const found = new Map();
  walk(tree, (node) => {
    const { name } = node.id ?? node.key ?? {};
    const { body } = node.type === 'FunctionDeclaration' ? node : node.type === 'MethodDefinition' ? node.value : {};
    if (body && names.includes(name)) found.set(name, [body.start, body.end, '{}']);
  });
  const missing = names.filter((name) => !found.has(name));
  if (missing.length) throw new Error(`${file} has no function ${missing.join(', ')}: has its version changed?`);
  return [...found.values()];
}
