import type { SkinWeights } from '../../model/skinned-model.ts';
import { largestWeights } from '../largest-weights.ts';

/** Smaller weights are left out: they are below what files and single precision keep. */
const LEAST_WEIGHT = 1e-6;

/** N·D weights (≥ 0) → the influences of each vertex, those that count, with as many slots as the fullest vertex needs. */
export function influencesOf(dense: Float64Array, columns: number): SkinWeights {
  const counting = dense.map((w) => (w < LEAST_WEIGHT ? 0 : w));
  let most = 1;
  for (let row = 0; row < counting.length; row += columns) {
    let used = 0;
    for (let q = row; q < row + columns; q++) if (counting[q] > 0) used++;
    most = Math.max(most, used);
  }
  return largestWeights(counting, columns, most);
}
