import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import { svd3 } from '../../math/svd3.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { blendTransforms } from './patch-skin.ts';

/**
 * Fine-scale deformation (Feng 2010, §3.4.2): u_j = (Σ_k w_k M_k)⁻¹ x_j − v_j, on the rest pose. Where patches turn against each
 * other the blended matrix can be singular; its singular values count as at least SMALLEST, so that u stays within five
 * times what is missing.
 */
const SMALLEST = 0.2;

/**
 * @param transforms E·B·12.
 * @returns E × 3N.
 */
export function patchResiduals(
  { positions: v }: Mesh,
  poses: readonly Float32Array[],
  skin: SkinWeights,
  transforms: Float64Array,
): Float64Array {
  const bones = transforms.length / (MATRIX_STRIDE * poses.length);
  const out = new Float64Array(poses.length * v.length);
  const m = new Float64Array(MATRIX_STRIDE);
  const linear = new Float64Array(9);
  const u = new Float64Array(9);
  const w = new Float64Array(9);
  const sigma = new Float64Array(3);
  const gap = new Float64Array(3);
  poses.forEach((x, k) => {
    const own = transforms.subarray(MATRIX_STRIDE * k * bones, MATRIX_STRIDE * (k + 1) * bones);
    for (let i = 0; i < v.length; i += 3) {
      blendTransforms(m, skin, own, i / 3);
      for (let r = 0; r < 3; r++) {
        gap[r] = x[i + r] - m[4 * r + 3];
        for (let c = 0; c < 3; c++) {
          linear[3 * r + c] = m[4 * r + c];
          gap[r] -= m[4 * r + c] * v[i + c];
        }
      }
      svd3(u, sigma, w, linear);
      const o = k * v.length + i;
      for (let p = 0; p < 3; p++) {
        const size = Math.max(SMALLEST, Math.abs(sigma[p])) * (sigma[p] < 0 ? -1 : 1);
        const along = (u[p] * gap[0] + u[3 + p] * gap[1] + u[6 + p] * gap[2]) / size;
        for (let c = 0; c < 3; c++) out[o + c] += w[3 * c + p] * along;
      }
    }
  });
  return out;
}
