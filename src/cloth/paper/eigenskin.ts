import { gramOfRows, multiply } from '../../math/dense.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';

/**
 * The displacements of a cluster in all examples as few shapes (Feng 2010, §3.4.2, after the EigenSkin of Kry, James and
 * Pai 2002): u_j = ū_j + V_jl·c_l.
 */
export interface DetailShapes {
  /** 3N: ū. */
  mean: Float32Array;
  /** 3N × q: V, q numbers for every coordinate of a vertex, up to ±32767; 0 where a cluster has fewer shapes. */
  basis: Int16Array;
}

/** Of the numbers of a shape. */
const LARGEST = 32767;

/**
 * @param residuals E × 3N: u.
 * @param clusterOf N, of `count`.
 * @param wanted shapes per cluster; there are no more than examples.
 * @returns also E × (count·q): the coefficients c of the examples.
 */
export function detailShapes(
  residuals: Float64Array,
  clusterOf: Uint16Array,
  count: number,
  wanted: number,
): DetailShapes & { coefficients: Float64Array } {
  const n = clusterOf.length;
  const e = residuals.length / (3 * n);
  const q = Math.min(wanted, e);
  const mean = new Float64Array(3 * n);
  for (let k = 0; k < e; k++) for (let c = 0; c < 3 * n; c++) mean[c] += residuals[k * 3 * n + c] / e;
  const basis = new Int16Array(3 * n * q);
  const coefficients = new Float64Array(e * count * q);
  const members: number[][] = Array.from({ length: count }, () => []);
  clusterOf.forEach((cluster, i) => {
    members[cluster].push(i);
  });
  members.forEach((vertices, cluster) => {
    const size = 3 * vertices.length;
    const rows = new Float64Array(e * size);
    for (let k = 0; k < e; k++) {
      vertices.forEach((i, at) => {
        for (let c = 0; c < 3; c++) rows[k * size + 3 * at + c] = residuals[3 * (k * n + i) + c] - mean[3 * i + c];
      });
    }
    const { values, vectors } = symmetricEigen(gramOfRows(new Float64Array(e * e), rows, e, size), e);
    const kept = values.slice(0, q).filter((value) => value > 1e-12 * values[0]).length;
    const shapes = multiply(new Float64Array(kept * size), vectors.slice(0, kept * e), rows, kept, e, size);
    for (let p = 0; p < kept; p++) {
      const shape = shapes.subarray(p * size, (p + 1) * size);
      const unit = shape.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / LARGEST;
      for (let k = 0; k < e; k++) coefficients[(k * count + cluster) * q + p] = vectors[p * e + k] * unit;
      vertices.forEach((i, at) => {
        for (let c = 0; c < 3; c++) basis[(3 * i + c) * q + p] = Math.round(shape[3 * at + c] / unit);
      });
    }
  });
  return { mean: Float32Array.from(mean), basis, coefficients };
}
