import { gramOfRows, multiply } from '../math/dense.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import type { Predictor, Residual } from '../model/predictor.ts';
import { checkpoint } from '../model/run.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { BoneBlend } from './bone-blend.ts';
import { controlInputs } from './control-points.ts';
import { SurfaceDriver } from './drive.ts';
import type { Examples } from './examples.ts';

/**
 * What the bones leave over: ρ = Rᵀ(x − skin) per vertex and example, in the frame that the vertex is turned by. A new
 * pose blends the examples' residuals by the same coefficients as everything else. Principal components of ρ make that a
 * blend of few shapes.
 */

/** The share of the residuals' energy that the shapes may leave out, */
const LEFT_OUT = 1e-4;
/** and what they may leave out of the error that unseen examples have anyway. */
const UNNOTICED = 0.1;

/** @param transforms E·B·12; the vertices at `only`, or all. @returns E × 3·count. */
export function localResiduals(
  { rest, poses }: Examples,
  skin: SkinWeights,
  transforms: Float64Array,
  only?: Uint32Array,
): Float64Array {
  const bones = transforms.length / (MATRIX_STRIDE * poses.length);
  const blend = new BoneBlend(skin, bones);
  const count = only ? only.length : vertexCount(rest);
  const v = rest.positions;
  const out = new Float64Array(poses.length * 3 * count);
  const gap = new Float64Array(3);
  poses.forEach((x, k) => {
    blend.set(transforms.subarray(MATRIX_STRIDE * k * bones, MATRIX_STRIDE * (k + 1) * bones));
    const m = blend.motion;
    for (let at = 0; at < count; at++) {
      const i = 3 * (only ? only[at] : at);
      blend.at(i / 3);
      for (let r = 0; r < 3; r++) {
        gap[r] = x[i + r] - m[4 * r] * v[i] - m[4 * r + 1] * v[i + 1] - m[4 * r + 2] * v[i + 2] - m[4 * r + 3];
      }
      const o = 3 * (k * count + at);
      for (let c = 0; c < 3; c++) out[o + c] = m[c] * gap[0] + m[4 + c] * gap[1] + m[8 + c] * gap[2];
    }
  });
  return out;
}

/** Residuals (E × 3N) as few shapes. `inverse` is (K + κI)⁻¹: example coefficients are ξᵀ·inverse. */
function residualShapes(residuals: Float64Array, e: number, { inverse, leftOut }: ResidualWay): Residual {
  const size = residuals.length / e;
  const mean = new Float64Array(size);
  for (let k = 0; k < e; k++) for (let c = 0; c < size; c++) mean[c] += residuals[k * size + c] / e;
  const centred = residuals.map((x, at) => x - mean[at % size]);
  const { values, vectors } = symmetricEigen(gramOfRows(new Float64Array(e * e), centred, e, size), e);
  let left = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  const enough = Math.min(LEFT_OUT * left, ((UNNOTICED * leftOut) ** 2 * residuals.length) / 3);
  let count = 0;
  while (count < e && left > enough && values[count] > 0) left -= values[count++];

  // centred = Σ_r u_r·s_r, u_r the eigenvectors over examples, s_r the shapes.
  const shapes = multiply(new Float64Array(count * size), vectors.slice(0, count * e), centred, count, e, size);
  const u = new Float64Array(e * count);
  for (let r = 0; r < count; r++) for (let k = 0; k < e; k++) u[k * count + r] = vectors[r * e + k];
  const blend = multiply(new Float64Array(e * count), inverse, u, e, e, count);
  return { mean: Float32Array.from(mean), shapes: Float32Array.from(shapes), blend };
}

/** (K + κI)⁻¹, and the root mean square error of examples that are left out. */
interface ResidualWay {
  inverse: Float64Array;
  leftOut: number;
}

/** What the bones of a predictor still without a residual leave over of its examples. */
export async function residualOf(
  predictor: Predictor,
  examples: Examples,
  way: ResidualWay,
  run: RunOptions,
): Promise<Residual> {
  const base = await drivenTransforms(predictor, examples, run);
  return residualShapes(localResiduals(examples, predictor.weights, base), examples.poses.length, way);
}

/** E·B·12: where the predictor, still without residual, takes its bones for the examples' own control points. */
async function drivenTransforms(predictor: Predictor, { poses }: Examples, run: RunOptions): Promise<Float64Array> {
  // The control points' pull comes after the residual and would hide what is left.
  const plain = predictor.translations.mode === 'control-points' ? withoutPull(predictor) : predictor;
  const driver = new SurfaceDriver(plain);
  const size = 4 * predictor.centroids.length;
  const out = new Float64Array(poses.length * size);
  const inputs = controlInputs(poses, predictor.points);
  const d = 3 * predictor.points.length;
  for (let k = 0; k < poses.length; k++) {
    await checkpoint(run, 'learn', k, poses.length, 'residual');
    out.set(driver.drive(inputs.subarray(k * d, (k + 1) * d)).transforms, k * size);
  }
  return out;
}

const withoutPull = (predictor: Predictor): Predictor => ({
  ...predictor,
  translations: { mode: 'predicted', pull: new Float64Array(0) },
});
