import { PliantError } from '../error.ts';
import { squaredDifference } from '../math/dense.ts';
import { followedBones } from '../model/influences.ts';
import { vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { choiceOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { type Clip, clipFrame, frameKeys, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { readCheckedFrame, requireEqualFrames } from './frames.ts';

/**
 * The enveloping error of Wang et al. 2007 as Kavan 2009, §5 has it: the error of an approximation, relative to that
 * of the best articulated rigid prediction,
 *   EE = 100 · sqrt( Σ_k Σ_i ‖v_i^k − ṽ_i^k‖² / Σ_k Σ_i ‖v_i^k − C_{r_i}^k v_i‖² ),
 * where r_i is the master bone that predicts vertex i best over all frames. Master bones are those that some vertex
 * follows. It measures local deformation only: moving limbs rigidly is free.
 */

export const ENVELOPING_OPTIONS = {
  prediction: choiceOption(
    'best',
    ['best', 'heaviest'],
    'bone of the rigid prediction: the best over all frames, or the one with the largest weight',
  ),
} as const;
export interface EnvelopingOptions extends Partial<OptionsOf<typeof ENVELOPING_OPTIONS>>, RunOptions {
  /** How many sums may be kept at a time: N per bone. Bones beyond that take another pass over the frames. */
  maxSums?: number;
}

/** The figure, and what it is made of. */
export interface EnvelopingError {
  /** EE in %. Absent when the rigid prediction is exact: there is no deformation to relate the error to. */
  percent?: number;
  /** N: r_i. */
  boneOf: Uint32Array;
  /** Σ ‖v − ṽ‖² and Σ ‖v − C_r v‖², in square units. */
  errorSquared: number;
  rigidErrorSquared: number;
}

/** Vertex → the bone that is to predict it. */
type Candidate = (i: number) => number;

/** 128 MB. */
const MAX_SUMS = 2 ** 24;

/** Below this, relative to the positions, a rigid prediction is exact but for the rounding of single precision. */
const ROUNDING = 1e-6;

/**
 * The enveloping error of `approximation` against `original`, both deformed by the `clip` of `model` (which gives rest
 * positions, weights and bone transforms). All three have the same vertices and frames.
 */
export async function envelopingError(
  original: MeshSequence,
  approximation: MeshSequence,
  model: SkinnedModel,
  clip: Clip,
  options: EnvelopingOptions = {},
): Promise<EnvelopingError & { report: Report }> {
  const operation = 'envelopingError';
  const started = performance.now();
  const { maxSums = MAX_SUMS } = options;
  const { prediction } = resolveOptions(ENVELOPING_OPTIONS, options, operation);
  const n = vertexCount(model.mesh);
  const frames = original.frameCount;
  requireEqualFrames(operation, original, approximation);
  const keys = frameKeys(clip);
  requireSame(operation, 'frames of the clip', keys.length, frames);
  requireSame(operation, `vertices of ${original.name}`, vertexCount(original.rest), n);
  requireSame(operation, `vertices of ${approximation.name}`, vertexCount(approximation.rest), n);

  // Bones that a vertex follows come first: most others are then worse after a few frames.
  const { influences } = model.weights;
  const followed = Array.from({ length: influences }, (_, s) => influenceOf(model, s));
  const candidates: Candidate[] =
    prediction === 'best'
      ? [...followed, ...[...followedBones(model.weights)].sort((a, b) => a - b).map((j) => () => j)]
      : followed.slice(0, 1);
  const perPass = Math.max(1, Math.floor(maxSums / Math.max(1, n)));
  const first = Math.min(influences, perPass);
  const passes = 1 + Math.ceil(Math.max(0, candidates.length - first) / perPass);
  const boneOf = new Uint32Array(n);
  const lowest = new Float64Array(n).fill(Infinity);
  const originalFrame = new Float32Array(3 * n);
  const approximationFrame = new Float32Array(3 * n);
  let errorSquared = 0;
  let lengthSquared = 0;
  for (let pass = 0; pass < passes; pass++) {
    const from = pass === 0 ? 0 : first + (pass - 1) * perPass;
    const tried = candidates.slice(from, pass === 0 ? first : from + perPass);
    /** Σ_k ‖v_i^k − C_j^k v_i‖², one row of N per candidate. */
    const sums = tried.map(() => new Float64Array(n));
    for (let k = 0; k < frames; k++) {
      await checkpoint(options, operation, pass * frames + k, passes * frames, 'predicting');
      const a = await readCheckedFrame(operation, original, k, originalFrame);
      if (pass === 0) {
        const b = await readCheckedFrame(operation, approximation, k, approximationFrame);
        errorSquared += squaredDifference(a, b);
        for (const x of a) lengthSquared += x * x;
      }
      tried.forEach((bone, q) => {
        addPredictionErrors(sums[q], a, model.mesh.positions, clipFrame(clip, keys[k]), bone, lowest);
      });
    }
    tried.forEach((bone, q) => {
      for (let i = 0; i < n; i++) {
        if (!(sums[q][i] < lowest[i])) continue;
        lowest[i] = sums[q][i];
        boneOf[i] = bone(i);
      }
    });
  }
  options.onProgress?.(passes * frames, passes * frames, 'predicting');

  const rigidErrorSquared = lowest.reduce((sum, x) => sum + x, 0);
  const result: EnvelopingError = { boneOf, errorSquared, rigidErrorSquared };
  const report = emptyReport(operation);
  if (rigidErrorSquared > ROUNDING ** 2 * lengthSquared) {
    result.percent = 100 * Math.sqrt(errorSquared / rigidErrorSquared);
    report.figures.envelopingErrorPercent = result.percent;
  } else {
    report.notes.push(note('rigid-prediction-exact', {}));
  }
  report.given.push('bone transforms', 'weights');
  report.seconds.measure = (performance.now() - started) / 1000;
  return { ...result, report };
}

/** The bone in a slot of each vertex, the heaviest where it has no such: weights are sorted. */
function influenceOf({ weights: { joints, weights, influences } }: SkinnedModel, slot: number): Candidate {
  return (i) => joints[i * influences + (weights[i * influences + slot] > 0 ? slot : 0)];
}

/**
 * sums[i] += ‖v_i − C_j · rest_i‖² for every vertex, with C_j the 3 × 4 matrix of its candidate j, as long as the sum is
 * below the lowest of the candidates before.
 */
function addPredictionErrors(
  sums: Float64Array,
  positions: Float32Array,
  rest: Float32Array,
  transforms: Float32Array,
  bone: Candidate,
  lowest: Float64Array,
): void {
  for (let i = 0; i < sums.length; i++) {
    if (sums[i] > lowest[i]) continue;
    const m = MATRIX_STRIDE * bone(i);
    const x = rest[3 * i];
    const y = rest[3 * i + 1];
    const z = rest[3 * i + 2];
    for (let c = 0; c < 3; c++) {
      const o = m + 4 * c;
      const d = transforms[o] * x + transforms[o + 1] * y + transforms[o + 2] * z + transforms[o + 3];
      sums[i] += (d - positions[3 * i + c]) ** 2;
    }
  }
}

function requireSame(operation: string, what: string, got: number, expected: number): void {
  if (got !== expected) throw new PliantError('bad-input', operation, `${what} (got ${got}, expected ${expected})`);
}
