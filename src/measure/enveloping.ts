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

/** What may predict vertices. */
interface Candidate {
  /** Vertex → bone. */
  bone: (i: number) => number;
  /** N: Σ_k ‖v_i^k − C_j^k v_i‖² over the frames so far. */
  sums: Float64Array;
  /** The vertices whose sum is not above the lowest of the candidates before; the others are not added to any more. */
  running: Uint32Array;
}

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
  return (await envelopingErrors(original, [approximation], model, clip, options))[0];
}

/** The same for several approximations, with one search for the rigid prediction. */
export async function envelopingErrors(
  original: MeshSequence,
  approximations: readonly MeshSequence[],
  model: SkinnedModel,
  clip: Clip,
  options: EnvelopingOptions = {},
): Promise<(EnvelopingError & { report: Report })[]> {
  const operation = 'envelopingError';
  const started = performance.now();
  const { maxSums = MAX_SUMS } = options;
  const { prediction } = resolveOptions(ENVELOPING_OPTIONS, options, operation);
  const n = vertexCount(model.mesh);
  const frames = original.frameCount;
  for (const approximation of approximations) requireEqualFrames(operation, original, approximation);
  const keys = frameKeys(clip);
  requireSame(operation, 'frames of the clip', keys.length, frames);
  requireSame(operation, `vertices of ${original.name}`, vertexCount(original.rest), n);
  for (const { name, rest } of approximations) requireSame(operation, `vertices of ${name}`, vertexCount(rest), n);

  // Bones that a vertex follows come first: most others are then worse after a few frames.
  const { influences } = model.weights;
  const followed = Array.from({ length: influences }, (_, s) => influenceOf(model, s));
  const candidates: Candidate['bone'][] =
    prediction === 'best'
      ? [...followed, ...[...followedBones(model.weights)].sort((a, b) => a - b).map((j) => () => j)]
      : followed.slice(0, 1);
  const perPass = Math.max(1, Math.floor(maxSums / Math.max(1, n)));
  const first = Math.min(influences, perPass);
  const passes = 1 + Math.ceil(Math.max(0, candidates.length - first) / perPass);
  const boneOf = new Uint32Array(n);
  const everyVertex = boneOf.map((_, i) => i);
  const lowest = new Float64Array(n).fill(Infinity);
  const originalFrame = new Float32Array(3 * n);
  const approximationFrame = new Float32Array(3 * n);
  const errorsSquared = new Float64Array(approximations.length);
  let lengthSquared = 0;
  for (let pass = 0; pass < passes; pass++) {
    const from = pass === 0 ? 0 : first + (pass - 1) * perPass;
    const tried = candidates.slice(from, pass === 0 ? first : from + perPass).map((bone): Candidate => {
      return { bone, sums: new Float64Array(n), running: everyVertex.slice() };
    });
    for (let k = 0; k < frames; k++) {
      await checkpoint(options, operation, pass * frames + k, passes * frames, 'predicting');
      const a = await readCheckedFrame(operation, original, k, originalFrame);
      if (pass === 0) {
        for (const [q, approximation] of approximations.entries()) {
          const b = await readCheckedFrame(operation, approximation, k, approximationFrame);
          errorsSquared[q] += squaredDifference(a, b);
        }
        for (const x of a) lengthSquared += x * x;
      }
      for (const candidate of tried) {
        addPredictionErrors(candidate, a, model.mesh.positions, clipFrame(clip, keys[k]), lowest);
      }
    }
    for (const { bone, sums, running } of tried) {
      for (const i of running) {
        if (!(sums[i] < lowest[i])) continue;
        lowest[i] = sums[i];
        boneOf[i] = bone(i);
      }
    }
  }
  options.onProgress?.(passes * frames, passes * frames, 'predicting');

  const rigidErrorSquared = lowest.reduce((sum, x) => sum + x, 0);
  return Array.from(errorsSquared, (errorSquared) => {
    const report = emptyReport(operation);
    const result = { boneOf, errorSquared, rigidErrorSquared, report };
    report.given.push('bone transforms', 'weights');
    report.seconds.measure = (performance.now() - started) / 1000;
    if (!(rigidErrorSquared > ROUNDING ** 2 * lengthSquared)) {
      report.notes.push(note('rigid-prediction-exact', {}));
      return result;
    }
    const percent = 100 * Math.sqrt(errorSquared / rigidErrorSquared);
    report.figures.envelopingErrorPercent = percent;
    return { ...result, percent };
  });
}

/** The bone in a slot of each vertex, the heaviest where it has no such: weights are sorted. */
function influenceOf({ weights: { joints, weights, influences } }: SkinnedModel, slot: number): Candidate['bone'] {
  return (i) => joints[i * influences + (weights[i * influences + slot] > 0 ? slot : 0)];
}

/**
 * sums[i] += ‖v_i − C_j · rest_i‖² for every vertex that is running, with C_j the 3 × 4 matrix of its candidate j.
 */
function addPredictionErrors(
  candidate: Candidate,
  positions: Float32Array,
  rest: Float32Array,
  transforms: Float32Array,
  lowest: Float64Array,
): void {
  const { bone, sums, running } = candidate;
  let left = 0;
  for (let at = 0; at < running.length; at++) {
    const i = running[at];
    const m = MATRIX_STRIDE * bone(i);
    const x = rest[3 * i];
    const y = rest[3 * i + 1];
    const z = rest[3 * i + 2];
    let sum = sums[i];
    for (let c = 0; c < 3; c++) {
      const o = m + 4 * c;
      const d = transforms[o] * x + transforms[o + 1] * y + transforms[o + 2] * z + transforms[o + 3];
      sum += (d - positions[3 * i + c]) ** 2;
    }
    sums[i] = sum;
    if (sum <= lowest[i]) running[left++] = i;
  }
  candidate.running = running.subarray(0, left);
}

function requireSame(operation: string, what: string, got: number, expected: number): void {
  if (got !== expected) throw new PliantError('bad-input', operation, `${what} (got ${got}, expected ${expected})`);
}
