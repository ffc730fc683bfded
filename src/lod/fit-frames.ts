import type { Edges } from '../mesh/adjacency.ts';
import { BlockSystem } from './block-system.ts';
import { HELD } from './fit-skin.ts';
import { gatherMoments, type PosePair } from './moments.ts';
import type { Samples } from './samples.ts';

/** The frames of a level without a skin, each fitted by itself: 3n numbers per frame. */
export function fitFrame(
  samples: Samples,
  triangles: Uint32Array,
  edges: Edges,
  originalTriangles: Uint32Array,
  pair: PosePair,
  { epsilon, damping }: { epsilon: number; damping: number },
  frozen?: Uint8Array,
): Float64Array {
  const n = pair.level.length / 3;
  const moments = gatherMoments(samples, triangles, edges, originalTriangles, [pair], epsilon);
  const system = new BlockSystem(n, edges.vertices);
  for (let i = 0; i < n; i++) {
    expand(system.vertices, 9 * i, moments.vertices, 6 * i);
    const trace = system.vertices[9 * i] + system.vertices[9 * i + 4] + system.vertices[9 * i + 8];
    const pull = frozen?.[i] === 1 ? HELD : damping;
    for (let c = 0; c < 9; c += 4) system.vertices[9 * i + c] += (pull * trace) / 3 + Number.MIN_VALUE;
  }
  for (let e = 0; e < edges.vertices.length / 2; e++) expand(system.edges, 9 * e, moments.edges, 6 * e);
  system.b.set(moments.sides);
  frozen?.forEach((held, i) => {
    if (held === 1) system.b.fill(0, 3 * i, 3 * i + 3);
  });
  const x = new Float64Array(3 * n);
  system.solve(x);
  for (let c = 0; c < x.length; c++) x[c] = pair.level[c] + (frozen?.[Math.floor(c / 3)] === 1 ? 0 : x[c]);
  return x;
}

/** Six numbers of a symmetric matrix as nine. */
function expand(out: Float64Array, o: number, s6: Float32Array, s: number): void {
  out[o] = s6[s];
  out[o + 1] = out[o + 3] = s6[s + 1];
  out[o + 2] = out[o + 6] = s6[s + 2];
  out[o + 4] = s6[s + 3];
  out[o + 5] = out[o + 7] = s6[s + 4];
  out[o + 8] = s6[s + 5];
}
