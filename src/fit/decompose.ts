import type { ParallelPool } from '../kernels/parallel.ts';
import type { RunOptions } from '../model/options.ts';
import { AFFINE, type BoneKind, RIGID, TRS } from './bone-kinds.ts';
import type { FitEngine } from './engine.ts';
import { splitAndSettle } from './initialize.ts';
import { createEngine } from './kernel-engine.ts';
import { improveByMoves } from './moves.ts';
import { emptySupport, type FitProblem, type Support, type VertexNeighbours } from './problem.ts';
import { type RefineResult, refine } from './refine.ts';
import { sampleProblem } from './sample-vertices.ts';
import { selectSupport } from './select-vertices.ts';

/**
 * The skinning decomposition for a given number and kind of bones: place bones, refine, move bones, refine to the end.
 * Meshes larger than the sample do all but the last step on the sample, each vertex of which counts as its whole cell.
 */
export interface DecomposeSettings {
  bones: number;
  kind: 'rigid' | 'trs' | 'affine';
  influences: number;
  iterations: number;
  tolerance: number;
  moves: number;
  sample: number;
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
): Promise<Decomposition> {
  const { kind } = settings;
  settings = { ...settings, bones: Math.min(settings.bones, problem.vertexCount) };
  if (kind === 'affine') return (await decomposeAs(AFFINE, problem, neighbours, settings, run)).decomposition;
  if (kind === 'rigid') return (await decomposeAs(RIGID, problem, neighbours, settings, run)).decomposition;
  const { decomposition, bones } = await decomposeAs(TRS, problem, neighbours, settings, run);
  return { ...decomposition, axes: bones.axes };
}

async function decomposeAs<Bones>(
  kind: BoneKind<Bones>,
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: DecomposeSettings,
  run: RunOptions & { pool?: ParallelPool },
): Promise<{ decomposition: Decomposition; bones: Bones }> {
  const { influences, iterations, tolerance } = settings;
  const engineFor = (of: FitProblem, graph: VertexNeighbours): FitEngine =>
    createEngine(of, {
      neighbours: graph,
      maxBones: settings.bones + SPARE_BONES,
      maxInfluences: influences,
      pool: run.pool,
    });

  const large = problem.vertexCount > WORTH_SAMPLING * settings.sample;
  const sample = large ? sampleProblem(problem, neighbours, settings.sample) : undefined;
  const coarse = sample ?? { problem, neighbours };
  const engine = engineFor(coarse.problem, coarse.neighbours);
  const moves = { tries: 0, accepted: 0 };
  let result: RefineResult<Bones>;
  try {
    const start = await splitAndSettle(engine, kind, coarse.neighbours, settings.bones, run);
    const support = emptySupport(coarse.problem.vertexCount, influences);
    result = await refine(
      engine,
      kind,
      start,
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

  if (sample) {
    const full = engineFor(problem, neighbours);
    try {
      const support = selectSupport(result.support, sample.cellOf);
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
