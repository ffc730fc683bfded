import { gramOfRows, transpose } from '../../math/dense.ts';
import { MONOMIAL_STRIDE, MONOMIALS } from '../problem.ts';

/** The pairwise products of B bones that the weight step needs. */
export interface BoneProducts {
  boneCount: number;
  /** r × 4B, row-major: the bones as columns, so that Z·M is one matrix product. */
  columns: Float64Array;
  /** B·B·10: K_bc, symmetric in b and c. */
  pairs: Float64Array;
}

/**
 * @param bones 4B × r: row 4b + c is the coefficient of ṽ_c of bone b, in reduced coordinates.
 * @param full the same bones in all 3P rows (4B × 3P), when they leave the span of the basis (rigid and TRS bones).
 */
export function boneProducts(bones: Float64Array, rank: number, full?: Float64Array): BoneProducts {
  const rows = bones.length / rank;
  const boneCount = rows / 4;
  const columns = transpose(new Float64Array(bones.length), bones, rows, rank);
  const source = full ?? bones;
  const gram = gramOfRows(new Float64Array(rows * rows), source, rows, source.length / rows);
  const pairs = new Float64Array(boneCount * boneCount * MONOMIAL_STRIDE);
  for (let b = 0; b < boneCount; b++) {
    for (let c = 0; c <= b; c++) {
      const bc = (b * boneCount + c) * MONOMIAL_STRIDE;
      const cb = (c * boneCount + b) * MONOMIAL_STRIDE;
      for (let m = 0; m < MONOMIAL_STRIDE; m++) {
        const s = FIRST[m];
        const t = SECOND[m];
        const st = gram[(4 * b + s) * rows + 4 * c + t];
        pairs[bc + m] = pairs[cb + m] = s === t ? st : st + gram[(4 * b + t) * rows + 4 * c + s];
      }
    }
  }
  return { boneCount, columns, pairs };
}

/** The two indices of each monomial, flat: the loops above are inner ones. */
const FIRST = Uint8Array.from(MONOMIALS, ([s]) => s);
const SECOND = Uint8Array.from(MONOMIALS, ([, t]) => t);
