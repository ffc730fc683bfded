import { boneCentroids } from '../../decompose/bones/bone-centroids.ts';
import { boneLength, bonesOfMatrices, frameMatrices } from '../../decompose/bones/bone-frames.ts';
import { heldRotation } from '../../decompose/bones/linear-parts.ts';
import { assembleNormalEquations } from '../../decompose/bones/normal-equations.ts';
import { solvePerFrame } from '../../decompose/bones/transforms-per-frame.ts';
import { type FitProblem, heaviestJoint, type Support, supportOf } from '../../decompose/problem.ts';
import { reduceSequence } from '../../decompose/reduce.ts';
import { supportOfWeights } from '../../decompose/skin-weights.ts';
import type { BonesSoFar } from '../../decompose/so-far.ts';
import { nearBones, vertexWeights } from '../../decompose/weights/patch-weights.ts';
import { PliantError } from '../../error.ts';
import { IDENTITY34 } from '../../math/matrix34.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { memorySequence } from '../../model/sequence.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import { type LearnGiven, requireRigid } from '../given.ts';
import { sampledVertices } from '../regression/left-out-error.ts';
import { localResiduals } from '../residual.ts';
import { clusterBones } from './cluster-bones.ts';

/**
 * Bones and weights that suit each other: faces are clustered, weights solved, and then, in rounds, the transform step of
 * the decomposition moves the bones and weights are solved anew. Two rounds take a third off the error of the clusters' own
 * transforms; a third round gains 2 %.
 *
 * `decompose` does the rest of a fit, but not here, where poses between and beyond the examples count (bench/learn.ts, error
 * of the best predictor against that of these bones):
 *
 *   placed and refined by it, all bones open to a vertex   tube × 2.1, faces × 1.07; cloth without residual × 1.33
 *   the same, only bones nearby                            tube × 2.1, faces × 1.33
 *   its clusters, these weights                            tube × 2.1, faces × 1.55; cloth without residual × 0.90
 *   these clusters, its weights of bones nearby            tube × 1.2; cloth without residual × 1.24
 *
 * Its bones fit the examples better throughout (faces by a quarter), and it is the few examples that they fit too well: the
 * weights here are of bones that explain a vertex alone, which dual quaternions can blend, and clusters of faces follow
 * edges, too. On the tube these clusters turn by about half of the bend, and what is left over predicts it better.
 */
const ROUNDS = 2;

/** Share of its inertia that holds the rotation of a bone. */
const HOLD = 1e-3;

/** Root mean square that the examples may lose, in diagonals: about what single precision holds. */
const PRECISION = 1e-7;

/** The bones of a predictor, before it has learned anything else. */
export interface LearnSoFar extends BonesSoFar {
  /** E: where each example came from, as a frame of the sequences one after the other. */
  frames: number[];
}

/** A run that somebody watches. */
export interface LearnRun extends RunOptions {
  /** Called for bones that are better than those before; to look at them takes time. */
  onSoFar?: (look: () => LearnSoFar) => void;
}

export async function fitBones(
  examples: Examples,
  wanted: number,
  run: LearnRun = {},
): Promise<{ transforms: Float64Array; weights: SkinWeights }> {
  const bones = await clusterBones(examples, wanted, run);
  const problem = await exampleProblem(examples, run);
  const near = nearBones(examples, bones);
  let weights = await vertexWeights(problem, bones, near, run);
  const tell = () => run.onSoFar?.(() => soFarOf(examples, bones.transforms, weights));
  tell();
  for (let round = 0; round < ROUNDS; round++) {
    const support = supportOfWeights(weights, problem.vertexCount);
    const moved = transformStep(problem, support, bonesOfMatrices(problem, bones.transforms));
    bones.transforms = frameMatrices(problem, moved);
    weights = await vertexWeights(problem, bones, near, run);
    tell();
  }
  return { transforms: bones.transforms, weights };
}

function soFarOf(examples: Examples, transforms: Float64Array, weights: SkinWeights): LearnSoFar {
  const { rest, poses, frames } = examples;
  const left = localResiduals(examples, weights, transforms, sampledVertices(vertexCount(rest)));
  const rmse = Math.sqrt((3 * left.reduce((sum, x) => sum + x * x, 0)) / left.length);
  return {
    bones: transforms.length / (MATRIX_STRIDE * poses.length),
    weights,
    transforms: Float32Array.from(transforms),
    rmsePercent: (100 * rmse) / diagonalOf(rest.positions),
    frames: [...frames],
  };
}

/** Bones that were given, or that the examples ask for. */
export async function bonesOf(
  examples: Examples,
  wanted: number,
  given: LearnGiven['bones'],
  run: LearnRun,
): Promise<{ count: number; transforms: Float64Array; skin: SkinWeights; centroids: Float64Array }> {
  const { rest, poses } = examples;
  if (given) validateWeights(given.weights, vertexCount(rest), 65536, 'learn');
  const { transforms, weights: skin } = given
    ? { weights: given.weights, transforms: given.transforms ?? (await bonesFor(examples, given.weights, run)) }
    : await fitBones(examples, wanted, run);
  const count = transforms.length / (MATRIX_STRIDE * poses.length);
  if (!Number.isInteger(count)) {
    const cause = `given transforms (got ${transforms.length} numbers for ${poses.length} examples)`;
    throw new PliantError('bad-input', 'learn', cause);
  }
  if (given) {
    validateWeights(skin, vertexCount(rest), count, 'learn');
    requireRigid(transforms);
  }
  return { count, transforms, skin, centroids: boneCentroids(rest.positions, skin, count) };
}

/** E·B·12: rigid bones for weights that are given, from where each takes the vertices that follow it most. */
export async function bonesFor(examples: Examples, skin: SkinWeights, run: RunOptions = {}): Promise<Float64Array> {
  const problem = await exampleProblem(examples, run);
  const support = supportOfWeights(skin, problem.vertexCount);
  const count = skin.joints.reduce((most, b) => Math.max(most, b), 0) + 1;
  const heaviest = Int32Array.from(support.count, (_, i) => heaviestJoint(support, i));
  const atRest = Array.from({ length: count * problem.frameCount }, () => [...IDENTITY34]).flat();
  let bones = transformStep(problem, supportOf(heaviest), bonesOfMatrices(problem, atRest));
  for (let round = 0; round <= ROUNDS; round++) bones = transformStep(problem, support, bones);
  return frameMatrices(problem, bones);
}

/** The examples as frames of a fit. */
export function exampleProblem({ name, rest, poses }: Examples, run: RunOptions = {}): Promise<FitProblem> {
  return reduceSequence(memorySequence(name, rest, poses), PRECISION, run);
}

/** Each bone in turn where the others leave it most to explain, in every example. @param bones 4B × 3E. */
function transformStep(problem: FitProblem, support: Support, bones: Float64Array): Float64Array {
  const equations = assembleNormalEquations(problem, support, bones.length / boneLength(problem));
  return solvePerFrame(problem, equations, bones, heldRotation(HOLD), 0, 1);
}
