import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/** out (12) = Σ_k w_k M_k of vertex i, for 12B transforms: linear blending, as in Feng 2010, §3.4.2. */
export function blendTransforms(
  out: Float64Array,
  { influences, joints, weights }: SkinWeights,
  transforms: Float64Array,
  i: number,
): void {
  out.fill(0);
  for (let s = i * influences; s < (i + 1) * influences; s++) {
    const w = weights[s];
    if (w === 0) continue;
    const m = MATRIX_STRIDE * joints[s];
    for (let c = 0; c < MATRIX_STRIDE; c++) out[c] += w * transforms[m + c];
  }
}

const matrix = new Float64Array(MATRIX_STRIDE);

/**
 * x_j = Σ_k w_k M_k (v_j + ū_j + V_jl·c_l) of all vertices, into `out` (3N).
 * @param start 3N: v + ū.
 * @param basis 3N × q: V. `coefficients` has q numbers per cluster, from `from` on.
 */
export function skinWithDetail(
  out: Float64Array,
  skin: SkinWeights,
  transforms: Float64Array,
  start: Float32Array,
  basis: Int16Array,
  clusterOf: Uint16Array,
  coefficients: Float64Array,
  from: number,
): void {
  const q = basis.length / start.length;
  const m = matrix;
  for (let i = 0; i < clusterOf.length; i++) {
    blendTransforms(m, skin, transforms, i);
    const o = 3 * i;
    const first = from + q * clusterOf[i];
    let x = start[o];
    let y = start[o + 1];
    let z = start[o + 2];
    let at = o * q;
    for (let p = first; p < first + q; p++, at++) {
      const c = coefficients[p];
      x += basis[at] * c;
      y += basis[at + q] * c;
      z += basis[at + q + q] * c;
    }
    out[o] = m[0] * x + m[1] * y + m[2] * z + m[3];
    out[o + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    out[o + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
}
