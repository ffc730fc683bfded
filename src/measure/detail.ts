import { PliantError } from '../error.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import type { Figures } from '../model/figures.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { readCheckedFrame, requireEqualFrames } from './frames.ts';

/**
 * How much of the detail that a base lacks is in an approximation. With x the original, p the approximation and b the base:
 * N the mean angle between the vertex normals of p and x; W = 1 − Σ|p − x|² / Σ|b − x|²; V the mean angle between the normals
 * of p and b, relative to that of x and b; J the RMS second difference of p − b in time, relative to that of x − b.
 */
export async function measureDetail(
  original: MeshSequence,
  approximation: MeshSequence,
  base: MeshSequence,
  run: RunOptions = {},
): Promise<Figures> {
  const operation = 'measure';
  const sequences = [original, approximation, base] as const;
  for (const other of [approximation, base]) {
    requireEqualFrames(operation, original, other);
    const { rest } = original;
    if (vertexCount(other.rest) === vertexCount(rest) && sameFaces(other.rest.triangles, rest.triangles)) continue;
    const cause = `${other.name} has other vertices or faces than ${original.name} (expected the same mesh)`;
    throw new PliantError('bad-input', operation, cause, { option: 'base' });
  }
  const mesh = { positions: original.rest.positions, triangles: original.rest.triangles };
  const groups = smoothingGroups(mesh);
  const frames = sequences.map(() => new Float32Array(mesh.positions.length));
  const normals = sequences.map(() => new Float32Array(mesh.positions.length));
  const squares = { p: 0, b: 0 };
  const angles = { px: 0, pb: 0, xb: 0 };
  const shaking = [new Shaking(mesh.positions.length), new Shaking(mesh.positions.length)];
  for (let k = 0; k < original.frameCount; k++) {
    await checkpoint(run, operation, k, original.frameCount, 'measuring detail');
    for (const [s, sequence] of sequences.entries()) {
      await readCheckedFrame(operation, sequence, k, frames[s]);
      vertexNormals(mesh, frames[s], 'angle', groups, normals[s]);
    }
    const [x, p, b] = frames;
    for (let c = 0; c < x.length; c++) {
      squares.p += (p[c] - x[c]) ** 2;
      squares.b += (b[c] - x[c]) ** 2;
    }
    angles.px += sumAngles(normals[1], normals[0]);
    angles.pb += sumAngles(normals[1], normals[2]);
    angles.xb += sumAngles(normals[0], normals[2]);
    shaking[0].add(p, b);
    shaking[1].add(x, b);
  }
  const [p, x] = shaking.map(({ sum }) => sum);
  const count = original.frameCount * vertexCount(mesh);
  return {
    normalErrorDegrees: (angles.px / count) * (180 / Math.PI),
    ...(squares.b > 0 && { detailRecoveredPercent: 100 * (1 - squares.p / squares.b) }),
    ...(angles.xb > 0 && { vigour: angles.pb / angles.xb }),
    ...(x > 0 && { jitter: Math.sqrt(p / x) }),
  };
}

function sumAngles(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let o = 0; o < a.length; o += 3) {
    sum += Math.acos(Math.min(1, Math.max(-1, a[o] * b[o] + a[o + 1] * b[o + 1] + a[o + 2] * b[o + 2])));
  }
  return sum;
}

/** Sum of the squared second differences of a − b in time. */
class Shaking {
  sum = 0;
  #frames = 0;
  readonly #last: [Float32Array, Float32Array];

  constructor(length: number) {
    this.#last = [new Float32Array(length), new Float32Array(length)];
  }

  add(a: Float32Array, b: Float32Array): void {
    const [one, two] = this.#last;
    for (let c = 0; c < a.length; c++) {
      const d = a[c] - b[c];
      if (this.#frames >= 2) this.sum += (d - 2 * one[c] + two[c]) ** 2;
      two[c] = one[c];
      one[c] = d;
    }
    this.#frames++;
  }
}
