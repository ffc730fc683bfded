import type { FitProblem, VertexNeighbours } from '../decompose/problem.ts';
import { reduceSequence } from '../decompose/reduce.ts';
import type { BonesSoFar } from '../decompose/so-far.ts';
import { PliantError } from '../error.ts';
import type { ParallelPool } from '../kernels/parallel.ts';
import { meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel, SkinWeights } from '../model/skinned-model.ts';
import type { FittedFrames } from './clips.ts';
import { FIT_OPTIONS, type FitOptions } from './fit-options.ts';

/** Inputs of a fit in addition to its options. */
export interface FitRun extends RunOptions {
  /** Threads to share the work with. */
  pool?: ParallelPool;
  /** Size in bytes of a finished model as it will be written: for a target size. */
  sizeOf?: (model: SkinnedModel) => Promise<number>;
  /** What a finished model plays at the fitted frames once it is written [default what it plays itself]: errors are of that. */
  played?: (model: SkinnedModel, fitted: FittedFrames) => Promise<MeshSequence>;
  /** Called while bones are searched, for solutions that are better than those before; to look at one takes time. */
  onSoFar?: (look: () => FitSoFar) => void;
  /** Half of the solution, when it is known. */
  given?: FitGiven;
}

/** A fit that is not finished. */
export type FitSoFar = BonesSoFar;

/** What is known beforehand; the rest is solved for it. */
export interface FitGiven {
  /** Of a rig with the same vertices: only transforms are solved. */
  weights?: SkinWeights;
  /** P·B·12, rest → pose, one frame for each fitted one: only weights are solved. */
  transforms?: ArrayLike<number>;
}

/** What all decompositions of one fit share. */
export interface FitContext {
  fitted: FittedFrames;
  problem: FitProblem;
  neighbours: VertexNeighbours;
  run: FitRun;
}

/** What the reduction discards counts as error: this part of a target at most. */
export const MAY_DISCARD = 0.1;

/** Whether the target error bounds the worst vertex. */
export const boundsWorst = ({ maxError, errorMeasure }: FitOptions): boolean => maxError > 0 && errorMeasure === 'max';

/** Frames → trajectories in a small basis. */
export async function reduceFrames(fitted: FittedFrames, options: FitOptions, run: FitRun): Promise<FitContext> {
  const { sequence } = fitted;
  const n = vertexCount(sequence.rest);
  if (n === 0) throw new PliantError('bad-input', 'fit', `${sequence.name}: the mesh has no vertices`);
  if (!(diagonalOf(sequence.rest.positions) > 0)) {
    throw new PliantError('bad-input', 'fit', `${sequence.name}: the rest pose is a single point`);
  }
  const target = options.maxError / 100;
  const reduced = await reduceSequence(sequence, precisionFor(options), {
    ...run,
    ...(boundsWorst(options) && { mayLose: MAY_DISCARD * target }),
  });
  const problem = {
    ...reduced,
    clipStarts: fitted.clips.slice(1).map(({ first }) => first),
    ...(boundsWorst(options) && { worst: target ** 2 }),
  };
  return { fitted, problem, neighbours: vertexNeighbours(meshEdges(sequence.rest.triangles, n), n), run };
}

const precisionFor = ({ precision, maxError }: FitOptions): number =>
  maxError > 0 ? Math.min(precision, Math.max(FIT_OPTIONS.precision.min, MAY_DISCARD * (maxError / 100))) : precision;
