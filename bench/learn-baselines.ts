import { type KernelName, MATRIX_STRIDE, type SkinWeights, vertexCount } from '../src/index.ts';
import { BoneBlend } from '../src/learn/bone-blend.ts';
import { controlInputs, meanPose, principalComponents } from '../src/learn/control-points.ts';
import type { Examples } from '../src/learn/examples.ts';
import { decodeTargets, encodeTargets } from '../src/learn/regression/targets.ts';
import { choleskyFactor, choleskySolve } from '../src/math/cholesky.ts';
import { multiply } from '../src/math/dense.ts';
import { symmetricEigen } from '../src/math/symmetric-eigen.ts';
import { KernelVector, trainKernel } from '../src/regress/kernel.ts';
import { ridgeInverse } from '../src/regress/ridge.ts';

/**
 * What Feng 2010 compares itself with (§2.4.3, §2.7), and plain kernel ridge regression, which it does not. Each turns
 * control points (3n_c) into 3N positions.
 */
export type Baseline = (points: Float64Array) => Float32Array;

/** Blend shapes: the mean pose and `modes` principal components, whose weights least squares find at the control points. */
export function pcaBlendShapes(examples: Examples, points: Uint32Array, modes: number): Baseline {
  const { count, loadings } = principalComponents(examples, modes);
  const mean = meanPose(examples.poses);
  const rows = 3 * points.length;
  const index = Array.from({ length: rows }, (_, c) => 3 * points[Math.floor(c / 3)] + (c % 3));
  const normal = new Float64Array(count * count);
  let trace = 0;
  for (const r of index) {
    for (let a = 0; a < count; a++) {
      for (let b = 0; b < count; b++) normal[a * count + b] += loadings[r * count + a] * loadings[r * count + b];
    }
  }
  for (let a = 0; a < count; a++) trace += normal[a * count + a];
  for (let a = 0; a < count; a++) normal[a * count + a] += 1e-9 * trace;
  choleskyFactor(normal, count);
  return (goal) => {
    const w = new Float64Array(count);
    index.forEach((r, c) => {
      for (let a = 0; a < count; a++) w[a] += loadings[r * count + a] * (goal[c] - mean[r]);
    });
    choleskySolve(normal, count, w, 1);
    return Float32Array.from(mean, (x, r) => {
      for (let a = 0; a < count; a++) x += w[a] * loadings[r * count + a];
      return x;
    });
  };
}

/** Kernel ridge regression straight to the vertices. */
export function kernelRidgeToVertices(
  examples: Examples,
  points: Uint32Array,
  name: KernelName,
  kappa: number,
): Baseline {
  const { poses } = examples;
  const inputs = controlInputs(poses, points);
  const { kernel, matrix } = trainKernel(name, inputs, 3 * points.length);
  const inverse = ridgeInverse(matrix, poses.length, kappa);
  const mean = meanPose(poses);
  const vector = new KernelVector(kernel);
  return (goal) => {
    vector.set(goal);
    const alpha = multiply(new Float64Array(poses.length), vector.xi, inverse, 1, poses.length, poses.length);
    const out = Float64Array.from(mean);
    poses.forEach((pose, k) => {
      for (let c = 0; c < out.length; c++) out[c] += alpha[k] * (pose[c] - mean[c]);
    });
    return Float32Array.from(out);
  };
}

/** The bones that the skinned baselines move. */
export interface BaselineBones {
  weights: SkinWeights;
  /** E·B·12. */
  transforms: Float64Array;
  /** 3B. */
  centroids: Float64Array;
}

/**
 * Radial basis functions from the control points to the bones' dual quaternions; with `modes`, from the control points'
 * principal coordinates instead.
 */
export function rbfToBones(examples: Examples, points: Uint32Array, bones: BaselineBones, modes = 0): Baseline {
  const { poses, rest } = examples;
  const e = poses.length;
  const d = 3 * points.length;
  const inputs = controlInputs(poses, points);
  const mean = new Float64Array(d);
  for (let k = 0; k < e; k++) for (let c = 0; c < d; c++) mean[c] += inputs[k * d + c] / e;
  const axes = modes > 0 ? principalAxes(inputs, mean, d, modes) : undefined;
  const reduced = (goal: Float64Array): Float64Array => {
    const centred = goal.map((x, c) => x - mean[c]);
    return axes ? multiply(new Float64Array(axes.length / d), axes, centred, axes.length / d, d, 1) : centred;
  };
  const centres = Array.from({ length: e }, (_, k) => reduced(inputs.subarray(k * d, (k + 1) * d)));
  const variance = centres.reduce((sum, x) => sum + x.reduce((s, y) => s + y * y, 0), 0) / e;
  const phi = (a: Float64Array, b: Float64Array): number =>
    Math.exp(-a.reduce((sum, x, c) => sum + (x - b[c]) ** 2, 0) / (2 * variance));

  const targets = encodeTargets('dual-quaternion', bones.transforms, bones.centroids, bones.centroids.length / 3);
  const width = targets.length / e;
  const offset = new Float64Array(width);
  for (let k = 0; k < e; k++) for (let c = 0; c < width; c++) offset[c] += targets[k * width + c] / e;
  const matrix = new Float64Array(e * e);
  for (let a = 0; a < e; a++) for (let b = 0; b < e; b++) matrix[a * e + b] = phi(centres[a], centres[b]);
  for (let a = 0; a < e; a++) matrix[a * e + a] += 1e-8;
  choleskyFactor(matrix, e);
  const coefficients = targets.map((x, at) => x - offset[at % width]);
  choleskySolve(matrix, e, coefficients, width);

  const body = new BoneBlend(bones.weights, bones.centroids.length / 3);
  const matrices = new Float64Array(MATRIX_STRIDE * (bones.centroids.length / 3));
  return (goal) => {
    const x = reduced(goal);
    const values = offset.slice();
    centres.forEach((centre, k) => {
      const w = phi(x, centre);
      for (let c = 0; c < width; c++) values[c] += w * coefficients[k * width + c];
    });
    decodeTargets(matrices, 'dual-quaternion', values, bones.centroids);
    body.set(matrices);
    const out = new Float32Array(3 * vertexCount(rest));
    const m = body.motion;
    const v = rest.positions;
    for (let i = 0; i < out.length; i += 3) {
      body.at(i / 3);
      for (let r = 0; r < 3; r++) {
        out[i + r] = m[4 * r] * v[i] + m[4 * r + 1] * v[i + 1] + m[4 * r + 2] * v[i + 2] + m[4 * r + 3];
      }
    }
    return out;
  };
}

/** modes × d: the principal axes of inputs (E × d). */
function principalAxes(inputs: Float64Array, mean: Float64Array, d: number, modes: number): Float64Array {
  const covariance = new Float64Array(d * d);
  for (let k = 0; k < inputs.length / d; k++) {
    for (let a = 0; a < d; a++) {
      for (let b = 0; b < d; b++) {
        covariance[a * d + b] += (inputs[k * d + a] - mean[a]) * (inputs[k * d + b] - mean[b]);
      }
    }
  }
  return symmetricEigen(covariance, d).vectors.slice(0, Math.min(modes, d) * d);
}
