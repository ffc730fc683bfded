import { connectedComponents, edgeCount, meshEdges } from '../../mesh/adjacency.ts';
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
  const { offsets, items } = edges.corners;
  for (let e = 0; e < edgeCount(edges); e++) {
    const a = edges.vertices[2 * e];
    let balance = 0;
    for (let q = offsets[e]; q < offsets[e + 1]; q++) balance += triangles[items[q]] === a ? 1 : -1;
    // Every edge of a closed surface is run through as often one way as the other.
    if (balance !== 0) open[partOf[a]] = 1;
  }
  const volume = new Float64Array(count);
  const triangleCounts = new Uint32Array(count);
  for (let t = 0; t < triangles.length; t += 3) {
    const part = partOf[triangles[t]];
    triangleCounts[part]++;
    volume[part] += sixfoldVolume(positions, triangles, t);
  }
  const outside = Int8Array.from(volume, (v, part) => (open[part] ? 0 : Math.sign(v)));
  return { count, partOf, outside, triangles: triangleCounts };
}

/** det(a, b, c) of a triangle, from the first point of the surface so that far-away meshes keep their digits. */
function sixfoldVolume(p: Float32Array, triangles: Uint32Array, t: number): number {
  const [a, b, c] = [0, 1, 2].map((corner) => {
    const o = 3 * triangles[t + corner];
    return [p[o] - p[0], p[o + 1] - p[1], p[o + 2] - p[2]];
  });
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}
