import { connectedComponents, edgeCount, meshEdges } from '../../src/mesh/adjacency.ts';

/** V − E + F over the vertices that have faces, components with faces, boundary edges, and whether it is a manifold. */
export function topology(triangles: Uint32Array, vertices: number) {
  const edges = meshEdges(triangles, vertices);
  const used = new Set(triangles);
  const { componentOf } = connectedComponents(triangles, vertices);
  let boundary = 0;
  let manifold = true;
  for (let e = 0; e < edgeCount(edges); e++) {
    const faces = edges.corners.offsets[e + 1] - edges.corners.offsets[e];
    if (faces === 1) boundary++;
    if (faces > 2) manifold = false;
  }
  // Around every vertex the edges opposite it form one path or one cycle: as many pieces as one, no branching.
  for (const v of used) {
    const link: [number, number][] = [];
    for (let t = 0; t < triangles.length; t += 3) {
      const at = triangles.subarray(t, t + 3).indexOf(v);
      if (at >= 0) link.push([triangles[t + ((at + 1) % 3)], triangles[t + ((at + 2) % 3)]]);
    }
    const piece = new Map<number, number>();
    const root = (x: number): number => (piece.get(x) === x ? x : root(piece.get(x)!));
    const degree = new Map<number, number>();
    for (const [a, b] of link) {
      for (const x of [a, b]) {
        if (!piece.has(x)) piece.set(x, x);
        degree.set(x, (degree.get(x) ?? 0) + 1);
      }
      piece.set(root(a), root(b));
    }
    if (new Set([...piece.keys()].map(root)).size > 1) manifold = false;
    if ([...degree.values()].some((d) => d > 2)) manifold = false;
  }
  // Two faces on the same three vertices are no surface either.
  const faces = new Set<string>();
  for (let t = 0; t < triangles.length; t += 3) faces.add([...triangles.subarray(t, t + 3)].sort().join());
  if (faces.size < triangles.length / 3) manifold = false;
  return {
    euler: used.size - edgeCount(edges) + triangles.length / 3,
    components: new Set([...used].map((v) => componentOf[v])).size,
    closed: boundary === 0,
    manifold,
  };
}
