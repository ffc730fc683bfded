import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import { rotationOfVector, rotationVector } from '../../math/rotation-vector.ts';
import { type FirstOrder, firstOrderRotation } from './first-order.ts';

/** Residual rotations of patches (Feng 2010, §3.4.1): R̃ = R̄⁻¹·R as a vector ω, which no rigid motion of all changes. */

const first = new Float64Array(9);
const residual = new Float64Array(9);

/** ω of all patches (3B, from `o`) for rotations G of the coarse triangles (9T) and R in 12B transforms. */
export function residualVectors(
  out: Float64Array,
  o: number,
  turning: FirstOrder,
  g: Float64Array,
  transforms: Float64Array,
): void {
  for (let b = 0; b < transforms.length / MATRIX_STRIDE; b++) {
    firstOrderRotation(first, 0, turning, g, b);
    const m = MATRIX_STRIDE * b;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        residual[3 * r + c] =
          first[r] * transforms[m + c] + first[3 + r] * transforms[m + 4 + c] + first[6 + r] * transforms[m + 8 + c];
      }
    }
    rotationVector(out, o + 3 * b, residual, 0);
  }
}

/** R = R̄·exp ω of all patches, into 12B transforms; translations are left alone. */
export function turnPatches(transforms: Float64Array, turning: FirstOrder, g: Float64Array, omega: Float64Array): void {
  for (let b = 0; b < transforms.length / MATRIX_STRIDE; b++) {
    firstOrderRotation(first, 0, turning, g, b);
    rotationOfVector(residual, 0, omega, 3 * b);
    const m = MATRIX_STRIDE * b;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        transforms[m + 4 * r + c] =
          first[3 * r] * residual[c] + first[3 * r + 1] * residual[3 + c] + first[3 * r + 2] * residual[6 + c];
      }
    }
  }
}
