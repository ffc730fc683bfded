import { gramOfRows, multiply, transpose } from '../../math/dense.ts';
import { gatherRows } from '../../math/rows.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { FitProblem } from '../problem.ts';
import { withVertices } from './select-vertices.ts';

/**
 * Long motions are searched on some of their frames: bones that are restricted frame by frame cost as much as there are
 * frames, and where bones belong is seen in few. Frames are chosen evenly, half by time and half by how far the mesh moves.
 */

/** Frames of a sample; sequences are sampled when they have this many times as many. */
const FRAMES = 48;
const WORTH_SAMPLING = 1.5;

/** The frames to search on, rising, or undefined where all are few enough. */
export function sampledFrames(problem: FitProblem): Uint32Array | undefined {
  const { frameCount } = problem;
  if (frameCount <= WORTH_SAMPLING * FRAMES) return undefined;
  const steps = stepLengths(problem);
  const total = steps.reduce((sum, step) => sum + step, 0);
  const chosen = new Set<number>();
  let covered = 0;
  for (let k = 0; k < frameCount; k++) {
    covered += (1 / frameCount + (total > 0 ? steps[k] / total : 1 / frameCount)) / 2;
    // Every time another share is covered, at its middle.
    if (covered * FRAMES >= chosen.size + 0.5) chosen.add(k);
  }
  return Uint32Array.from(chosen);
}

/** P: how far the mesh moves from the frame before, as a root sum of squares. */
function stepLengths({ frameCount, rank, z, vertexCount, basis }: FitProblem): Float64Array {
  // The axes of the basis are principal: |Δa|² = Σ_e Δu_e²·|z_e|².
  const energy = new Float64Array(rank);
  for (let i = 0; i < vertexCount; i++) for (let e = 0; e < rank; e++) energy[e] += z[i * rank + e] ** 2;
  const out = new Float64Array(frameCount);
  for (let k = 1; k < frameCount; k++) {
    let sum = 0;
    for (let x = 3 * k * rank; x < 3 * (k + 1) * rank; x++) {
      sum += (basis[x] - basis[x - 3 * rank]) ** 2 * energy[x % rank];
    }
    out[k] = Math.sqrt(sum);
  }
  return out;
}

/** The problem of some frames, in principal axes of its own: as few as discard no more than the problem's did. */
export function selectFrames(problem: FitProblem, frames: Uint32Array): FitProblem {
  const { rank, z, vertexCount, basis, rest, mass } = problem;
  const rows = 3 * frames.length;
  const some = gatherRows(basis, 3 * rank, frames);
  const zT = transpose(new Float64Array(z.length), z, vertexCount, rank);
  // A·Aᵀ = U·(Zᵀ·Z)·Uᵀ of these frames; its eigenvectors are the new basis.
  const inner = gramOfRows(new Float64Array(rank * rank), zT, rank, vertexCount);
  const half = multiply(new Float64Array(rows * rank), some, inner, rows, rank, rank);
  const someT = transpose(new Float64Array(some.length), some, rows, rank);
  const { values, vectors } = symmetricEigen(
    multiply(new Float64Array(rows * rows), half, someT, rows, rank, rows),
    rows,
  );
  const share = frames.length / problem.frameCount;
  let discarded = share * problem.discarded;
  let keep = Math.min(rows, rank);
  for (let lost = 0; keep > 1; keep--) {
    lost += Math.max(0, values[keep - 1]);
    if (lost > share * problem.discarded) break;
    discarded += Math.max(0, values[keep - 1]);
  }
  // z' = U'ᵀ·U·z; eigenvectors are rows.
  const kept = vectors.subarray(0, keep * rows);
  const turn = multiply(new Float64Array(keep * rank), kept, some, keep, rows, rank);
  const turnT = transpose(new Float64Array(turn.length), turn, keep, rank);
  const coordinates = multiply(new Float64Array(vertexCount * keep), z, turnT, vertexCount, rank, keep);
  const own = {
    ...problem,
    frameCount: frames.length,
    rank: keep,
    basis: transpose(new Float64Array(kept.length), kept, keep, rows),
    clipStarts: undefined,
    discarded,
  };
  return withVertices(own, coordinates, rest, mass);
}

/** Bones of some frames (4B × 3F) in all P: on straight lines between those that were chosen. */
export function spreadFrames({ frameCount }: FitProblem, bones: Float64Array, frames: Uint32Array): Float64Array {
  const from = 3 * frames.length;
  const rows = bones.length / from;
  const out = new Float64Array(rows * 3 * frameCount);
  for (let k = 0, next = 0; k < frameCount; k++) {
    while (next + 1 < frames.length && frames[next] < k) next++;
    const last = Math.max(0, next - 1);
    const t = next > last ? Math.max(0, Math.min(1, (k - frames[last]) / (frames[next] - frames[last]))) : 0;
    for (let row = 0; row < rows; row++) {
      for (let d = 0; d < 3; d++) {
        out[(row * frameCount + k) * 3 + d] =
          (1 - t) * bones[row * from + 3 * last + d] + t * bones[row * from + 3 * next + d];
      }
    }
  }
  return out;
}
