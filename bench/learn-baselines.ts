import { type KernelName, MATRIX_STRIDE, type SkinWeights, vertexCount } from '../src/index.ts';
import { BoneBlend } from '../src/learn/bone-blend.ts';
import { controlInputs, meanPose, principalComponents } from '../src/learn/control-points.ts';
import type { Examples } from '../src/learn/examples.ts';
import { bestKappa } from '../src/learn/regression/left-out-blends.ts';
import { sampledVertices } from '../src/learn/regression/left-out-error.ts';
import { decodeTargets, encodeTargets } from '../src/learn/regression/targets.ts';
import { choleskyFactor, choleskySolve } from '../src/math/cholesky.ts';
import { multiply } from '../src/math/dense.ts';
import { KernelVector, trainKernel } from '../src/regress/kernel.ts';
import { ridgeInverse } from '../src/regress/ridge.ts';

/**
 * What Feng 2010 compares itself with (§2.4.3, §2.7), and ridge regression, which it does not. Each turns control points (3n_c)
 * into 3N positions. Widths and ridges are chosen by leaving one example out, as those of `learn` are.
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

/**
 * PCA + ridge: principal components by ridge regression from the control points. With all components that is linear ridge
 * regression to the vertices: κ is chosen by leaving one out.
 */
export function pcaRidge(examples: Examples, points: Uint32Array): Baseline {
  const inputs = controlInputs(examples.poses, points);
  const { matrix } = trainKernel('linear', inputs, 3 * points.length);
  return kernelRidgeToVertices(examples, points, 'linear', bestKappa(examples, matrix, 1, 0));
}

/** Kernel ridge regression straight to the vertices, with a kernel of the library. */
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
  const vector = new KernelVector(kernel);
  const blend = poseBlend(poses);
  return (goal) => {
    vector.set(goal);
    return blend(multiply(new Float64Array(poses.length), vector.xi, inverse, 1, poses.length, poses.length));
  };
}

/** The mean pose and shares of the poses' differences from it. */
function poseBlend(poses: readonly Float32Array[]): (shares: Float64Array) => Float32Array {
  const mean = meanPose(poses);
  return (shares) => {
    const out = Float64Array.from(mean);
    poses.forEach((pose, k) => {
      for (let c = 0; c < out.length; c++) out[c] += shares[k] * (pose[c] - mean[c]);
    });
    return Float32Array.from(out);
  };
}

const WIDTHS = [0.5, 1, 2, 4, 8];
const RIDGES = [1e-8, 1e-6, 1e-4, 1e-2, 1e-1];

/**
 * Gaussian radial basis functions around the examples' inputs: the shares that the examples' targets (E × t), less their mean,
 * have at a new input. Width, in units of the examples' spread, and ridge are those with which leaving one out costs least.
 */
function tunedRadial(centres: readonly Float64Array[], targets: Float64Array): (x: Float64Array) => Float64Array {
  const e = centres.length;
  const width = targets.length / e;
  const mean = new Float64Array(width);
  for (let k = 0; k < e; k++) for (let c = 0; c < width; c++) mean[c] += targets[k * width + c] / e;
  const centred = targets.map((x, at) => x - mean[at % width]);
  const variance = centres.reduce((sum, x) => sum + x.reduce((s, y) => s + y * y, 0), 0) / e;
  const phi = (a: Float64Array, b: Float64Array, size: number): number =>
    Math.exp(-a.reduce((sum, x, c) => sum + (x - b[c]) ** 2, 0) / (2 * variance * size * size));
  let best = { error: Infinity, size: 1, inverse: new Float64Array(0) };
  for (const size of WIDTHS) {
    for (const ridge of RIDGES) {
      const matrix = new Float64Array(e * e);
      for (let a = 0; a < e; a++) for (let b = 0; b < e; b++) matrix[a * e + b] = phi(centres[a], centres[b], size);
      for (let a = 0; a < e; a++) matrix[a * e + a] += ridge;
      if (!choleskyFactor(matrix, e)) continue;
      const inverse = new Float64Array(e * e);
      for (let a = 0; a < e; a++) inverse[a * e + a] = 1;
      choleskySolve(matrix, e, inverse, e);
      // The error of example i, predicted from the others, is (A⁻¹·Y)_i / (A⁻¹)_ii.
      const solved = multiply(new Float64Array(e * width), inverse, centred, e, e, width);
      const error = solved.reduce((sum, x, at) => {
        const k = Math.floor(at / width);
        return sum + (x / inverse[k * e + k]) ** 2;
      }, 0);
      if (error < best.error) best = { error, size, inverse };
    }
  }
  return (x) => {
    const weights = Float64Array.from(centres, (centre) => phi(x, centre, best.size));
    return multiply(new Float64Array(e), weights, best.inverse, 1, e, e);
  };
}

/** Kernel ridge regression to the vertices, Gaussian, of the width and ridge that leaving one out favours. */
export function gaussianRidge({ poses }: Examples, points: Uint32Array): Baseline {
  const inputs = controlInputs(poses, points);
  const d = 3 * points.length;
  const mean = new Float64Array(d);
  for (let at = 0; at < inputs.length; at++) mean[at % d] += inputs[at] / poses.length;
  const reduced = (goal: Float64Array): Float64Array => goal.map((x, c) => x - mean[c]);
  const centres = poses.map((_, k) => reduced(inputs.subarray(k * d, (k + 1) * d)));
  const sampled = sampledVertices(poses[0].length / 3);
  const targets = new Float64Array(poses.length * 3 * sampled.length);
  poses.forEach((pose, k) => {
    for (let at = 0; at < sampled.length; at++) {
      targets.set(pose.subarray(3 * sampled[at], 3 * sampled[at] + 3), 3 * (k * sampled.length + at));
    }
  });
  const shares = tunedRadial(centres, targets);
  const blend = poseBlend(poses);
  return (goal) => blend(shares(reduced(goal)));
}

/** The bones that the skinned baselines move. */
export interface BaselineBones {
  weights: SkinWeights;
  /** E·B·12. */
  transforms: Float64Array;
  /** 3B. */
  centroids: Float64Array;
}

/** Radial basis functions from the control points to the bones' dual quaternions, tuned by leaving one out. */
export function rbfToBones({ poses, rest }: Examples, points: Uint32Array, bones: BaselineBones): Baseline {
  const e = poses.length;
  const d = 3 * points.length;
  const inputs = controlInputs(poses, points);
  const mean = new Float64Array(d);
  for (let k = 0; k < e; k++) for (let c = 0; c < d; c++) mean[c] += inputs[k * d + c] / e;
  const reduced = (goal: Float64Array): Float64Array => goal.map((x, c) => x - mean[c]);
  const centres = poses.map((_, k) => reduced(inputs.subarray(k * d, (k + 1) * d)));

  const targets = encodeTargets('dual-quaternion', bones.transforms, bones.centroids, bones.centroids.length / 3);
  const width = targets.length / e;
  const offset = new Float64Array(width);
  for (let k = 0; k < e; k++) for (let c = 0; c < width; c++) offset[c] += targets[k * width + c] / e;
  const shares = tunedRadial(centres, targets);

  const body = new BoneBlend(bones.weights, bones.centroids.length / 3);
  const matrices = new Float64Array(MATRIX_STRIDE * (bones.centroids.length / 3));
  return (goal) => {
    const values = offset.slice();
    shares(reduced(goal)).forEach((share, k) => {
      for (let c = 0; c < width; c++) values[c] += share * (targets[k * width + c] - offset[c]);
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
