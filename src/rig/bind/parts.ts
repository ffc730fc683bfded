import { connectedComponents, edgeBalances, meshEdges } from '../../mesh/adjacency.ts';
import { determinant } from '../../mesh/triangle.ts';
import { pointCount, type Surface } from './surface.ts';

/** The connected parts of a surface, and which of them bound a volume. */
export interface Parts {
  count: number;
  /** n: point → part. */
  partOf: Uint32Array;
  /** Per part: 1 when its triangles face outwards, −1 when inwards, 0 when it is open or has no clear sides. */
  outside: Int8Array;
  /** Per part: its triangles. */
  triangles: Uint32Array;
}

export function findParts(surface: Surface): Parts {
  const { positions, triangles } = surface;
  const n = pointCount(surface);
  const { count, componentOf: partOf } = connectedComponents(triangles, n);
  const edges = meshEdges(triangles, n);
  const open = new Uint8Array(count);
  edgeBalances(triangles, edges).forEach((balance, e) => {
    if (balance !== 0) open[partOf[edges.vertices[2 * e]]] = 1;
  });
  const volume = new Float64Array(count);
  const triangleCounts = new Uint32Array(count);
  for (let t = 0; t < triangles.length; t += 3) {
    const part = partOf[triangles[t]];
    triangleCounts[part]++;
    // From the first point of the surface, so that far-away meshes keep their digits.
    volume[part] += determinant(positions, 0, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
  }
  const outside = Int8Array.from(volume, (v, part) => (open[part] ? 0 : Math.sign(v)));
  return { count, partOf, outside, triangles: triangleCounts };
}
