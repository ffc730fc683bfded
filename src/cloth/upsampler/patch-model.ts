/** The numbers of one patch: inputs, where Gaussians stand, and the regression, each stored as bytes before it is used. */
import type { UpsamplerModel } from '../../model/trained-cloth.ts';
import { type FeatureScales, patchInputs, patchRows } from './inputs.ts';
import { byteScale, largestOf, toByte } from './quantize.ts';
import { regressPatch } from './regress.ts';

/** All that was seen of all patches. */
export interface PatchTraining {
  /** Per frame what all patches see; V + 1: where each one's numbers begin. */
  seen: readonly Float32Array[];
  offsets: Uint32Array;
  scales: FeatureScales;
  /** Per frame V × m. */
  coefficients: readonly Float32Array[];
  /** E frames that Gaussians stand around. */
  centres: Uint32Array;
  ridge: number;
}

/** How far inputs may go beyond those of the training. */
const BEYOND = 1.2;

/** Sets what belongs to patch v. */
export function setPatchModel(model: UpsamplerModel, v: number, training: PatchTraining): void {
  const { seen, offsets, scales, coefficients, centres, ridge } = training;
  const { inputs: d, modes: m, centres: e } = model;
  const n = seen.length;
  const size = offsets[v + 1] - offsets[v];

  const { directions, directionScales, z } = patchInputs(patchRows(seen, offsets, v, scales), size, d);
  model.directions.set(directions, d * offsets[v]);
  model.directionScales.set(directionScales, v * d);
  for (let q = 0; q < d; q++) {
    let low = 0;
    let high = 0;
    for (let k = 0; k < n; k++) {
      low = Math.min(low, z[k * d + q]);
      high = Math.max(high, z[k * d + q]);
    }
    model.limits.set([BEYOND * low, BEYOND * high], 2 * (v * d + q));
    model.pointScales[v * d + q] = byteScale(largestOf(z, q, d, n));
  }

  const points = new Float64Array(e * d);
  for (let i = 0; i < e * d; i++) {
    const scale = model.pointScales[v * d + (i % d)];
    const byte = toByte(z[centres[Math.floor(i / d)] * d + (i % d)], scale);
    model.points[v * e * d + i] = byte;
    points[i] = byte * scale;
  }

  const c = new Float64Array(n * m);
  coefficients.forEach((each, k) => {
    c.set(each.subarray(v * m, (v + 1) * m), k * m);
  });
  const { matrix, blend } = regressPatch({ z, c, frames: n }, points, ridge);
  model.matrices.set(matrix, v * (1 + d) * m);
  for (let q = 0; q < m; q++) {
    const scale = Math.fround(byteScale(largestOf(blend, q, m, e)));
    model.blendScales[v * m + q] = scale;
    for (let i = 0; i < e; i++) model.blends[(v * e + i) * m + q] = toByte(blend[i * m + q], scale);
  }
}
