/**
 * A shader without comments, and without what stands under conditions that never hold where the macros of the set `never`
 * are never defined, and count as nought where numbers are compared. Conditions that hang on other macros stay.
 */
export function foldShader(source, never) {
  const lines = [];
  /** Of each condition that is open: whether anything of it is `written`, a branch was `taken`, this one is `dead`. */
  const open = [];
  const live = () => open.every(({ dead }) => !dead);
  for (const line of source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').split('\n')) {
    const [, directive, condition] = /^\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*(.*?)\s*$/.exec(line) ?? [];
    if (!directive) {
      if (live() && line.trim()) lines.push(line.trim());
    } else if (directive.startsWith('if')) {
      const outer = live();
      const holds = outer ? truth(directive, condition, never) : false;
      if (holds === undefined) lines.push(line.trim());
      open.push({ outer, written: holds === undefined, taken: holds === true, dead: holds === false });
    } else if (directive === 'endif') {
      if (open.pop().written) lines.push('#endif');
    } else if (open.at(-1).outer) {
      const branch = open.at(-1);
      const holds = branch.taken ? false : directive === 'else' ? true : truth('if', condition, never);
      if (holds === undefined) lines.push(`#${branch.written ? 'elif' : 'if'} ${condition}`);
      else if (holds && branch.written) lines.push('#else');
      branch.written ||= holds === undefined;
      branch.taken ||= holds === true;
      branch.dead = holds === false;
    }
  }
  return lines.join('\n');
}

const ATOM = /defined\s*\(\s*(\w+)\s*\)|(\w+)\s*(==|!=|<=|>=|<|>)\s*(\w+)/g;

/** Whether a condition holds: true or false whatever other macros are, or undefined where it depends on them. */
function truth(directive, condition, never) {
  if (directive !== 'if') return never.has(condition) ? directive === 'ifndef' : undefined;
  const unknown = [];
  const variable = (atom) => {
    if (!unknown.includes(atom)) unknown.push(atom);
    return `unknown[${unknown.indexOf(atom)}]`;
  };
  const expression = condition.replace(ATOM, (atom, name, left, relation, right) => {
    if (name) return never.has(name) ? 'false' : variable(atom);
    const [a, b] = [left, right].map((side) => (never.has(side) ? '0' : side));
    // What is counted is not below nought.
    if (relation === '<' && b === '0') return 'false';
    return /^\d+$/.test(a) && /^\d+$/.test(b) ? `(${a} ${relation} ${b})` : variable(atom);
  });
  if (!/^(true|false|unknown\[\d+\]|\(\d+ [=!<>]+ \d+\)|[\s()&|!])*$/.test(expression)) return undefined;
  const holds = new Function('unknown', `return !!(${expression});`);
  const cases = Array.from({ length: 2 ** unknown.length }, (_, bits) => holds(unknown.map((_, i) => (bits >> i) & 1)));
  return cases.every((value) => value === cases[0]) ? cases[0] : undefined;
}
