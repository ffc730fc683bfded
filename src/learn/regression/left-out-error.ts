import { releaseFree, Translator } from '../../decompose/translations/translator.ts';
import { multiply } from '../../math/dense.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { Target, TranslationSolve } from '../../model/predictor.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { BoneBlend } from '../bone-blend.ts';
import { controlInputs } from '../control-points.ts';
import type { Examples } from '../examples.ts';
import { localResiduals } from '../residual.ts';
import { decodeTargets } from './targets.ts';

/** Vertices at which ways to predict are compared. */
const SAMPLE = 400;

/** Some of n vertices, evenly spaced. */
export function sampledVertices(n: number): Uint32Array {
  const step = Math.max(1, Math.floor(n / SAMPLE));
  return Uint32Array.from({ length: Math.ceil(n / step) }, (_, s) => s * step);
}

/** What predicts examples from each other. */
export interface Trial {
  examples: Examples;
  skin: SkinWeights;
  points: Uint32Array;
  /** 3n_c: 1 where a coordinate steers. */
  axes: Uint8Array;
  centroids: Float64Array;
  target: Target;
  /** E × (B·m). */
  targets: Float64Array;
  /** E·B·12: as fitted. */
  transforms: Float64Array;
  residual: boolean;
}

/**
 * Root mean square distance when examples that are left out are predicted: their control points are known, their targets and
 * residuals are blended from those of others, by the coefficients in the rows of `blend` (E × E).
 */
export function leftOutError(trial: Trial, solve: TranslationSolve, blend: Float64Array): number {
  const { examples, skin, points, axes, centroids, target } = trial;
  const { poses, rest } = examples;
  const e = poses.length;
  const bones = centroids.length / 3;
  const watched = Uint32Array.from([...points, ...sampledVertices(vertexCount(rest))]);
  const inputs = controlInputs(poses, points);
  const predicted = multiply(
    new Float64Array(trial.targets.length),
    blend,
    trial.targets,
    e,
    e,
    trial.targets.length / e,
  );
  const translator = new Translator(solve, bones);
  const goals = new Float64Array(3 * points.length);
  const solvePoisson = (k: number, transforms: Float64Array): void => {
    goals.set(inputs.subarray(k * goals.length, (k + 1) * goals.length));
    releaseFree(goals, axes, transforms, { positions: rest.positions, skin, points });
    translator.solvePoisson(transforms, goals);
  };

  // Residuals are what is left after this mode's own translations of the true rotations.
  const base = trial.transforms.slice();
  for (let k = 0; k < e; k++) {
    solvePoisson(k, base.subarray(MATRIX_STRIDE * bones * k, MATRIX_STRIDE * bones * (k + 1)));
  }
  const width = 3 * watched.length;
  const residuals = trial.residual ? localResiduals(examples, skin, base, watched) : new Float64Array(e * width);
  const left = multiply(new Float64Array(e * width), blend, residuals, e, e, width);

  const matrices = new Float64Array(MATRIX_STRIDE * bones);
  const body = new BoneBlend(skin, bones);
  const m = body.motion;
  const v = rest.positions;
  const moved = new Float64Array(width);
  const misses = new Float64Array(3 * points.length);
  const poseWatched = (k: number, from: number, to: number): void => {
    body.set(matrices);
    for (let at = from; at < to; at++) {
      const i = 3 * watched[at];
      const o = k * width + 3 * at;
      body.at(watched[at]);
      for (let r = 0; r < 3; r++) {
        const rows = m[4 * r] * (v[i] + left[o]) + m[4 * r + 1] * (v[i + 1] + left[o + 1]);
        moved[3 * at + r] = rows + m[4 * r + 2] * (v[i + 2] + left[o + 2]) + m[4 * r + 3];
      }
    }
  };
  let sum = 0;
  for (let k = 0; k < e; k++) {
    decodeTargets(
      matrices,
      target,
      predicted.subarray((k * predicted.length) / e, ((k + 1) * predicted.length) / e),
      centroids,
    );
    solvePoisson(k, matrices);
    if (solve.mode === 'control-points') {
      poseWatched(k, 0, points.length);
      for (let c = 0; c < misses.length; c++) misses[c] = axes[c] ? goals[c] - moved[c] : 0;
      translator.pullHome(matrices, misses);
    }
    poseWatched(k, points.length, watched.length);
    for (let at = points.length; at < watched.length; at++) {
      for (let c = 0; c < 3; c++) sum += (moved[3 * at + c] - poses[k][3 * watched[at] + c]) ** 2;
    }
  }
  return Math.sqrt(sum / (e * (watched.length - points.length)));
}
