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
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [m, n] = [digitsAt(a, i), digitsAt(b, j)];
    if (m !== '' && n !== '') {
      const [x, y] = [m.replace(/^0+/, ''), n.replace(/^0+/, '')];
      // Without leading zeros the longer one is larger: exact for numbers of any length.
      if (x.length !== y.length) return x.length - y.length;
      if (x !== y) return x < y ? -1 : 1;
      i += m.length;
      j += n.length;
    } else if (a[i] !== b[j]) {
      return a[i] < b[j] ? -1 : 1;
    } else {
      i++;
      j++;
    }
  }
  return a.length - i - (b.length - j) || (a < b ? -1 : a > b ? 1 : 0);
}

/** The digits that start at a position. */
function digitsAt(text: string, start: number): string {
  let end = start;
  while (end < text.length && text[end] >= '0' && text[end] <= '9') end++;
  return text.slice(start, end);
}
