import type { ParallelPool } from '../kernels/parallel.ts';
import type { RunOptions } from '../model/options.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { FittedFrames } from './clips.ts';
import { type Decomposition, decompose } from './decompose.ts';
import type { FitOptions } from './fit-options.ts';
import { frameMatrices } from './frame-matrices.ts';
import type { FitProblem, VertexNeighbours } from './problem.ts';
import { proxyModel } from './proxy-model.ts';
import { skinWeightsOf } from './skin-weights.ts';
import { splitClips } from './split-clips.ts';

export interface FitRun extends RunOptions {
  /** Threads to share the work with. */
  pool?: ParallelPool;
  /** Size in bytes of a finished model as it will be written: for a target size. */
  sizeOf?: (model: SkinnedModel) => Promise<number>;
}

/** What all decompositions of one fit share. */
export interface FitContext {
  fitted: FittedFrames;
  problem: FitProblem;
  neighbours: VertexNeighbours;
  run: FitRun;
}

/** A model for a fixed number and kind of bones. */
export interface Found {
  model: SkinnedModel;
  decomposition: Decomposition;
  kind: FitOptions['kind'];
}

export async function solveFor(context: FitContext, options: FitOptions): Promise<Found> {
  const { fitted, problem, neighbours, run } = context;
  const decomposition = await decompose(problem, neighbours, options, run);
  const whole = proxyModel({
    name: fitted.sequence.name,
    mesh: fitted.sequence.rest,
    weights: skinWeightsOf(decomposition.support),
    kind: options.kind,
    transforms: frameMatrices(problem, decomposition.frames),
    axes: decomposition.axes,
    times: fitted.sequence.times,
  });
  return { model: splitClips(whole, fitted.clips), decomposition, kind: options.kind };
}
