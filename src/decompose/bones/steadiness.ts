import type { FitProblem } from '../problem.ts';
import { expandToFrames, projectToBasis } from './bone-frames.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';
import { pulledTowards } from './transforms-affine.ts';

/**
 * What bones do between keys. The best bones for single frames may turn by more than 90° from one to the next where data
 * hardly determine them (small, flat or shared supports), and half-way a turn is not the mean of its ends: by an angle θ
 * it is off by 1 − cos θ/2 ≈ θ²/8 of the distance from the axis. With ΔA the change of a bone's linear part and
 *
 *   s = tr(ΔA·K·ΔAᵀ) / (tr(K)/3),   K = H_bb[0:3, 0:3] − hhᵀ/η the covariance of its vertices (plus a little of 1),
 *
 * which is 2θ² for such a turn, the squared half-way error of the bone's vertices is tr(K)/3 · s²/128. The transform step
 * adds λ times that to the squared error at keys: tr(ΔA·K·ΔAᵀ) with the weight λ·s/64, s taken from the bones
 * before the step.
 *
 * λ = 1 counts what is seen half-way like what is seen at keys. `settle` finds how much of it is nearly free.
 */

/** Share of the mean variance added to K: what vertices do not see, the way between two rotations does. */
const ISOTROPIC = 0.1;
/** s of a half turn about one axis: beyond, turning less is all that matters. */
const LARGEST_STEP = 4;
/** Squared half-way error for s = 1, in units of tr(K)/3. */
const HALF_WAY = 1 / 128;

/** What holds one bone to where it is in the frames before and after. */
export interface StepPull {
  /** 9, row-major: what its steps are measured in, K and a little of 1. */
  metric: Float64Array;
  /** P + 1: weights[k] belongs to the step that leads to frame k, 0 where a clip begins or ends. */
  weights: Float64Array;
}

/** The pull on bone b, whose vertices have the covariance K; `bones` is 4B × 3P. */
export function stepPull(
  problem: FitProblem,
  bones: Float64Array,
  b: number,
  k: Float64Array,
  strength: number,
): StepPull {
  const { frameCount, clipStarts = [] } = problem;
  const metric = stepMetric(k);
  const weights = new Float64Array(frameCount + 1);
  for (let frame = 1; frame < frameCount; frame++) {
    const s = stepSize(bones, 3 * frameCount, b, frame - 1, metric);
    weights[frame] = 2 * HALF_WAY * strength * Math.min(LARGEST_STEP, s);
  }
  for (const frame of clipStarts) weights[frame] = 0;
  return { metric, weights };
}

function stepMetric(k: Float64Array): Float64Array {
  const mean = (k[0] + k[4] + k[8]) / 3;
  return k.map((x, c) => x + (c % 4 === 0 ? ISOTROPIC * mean : 0));
}

/** s of the step of bone b from frame k to the next; `bones` is 4B × 3P. */
function stepSize(bones: Float64Array, columns: number, b: number, k: number, metric: Float64Array): number {
  const mean = (metric[0] + metric[4] + metric[8]) / 3;
  if (!(mean > 0)) return 0;
  let sum = 0;
  for (let d = 0; d < 3; d++) {
    const at = 4 * b * columns + 3 * k + d;
    const x = bones[at + 3] - bones[at];
    const y = bones[at + columns + 3] - bones[at + columns];
    const z = bones[at + 2 * columns + 3] - bones[at + 2 * columns];
    sum += x * x * metric[0] + y * y * metric[4] + z * z * metric[8];
    sum += 2 * (x * y * metric[1] + x * z * metric[2] + y * z * metric[5]);
  }
  return sum / mean;
}

/** The squared error half-way that bones (4B × 3P) would have if each moved alone, in squared diagonals. */
export function halfWayError(problem: FitProblem, equations: NormalEquations, bones: Float64Array): number {
  let sum = 0;
  for (let b = 0; b < equations.boneCount; b++) {
    const { eta, k } = blockOf(equations, b);
    if (!(eta > 0)) continue;
    const metric = stepMetric(k);
    const mean = (k[0] + k[4] + k[8]) / 3;
    for (let frame = 1; frame < problem.frameCount; frame++) {
      if (problem.clipStarts?.includes(frame)) continue;
      const s = Math.min(LARGEST_STEP, stepSize(bones, 3 * problem.frameCount, b, frame - 1, metric));
      sum += mean * HALF_WAY * s * s;
    }
  }
  return sum;
}

/**
 * The same for affine bones, whose frames are solved together: the weights differ from step to step and one factorisation
 * has to do, so that each bone is held to where it was by the largest of its weights and pushed along the gradient (a
 * majoriser: the sum of both errors falls with every step).
 *
 * @param bones 4B × r: the bones before the step.
 * @returns equations for `solveAffine`; the input is unchanged.
 */
export function pullTowardsNeighbours(
  problem: FitProblem,
  equations: NormalEquations,
  bones: Float64Array,
  strength: number,
): NormalEquations {
  const { boneCount } = equations;
  const columns = 3 * problem.frameCount;
  const full = expandToFrames(problem, bones);
  const target = new Float64Array(full.length);
  const metrics: Float64Array[] = [];
  for (let b = 0; b < boneCount; b++) {
    const { metric, weights } = stepPull(problem, full, b, blockOf(equations, b).k, strength);
    const most = weights.reduce((largest, w, k) => Math.max(largest, 2 * (w + (weights[k + 1] ?? 0))), 0);
    metrics.push(metric.map((x) => most * x));
    if (most === 0) continue;
    for (let at = 4 * b * columns; at < (4 * b + 3) * columns; at++) {
      const k = Math.floor((at % columns) / 3);
      const before = weights[k] > 0 ? weights[k] * (full[at - 3] - full[at]) : 0;
      const after = weights[k + 1] > 0 ? weights[k + 1] * (full[at + 3] - full[at]) : 0;
      target[at] = full[at] + (before + after) / most;
    }
  }
  return pulledTowards(equations, projectToBasis(problem, target), (b) => metrics[b]);
}
