import type { ParallelPool } from '../kernels/parallel.ts';
import type { RunOptions } from '../model/options.ts';
import { AFFINE, type BoneKind, RIGID, TRS } from './bone-kinds.ts';
import type { FitEngine } from './engine.ts';
import { splitAndSettle } from './initialize.ts';
import { createEngine } from './kernel-engine.ts';
import { improveByMoves } from './moves.ts';
import { copySupport, emptySupport, type FitProblem, type Support, type VertexNeighbours } from './problem.ts';
import { type RefineResult, refine } from './refine.ts';
import { sampleProblem } from './sample-vertices.ts';
import { selectSupport } from './select-vertices.ts';
import { projectToBasis } from './transforms-per-frame.ts';

/**
 * The skinning decomposition for a given number and kind of bones: place bones, refine, move bones, refine to the end.
 * Large meshes do all but the last step on a sample, or on the coarse problem they are given, each vertex of which counts
 * as its whole cell.
 */
export interface DecomposeSettings {
  bones: number;
  kind: 'rigid' | 'trs' | 'affine';
  influences: number;
  iterations: number;
  tolerance: number;
  moves: number;
  sample: number;
  /** A smaller problem to do most of the work on, instead of a sample. */
  coarse?: Coarse;
}

/** A problem of fewer vertices with the same bones. */
export interface Coarse {
  problem: FitProblem;
  neighbours: VertexNeighbours;
  /** N: vertex of the full problem → the vertex that stands for it. */
  cellOf: Uint32Array;
}

/** Bones and weights to refine, instead of placing bones anew. */
export interface Start {
  /** 4B × 3P. */
  frames: Float64Array;
  support: Support;
}

export interface Decomposition {
  /** 4B × 3P: see transforms-per-frame.ts. */
  frames: Float64Array;
  /** 9B, for TRS bones: the constant scale axes. */
  axes?: Float64Array;
  support: Support;
  boneCount: number;
  /** Sum of squared errors in squared diagonals, what the reduction discarded included. */
  error: number;
  iterations: number;
  converged: boolean;
  moves: { tries: number; accepted: number };
}

/** A run of moves ends after this many failures. */
const MAX_FAILURES = 8;
/** Rounds after each move. */
const MOVE_ITERATIONS = 20;
/** Meshes are sampled when they have this many times the vertices of the sample. */
const WORTH_SAMPLING = 1.5;
/** Extra bones that moves and their candidates need room for. */
const SPARE_BONES = 1;

/** @param run progress is reported in hundredths over the whole decomposition. */
export async function decompose(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: DecomposeSettings,
  run: RunOptions & { pool?: ParallelPool } = {},
  start?: Start,
): Promise<Decomposition> {
  const { kind } = settings;
  settings = { ...settings, bones: Math.min(settings.bones, problem.vertexCount) };
  if (kind === 'affine') return (await decomposeAs(AFFINE, problem, neighbours, settings, run, start)).decomposition;
  if (kind === 'rigid') return (await decomposeAs(RIGID, problem, neighbours, settings, run, start)).decomposition;
  const { decomposition, bones } = await decomposeAs(TRS, problem, neighbours, settings, run, start);
  return { ...decomposition, axes: bones.axes };
}

async function decomposeAs<Bones>(
  kind: BoneKind<Bones>,
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: DecomposeSettings,
  run: RunOptions & { pool?: ParallelPool },
  start?: Start,
): Promise<{ decomposition: Decomposition; bones: Bones }> {
  const { influences, iterations, tolerance } = settings;
  const engineFor = (of: FitProblem, graph: VertexNeighbours): FitEngine =>
    createEngine(of, {
      neighbours: graph,
      maxBones: settings.bones + SPARE_BONES,
      maxInfluences: influences,
      pool: run.pool,
    });

  const smaller = start ? undefined : (settings.coarse ?? sampled(problem, neighbours, settings.sample));
  const coarse = smaller ?? { problem, neighbours };
  const engine = engineFor(coarse.problem, coarse.neighbours);
  const moves = { tries: 0, accepted: 0 };
  let result: RefineResult<Bones>;
  try {
    const bones = start
      ? kind.fromAffine(problem, projectToBasis(problem, start.frames))
      : await splitAndSettle(engine, kind, coarse.neighbours, settings.bones, run);
    const support = start ? copySupport(start.support) : emptySupport(coarse.problem.vertexCount, influences);
    result = await refine(
      engine,
      kind,
      bones,
      support,
      coarse.neighbours,
      { maxIterations: iterations, tolerance },
      run,
    );
    if (settings.moves > 0) {
      const moved = await improveByMoves(
        engine,
        kind,
        result,
        coarse.neighbours,
        { maxTries: settings.moves, maxFailures: MAX_FAILURES, iterations: MOVE_ITERATIONS },
        tolerance,
        run,
      );
      moves.tries = moved.tries;
      moves.accepted = moved.accepted;
      const last = { maxIterations: iterations, tolerance };
      const polished = await refine(engine, kind, moved.bones, moved.support, coarse.neighbours, last, run);
      result = { ...polished, iterations: result.iterations + polished.iterations };
    }
  } finally {
    engine.dispose();
  }

  if (smaller) {
    const full = engineFor(problem, neighbours);
    try {
      const support = selectSupport(result.support, smaller.cellOf);
      const last = { maxIterations: Math.ceil(iterations / 3), tolerance };
      const refined = await refine(full, kind, result.bones, support, neighbours, last, run);
      result = { ...refined, iterations: result.iterations + refined.iterations };
    } finally {
      full.dispose();
    }
  }
  const decomposition = {
    frames: kind.frames(problem, result.bones),
    support: result.support,
    boneCount: kind.count(problem, result.bones),
    error: result.error + problem.discarded,
    iterations: result.iterations,
    converged: result.converged,
    moves,
  };
  return { decomposition, bones: result.bones };
}

/** A sample, where the mesh is large enough to be worth it. */
function sampled(problem: FitProblem, neighbours: VertexNeighbours, size: number): Coarse | undefined {
  return problem.vertexCount > WORTH_SAMPLING * size ? sampleProblem(problem, neighbours, size) : undefined;
}
