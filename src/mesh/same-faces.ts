/** Whether two lists of triangles are the same faces, in whatever order. A cache of points, which has none, fits all. */
export function sameFaces(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length === 0 || b.length === 0) return true;
  if (a.length !== b.length) return false;
  if (a.every((i, c) => i === b[c])) return true;
  const faces = (triangles: Uint32Array): string[] =>
    Array.from({ length: triangles.length / 3 }, (_, f) => {
      const [p, q, r] = triangles.subarray(3 * f, 3 * f + 3);
      return p < q && p < r ? `${p} ${q} ${r}` : q < r ? `${q} ${r} ${p}` : `${r} ${p} ${q}`;
    });
  const known = new Set(faces(b));
  return faces(a).every((face) => known.has(face));
}
