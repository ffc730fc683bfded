import { type Mesh, vertexCount } from '../model/mesh.ts';
import { type Lists, meshEdges, vertexNeighbours } from './adjacency.ts';

/** Vertex → all others within two edges, rising. */
export function secondRings(mesh: Mesh): Lists {
  const n = vertexCount(mesh);
  const { offsets, items } = vertexNeighbours(meshEdges(mesh.triangles, n), n);
  const ringOffsets = new Uint32Array(n + 1);
  const rings: number[] = [];
  for (let v = 0; v < n; v++) {
    const ring = new Set<number>();
    for (const u of items.subarray(offsets[v], offsets[v + 1])) {
      ring.add(u);
      for (const w of items.subarray(offsets[u], offsets[u + 1])) ring.add(w);
    }
    ring.delete(v);
    for (const u of [...ring].sort((a, b) => a - b)) rings.push(u);
    ringOffsets[v + 1] = rings.length;
  }
  return { offsets: ringOffsets, items: Uint32Array.from(rings) };
}
