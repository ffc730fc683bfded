import { PliantError } from '../error.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { emptySupport, type FitProblem, isExact, type Support, type VertexNeighbours } from './problem.ts';
import { bonesOfMatrices } from './proxy/frame-matrices.ts';
import { affineKind, type BoneKind, RIGID, trsKind } from './solver/bone-kinds.ts';
import { boneProducts } from './solver/bone-products.ts';
import type { DecomposeRun, DecomposeSettings, Decomposition } from './solver/decompose.ts';
import { createEngine } from './solver/kernel-engine.ts';
import { supportError } from './solver/quantize-weights.ts';
import { MAX_MOMENTUM, PULL } from './solver/refine.ts';
import { solveAffine } from './solver/transforms-affine.ts';
import { projectToBasis, quadraticValue } from './solver/transforms-per-frame.ts';

/**
 * Half a fit, where the other half is known: transforms for the weights of a rig, or weights for its transforms.
 */

/** Most rounds of the transform step: affine bones need one, the others turn towards each other. */
const MAX_ROUNDS = 400;
/** They end when the squared error, relative to that of no motion at all, falls by less than this. */
const TOLERANCE = 1e-11;
/** Rounds from each start, before one is chosen. */
const TRIAL_ROUNDS = 20;
/** Passes over the weights, the later ones with the supports of neighbours. */
const PASSES = 6;

interface Tried<Bones> {
  bones: Bones;
  /** `quadraticValue` of the bones. */
  value: number;
}

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
  const engine = createEngine(problem, {
    neighbours,
    maxBones: boneCount,
    maxInfluences: weights.influences,
    pool: run.pool,
  });
  const equations = await engine.normalEquations(support, boneCount);
  const free = solveAffine(equations, projectToBasis(problem, restBones(problem, boneCount)), PULL);
  // Rounds with momentum, which is reset when it leads astray, from the most promising of several starts.
  const solveAs = <Bones>(kind: BoneKind<Bones>, starts: readonly Bones[]): Bones => {
    const errorOf = (bones: Bones) => quadraticValue(problem, equations, kind.frames(problem, bones));
    const rounds = (start: Tried<Bones>, most: number): Tried<Bones> => {
      let best = start;
      let previous = start.bones;
      let momentum = 0;
      for (let round = 0; round < most; round++) {
        const beta = Math.min(MAX_MOMENTUM, momentum / (momentum + 3));
        const ahead = beta > 0 ? kind.extrapolate(problem, previous, best.bones, beta) : best.bones;
        const bones = kind.solve(problem, equations, ahead, PULL);
        const value = errorOf(bones);
        const gain = best.value - value;
        previous = best.bones;
        if (gain > 0) best = { bones, value };
        const hardly = gain <= TOLERANCE * Math.abs(value);
        if (hardly && momentum === 0) break;
        momentum = hardly ? 0 : momentum + 1;
      }
      return best;
    };
    const tried = starts.map((bones) => rounds({ bones, value: Infinity }, TRIAL_ROUNDS));
    return rounds(
      tried.reduce((best, other) => (other.value < best.value ? other : best)),
      MAX_ROUNDS,
    ).bones;
  };
  const asRigid = () => solveAs(RIGID, [RIGID.fromAffine(problem, free)]);
  const asTrs = () => {
    const trs = trsKind(settings.rigidity);
    const start = trs.fromAffine(problem, free);
    return solveAs(trs, [start, { ...start, frames: asRigid() }]);
  };
  try {
    const { kind } = settings;
    const trs = kind === 'trs' ? asTrs() : undefined;
    const affine = affineKind(settings.rigidity);
    const frames = trs?.frames ?? (kind === 'rigid' ? asRigid() : affine.frames(problem, solveAs(affine, [free])));
    const products = boneProducts(projectToBasis(problem, frames), problem.rank, frames);
    const error = supportError(problem, products, support);
    return finished(problem, frames, support, boneCount, error, trs?.axes);
  } finally {
    engine.dispose();
  }
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
  settings: DecomposeSettings,
  run: DecomposeRun = {},
): Promise<Decomposition> {
  const boneCount = transforms.length / (12 * problem.frameCount);
  if (!Number.isInteger(boneCount)) {
    throw new PliantError(
      'bad-input',
      'fit',
      `${transforms.length} transform numbers (expected a multiple of 12 × ${problem.frameCount} frames)`,
    );
  }
  const frames = bonesOfMatrices(problem, transforms);
  const engine = createEngine(problem, {
    neighbours,
    maxBones: boneCount,
    maxInfluences: settings.influences,
    pool: run.pool,
  });
  try {
    const products = boneProducts(projectToBasis(problem, frames), problem.rank, frames);
    const support = emptySupport(problem.vertexCount, settings.influences);
    let error = Infinity;
    for (let pass = 0; pass < PASSES; pass++) {
      error = await engine.solveWeights(products, support, {
        exchange: true,
        neighbours: pass > 0 ? neighbours : undefined,
      });
    }
    return finished(problem, frames, support, boneCount, error);
  } finally {
    engine.dispose();
  }
}

const finished = (
  problem: FitProblem,
  frames: Float64Array,
  support: Support,
  boneCount: number,
  error: number,
  axes?: Float64Array,
): Decomposition => ({
  frames,
  axes,
  support,
  boneCount,
  error: error + problem.discarded,
  iterations: 0,
  converged: true,
  explained: isExact(problem, error),
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

function supportOfWeights(skin: SkinWeights, vertexCount: number): Support {
  const k = skin.influences;
  if (skin.weights.length !== vertexCount * k) {
    throw new PliantError(
      'bad-input',
      'fit',
      `weights of ${plural(skin.weights.length / k, 'vertex', 'vertices')} (expected ${vertexCount}, as the sequence has)`,
    );
  }
  const support = emptySupport(vertexCount, k);
  for (let i = 0; i < vertexCount; i++) {
    for (let s = i * k; s < (i + 1) * k && skin.weights[s] > 0; s++) {
      support.joints[s] = skin.joints[s];
      support.weights[s] = skin.weights[s];
      support.count[i]++;
    }
  }
  return support;
}
