import { PliantError } from '../error.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { boneLength, bonesOfMatrices, projectToBasis } from './bones/bone-frames.ts';
import { type BoneKind, RIGID } from './bones/bone-kinds.ts';
import type { NormalEquations } from './bones/normal-equations.ts';
import { solveAffine } from './bones/transforms-affine.ts';
import { withKind } from './decompose.ts';
import type { DecomposeRun, DecomposeSettings, Decomposition } from './decomposition.ts';
import { boneProducts } from './engine/bone-products.ts';
import { withEngine } from './engine/kernel-engine.ts';
import { emptySupport, type FitProblem, isExact, type VertexNeighbours } from './problem.ts';
import { PULL } from './refine.ts';
import { supportOfWeights } from './skin-weights.ts';
import { momentumRounds, type Tried } from './transform-rounds.ts';
import { supportError } from './weights/quantize-weights.ts';

/**
 * Half a fit, where the other half is known: transforms for the weights of a rig, or weights for its transforms.
 */

/** Most rounds of the transform step: affine bones need one, the others turn towards each other. */
const MAX_ROUNDS = 400;
/** Rounds from each start, before one is chosen. */
const TRIAL_ROUNDS = 20;
/** Passes over the weights, the later ones with the supports of neighbours. */
const PASSES = 6;

/** The best bones for given weights. */
export async function transformsForWeights(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  weights: SkinWeights,
  settings: DecomposeSettings,
  run: DecomposeRun = {},
): Promise<Decomposition> {
  const support = supportOfWeights(weights, problem.vertexCount);
  const boneCount = weights.joints.reduce((most, j) => Math.max(most, j + 1), 1);
  const limits = { maxBones: boneCount, maxInfluences: weights.influences, pool: run.pool };
  const equations = await withEngine(problem, neighbours, limits, (engine) =>
    engine.normalEquations(support, boneCount),
  );
  const { frames, axes } = bonesOfKind(problem, equations, settings);
  const products = boneProducts(projectToBasis(problem, frames), problem.rank, frames);
  return finished(problem, { frames, axes, support, boneCount, error: supportError(problem, products, support) });
}

/** The best bones of the kind asked for, 4B × 3P; TRS bones start where affine bones or rigid ones ended. */
function bonesOfKind(
  problem: FitProblem,
  equations: NormalEquations,
  settings: DecomposeSettings,
): Pick<Decomposition, 'frames' | 'axes'> {
  const free = solveAffine(equations, projectToBasis(problem, restBones(problem, equations.boneCount)), PULL);
  return withKind(settings, (kind) => {
    const starts = [kind.fromAffine(problem, free)];
    if (kind.axes && kind.fromPoorer) {
      const rigid = bestFrom(problem, equations, RIGID, [RIGID.fromAffine(problem, free)]);
      starts.push(kind.fromPoorer(problem, rigid));
    }
    const bones = bestFrom(problem, equations, kind, starts);
    return { frames: kind.frames(problem, bones), axes: kind.axes?.(bones) };
  });
}

/** Rounds of the transform step from the most promising of several starts. */
function bestFrom<Bones>(
  problem: FitProblem,
  equations: NormalEquations,
  kind: BoneKind<Bones>,
  starts: readonly Bones[],
): Bones {
  const rounds = (start: Tried<Bones>, most: number) => momentumRounds(problem, equations, kind, start, most);
  const tried = starts.map((bones) => rounds({ bones, value: Infinity }, TRIAL_ROUNDS));
  const best = tried.reduce((least, other) => (other.value < least.value ? other : least));
  return rounds(best, MAX_ROUNDS).bones;
}

/**
 * The best weights for given bones.
 *
 * @param transforms P·B·12, rest → pose, in the units of the file.
 */
export async function weightsForTransforms(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  transforms: ArrayLike<number>,
  { influences }: DecomposeSettings,
  run: DecomposeRun = {},
): Promise<Decomposition> {
  const boneCount = transforms.length / boneLength(problem);
  if (!Number.isInteger(boneCount)) {
    const expected = `a multiple of 12 × ${problem.frameCount} frames`;
    throw new PliantError('bad-input', 'fit', `${transforms.length} transform numbers (expected ${expected})`);
  }
  const frames = bonesOfMatrices(problem, transforms);
  const limits = { maxBones: boneCount, maxInfluences: influences, pool: run.pool };
  const products = boneProducts(projectToBasis(problem, frames), problem.rank, frames);
  const support = emptySupport(problem.vertexCount, influences);
  let error = Infinity;
  await withEngine(problem, neighbours, limits, async (engine) => {
    for (let pass = 0; pass < PASSES; pass++) {
      error = await engine.solveWeights(products, support, { exchange: true, neighbours: pass > 0 });
    }
  });
  return finished(problem, { frames, support, boneCount, error });
}

/** As of a decomposition that nothing was placed or moved for. */
const finished = (
  problem: FitProblem,
  solved: Pick<Decomposition, 'frames' | 'axes' | 'support' | 'boneCount' | 'error'>,
): Decomposition => ({
  ...solved,
  error: solved.error + problem.discarded,
  iterations: 0,
  converged: true,
  explained: isExact(problem, solved.error),
  moves: { tries: 0, accepted: 0 },
});

/** B bones that leave everything at rest, in all frames: 4B × 3P. */
function restBones(problem: FitProblem, boneCount: number): Float64Array {
  const columns = 3 * problem.frameCount;
  const out = new Float64Array(4 * boneCount * columns);
  for (let b = 0; b < boneCount; b++) {
    for (let x = 0; x < columns; x++) out[(4 * b + (x % 3)) * columns + x] = 1;
  }
  return out;
}
