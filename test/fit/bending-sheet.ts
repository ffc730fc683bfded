import { seededRandom } from '../../src/math/rng.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';

/** A flat grid of (columns + 1) × (rows + 1) vertices in the xy plane, 1 unit wide. */
export function sheet(columns: number, rows: number): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let y = 0; y <= rows; y++) for (let x = 0; x <= columns; x++) positions.push(x / columns, y / columns, 0);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const i = y * (columns + 1) + x;
      triangles.push(i, i + 1, i + columns + 2, i, i + columns + 2, i + columns + 1);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** The sheet rolls up, waves and shears: no small number of bones is exact. */
export function bendingSheet(columns = 16, rows = 10, frames = 12): MeshSequence {
  const rest = sheet(columns, rows);
  const n = rest.positions.length / 3;
  const poses = Array.from({ length: frames }, (_, k) => {
    const t = (k + 1) / frames;
    const out = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) {
      const x = rest.positions[3 * i];
      const y = rest.positions[3 * i + 1];
      const bend = 2.5 * t;
      out[3 * i] = Math.sin(bend * x) / bend + 0.2 * t * y;
      out[3 * i + 1] = y * (1 + 0.1 * t * Math.sin(4 * x));
      out[3 * i + 2] = (1 - Math.cos(bend * x)) / bend + 0.05 * t * Math.sin(9 * y + 5 * t);
    }
    return out;
  });
  return memorySequence('sheet', rest, poses);
}

/** Noise on top: every trajectory is different, and the basis has full rank. */
export function noisySheet(seed: number, columns = 12, rows = 8, frames = 6): MeshSequence {
  const random = seededRandom(seed);
  const clean = bendingSheet(columns, rows, frames);
  return {
    ...clean,
    async readFrame(k, out) {
      const frame = await clean.readFrame(k, out);
      for (let c = 0; c < frame.length; c++) frame[c] += 0.02 * (random() - 0.5);
      return frame;
    },
  };
}
