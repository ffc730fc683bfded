import { PriorityQueue } from '../math/priority-queue.ts';
import type { Lists } from './adjacency.ts';
import { straightDistance } from './graph-distance.ts';

/**
 * Distances along a surface: fast marching on triangle meshes (Kimmel & Sethian 1998, "Computing geodesic paths on
 * manifolds") with circular fronts (Novotni & Klein 2002, "Computing geodesic distances on triangular meshes"): the
 * distances of two corners place the source in the plane of the triangle, from where the third corner is measured.
 * Values that turn out too large are lowered later, so that obtuse triangles and edges with many faces only cost time.
 * From one point of the plane the distances are exact wherever the straight way crosses the triangles' edges in turn.
 */
export interface MarchedSurface {
  /** 3n. */
  positions: ArrayLike<number>;
  /** 3F. */
  triangles: Uint32Array;
  /** Vertex → the faces around it. */
  faces: Lists;
}

/**
 * Lowers `distances` (n; ∞ where nothing is known, the value of each source elsewhere) to the length of the way along the
 * surface. Sources may have distances of their own. Nothing beyond `limit` is computed.
 */
export function marchDistances(surface: MarchedSurface, distances: Float64Array, limit = Infinity): Float64Array {
  const { positions, triangles } = surface;
  const { offsets, items } = surface.faces;
  const queue = new PriorityQueue();
  const lower = (i: number, distance: number): void => {
    // Equal but for rounding is equal: neighbours must not lower each other for ever.
    if (!(distance < distances[i] * (1 - 1e-12)) || distance > limit) return;
    distances[i] = distance;
    queue.push(distance, i);
  };
  for (let i = 0; i < distances.length; i++) if (distances[i] <= limit) queue.push(distances[i], i);
  while (queue.pop()) {
    const { item: a, priority } = queue;
    if (priority > distances[a]) continue;
    for (let q = offsets[a]; q < offsets[a + 1]; q++) {
      const t = 3 * items[q];
      const corner = triangles[t] === a ? 0 : triangles[t + 1] === a ? 1 : 2;
      const b = triangles[t + ((corner + 1) % 3)];
      const c = triangles[t + ((corner + 2) % 3)];
      const ab = straightDistance(positions, a, b);
      const ac = straightDistance(positions, a, c);
      lower(b, priority + ab);
      lower(c, priority + ac);
      const bc = straightDistance(positions, b, c);
      lower(c, throughEdge(priority, distances[b], ab, ac, bc));
      lower(b, throughEdge(priority, distances[c], ac, ab, bc));
    }
  }
  return distances;
}

/**
 * The distance of corner c through the edge ab, for the distances of a and b: a lies at the origin, b on the x axis, c above
 * and the source below it. ∞ where no such source exists, or the straight way to it misses the edge.
 */
function throughEdge(da: number, db: number, ab: number, ac: number, bc: number): number {
  if (!(ab > 0) || db === Infinity) return Infinity;
  const sx = (ab * ab + da * da - db * db) / (2 * ab);
  const sy2 = da * da - sx * sx;
  if (!(sy2 >= 0)) return Infinity;
  const sy = Math.sqrt(sy2);
  const cx = (ab * ab + ac * ac - bc * bc) / (2 * ab);
  const cy = Math.sqrt(Math.max(0, ac * ac - cx * cx));
  const crossing = cy + sy > 0 ? sx + ((cx - sx) * sy) / (cy + sy) : sx;
  if (crossing < 0 || crossing > ab) return Infinity;
  return Math.sqrt((cx - sx) ** 2 + (cy + sy) ** 2);
}
