import type { Mesh, MeshSequence } from '../src/index.ts';
import { steadyTimes } from '../src/model/sequence.ts';

/** A wavy grid of n × n vertices, whose frames are computed. */
export function wavyGrid(n: number, frameCount: number): MeshSequence {
  const vertices = n * n;
  const triangles: number[] = [];
  for (let r = 0; r + 1 < n; r++) {
    for (let c = 0; c + 1 < n; c++) {
      const i = r * n + c;
      triangles.push(i, i + 1, i + n + 1, i, i + n + 1, i + n);
    }
  }
  const frame = (k: number, out: Float32Array): Float32Array => {
    for (let i = 0; i < vertices; i++) {
      out[3 * i] = i % n;
      out[3 * i + 1] = Math.sin(0.1 * (i % n) + 0.3 * k);
      out[3 * i + 2] = Math.floor(i / n);
    }
    return out;
  };
  const rest: Mesh = { positions: frame(0, new Float32Array(3 * vertices)), triangles: Uint32Array.from(triangles) };
  return {
    name: 'grid',
    rest,
    frameCount,
    times: steadyTimes(frameCount),
    readFrame: async (k, out = new Float32Array(3 * vertices)) => frame(k, out),
  };
}
