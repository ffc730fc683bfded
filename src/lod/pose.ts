import { MATRIX_STRIDE } from '../math/matrix34.ts';
import { canonicalInfluences } from '../model/influences.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import type { PosedSurface } from './surface.ts';

/** Linear blending, as the levels of a skinned surface are fitted to it. */

/** The most bones that a vertex of a level follows: what every player can show. */
export const MOST_INFLUENCES = 4;

/** out (12n): Σ_j w_ij·A_j for every vertex i; `bones` are 12B. */
function blendMatrices(out: Float64Array, skin: SkinWeights, bones: ArrayLike<number>): Float64Array {
  const { influences: k, joints, weights } = skin;
  out.fill(0);
  for (let s = 0; s < joints.length; s++) {
    const w = weights[s];
    if (w === 0) continue;
    const to = MATRIX_STRIDE * Math.floor(s / k);
    const from = MATRIX_STRIDE * joints[s];
    for (let c = 0; c < MATRIX_STRIDE; c++) out[to + c] += w * bones[from + c];
  }
  return out;
}

/** The 3n posed positions of a rest pose (3n) in pose p of a surface with a skin, morphs of its own included. */
export function posedBy(
  { skin, morphWeights }: PosedSurface,
  p: number,
  rest: ArrayLike<number>,
  weights: SkinWeights,
  morphs: readonly { positions: ArrayLike<number> }[],
): Float64Array {
  const x = Float64Array.from(rest);
  morphs.forEach(({ positions }, m) => {
    const share = morphWeights?.[p][m] ?? 0;
    if (share !== 0) for (let c = 0; c < x.length; c++) x[c] += share * positions[c];
  });
  if (!skin) return x;
  const matrices = blendMatrices(new Float64Array(4 * x.length), weights, skin.bones[p]);
  for (let i = 0; i < x.length; i += 3) {
    const m = 4 * i;
    const [a, b, c] = [x[i], x[i + 1], x[i + 2]];
    for (let row = 0; row < 3; row++) {
      const r = m + 4 * row;
      x[i + row] = matrices[r] * a + matrices[r + 1] * b + matrices[r + 2] * c + matrices[r + 3];
    }
  }
  return x;
}

/** The weights of some vertices, at most 4 each: the largest ones, scaled to a sum of 1. */
export function trimmedWeights({ influences, joints, weights }: SkinWeights, rows: ArrayLike<number>): SkinWeights {
  const k = MOST_INFLUENCES;
  const out: SkinWeights = {
    influences: k,
    joints: new Uint16Array(k * rows.length),
    weights: new Float32Array(k * rows.length),
  };
  const rowJoints = new Uint16Array(influences);
  const row = new Float64Array(influences);
  for (let i = 0; i < rows.length; i++) {
    for (let s = 0; s < influences; s++) {
      rowJoints[s] = joints[influences * rows[i] + s];
      row[s] = weights[influences * rows[i] + s];
    }
    setInfluences(out, i, rowJoints, row, influences);
  }
  return out;
}

/** Takes over `count` influences of a vertex, in any order: the largest ones that there is room for, sum 1. */
export function setInfluences(
  out: SkinWeights,
  i: number,
  joints: Uint16Array,
  weights: Float64Array,
  count: number,
): void {
  const k = out.influences;
  const used = Math.min(k, canonicalInfluences(joints, weights, count));
  let sum = 0;
  for (let s = 0; s < used; s++) sum += weights[s];
  for (let s = 0; s < k; s++) {
    out.joints[k * i + s] = s < used ? joints[s] : 0;
    out.weights[k * i + s] = s < used ? weights[s] / sum : 0;
  }
}
