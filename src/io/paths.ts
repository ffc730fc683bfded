/** Paths with `/` between their parts (or `\`, which Node hands over on Windows). */

const lastSeparator = (path: string): number => Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));

/** `a/b/c.obj` → `c.obj`. */
export const fileName = (path: string): string => path.slice(lastSeparator(path) + 1);

/** `a/b/c.OBJ` → `obj`; '' without a dot. */
export function extension(path: string): string {
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** `a/b/c.obj` → `c`. */
export function stem(path: string): string {
  const name = fileName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** A file in a folder. */
export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : folder.endsWith('/') ? folder + name : `${folder}/${name}`;

/** Natural order: runs of digits by value, so that 2 comes before 10; the rest by code unit. */
export function naturalOrder(a: string, b: string): number {
  const as = a.match(/\d+|\D+/g) ?? [];
  const bs = b.match(/\d+|\D+/g) ?? [];
  for (let c = 0; c < Math.min(as.length, bs.length); c++) {
    const [x, y] = [as[c], bs[c]];
    if (x === y) continue;
    const digits = /^\d/;
    if (digits.test(x) && digits.test(y)) {
      const [m, n] = [x.replace(/^0+/, ''), y.replace(/^0+/, '')];
      // Without leading zeros the longer one is larger: exact for numbers of any length.
      if (m.length !== n.length) return m.length - n.length;
      if (m !== n) return m < n ? -1 : 1;
      continue;
    }
    return x < y ? -1 : 1;
  }
  if (as.length !== bs.length) return as.length - bs.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
