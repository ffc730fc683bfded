import { MONOMIAL_STRIDE } from '../problem.ts';
import type { BoneProducts } from './bone-products.ts';
import { type FitArrays, rowOf } from './kernel-arrays.ts';

/**
 * Bones as the kernels want them: `packed` is B panels of rank × 4; `pairs` is B × 10 × row, all second bones of one
 * monomial in a row; `selfPairs` is 10 × row. A row is B rounded up to even.
 */
export function packProducts(
  { boneCount, columns, pairs }: BoneProducts,
  rank: number,
  out: Pick<FitArrays, 'packed' | 'pairs' | 'selfPairs'>,
): void {
  const row = rowOf(boneCount);
  for (let b = 0; b < boneCount; b++) {
    for (let x = 0; x < rank; x++) {
      const from = x * 4 * boneCount + 4 * b;
      const to = (b * rank + x) * 4;
      for (let c = 0; c < 4; c++) out.packed[to + c] = columns[from + c];
    }
    for (let m = 0; m < MONOMIAL_STRIDE; m++) {
      const to = (b * MONOMIAL_STRIDE + m) * row;
      for (let c = 0; c < boneCount; c++) out.pairs[to + c] = pairs[(b * boneCount + c) * MONOMIAL_STRIDE + m];
      out.selfPairs[m * row + b] = pairs[(b * boneCount + b) * MONOMIAL_STRIDE + m];
      // The odd lane must hold numbers, or it would raise NaN flags in comparisons.
      if (row > boneCount) out.pairs[to + boneCount] = out.selfPairs[m * row + boneCount] = 0;
    }
  }
}
