import type { BoneSolver, Solution } from './bone-solver.ts';
import { splitAndSettle } from './placing/initialize.ts';
import { improveByMoves, type MoveOptions } from './placing/moves.ts';
import { emptySupport, isExact } from './problem.ts';
import { type RefineOptions, type RefineResult, refine } from './refine.ts';
import type { WatchedRun } from './so-far.ts';

/**
 * Bones for one problem: placed, or given, then refined, moved as long as that helps, and refined again.
 *
 * Where bones of the kind itself are placed beside given ones of a poorer kind, the better ones of both go on.
 */
export interface SearchSettings {
  bones: number;
  influences: number;
  iterations: number;
  tolerance: number;
  moves: number;
}

export interface Searched<Bones> extends RefineResult<Bones> {
  moves: { tries: number; accepted: number };
  /** N: the cluster of each vertex that bones began with. */
  clusters?: Int32Array;
}

/** Bones and weights to begin with. */
export interface Begun<Bones> extends Pick<Solution<Bones>, 'bones' | 'support'> {
  /** Whether bones were moved already, if of a poorer kind: fewer moves are left to find. */
  moved?: boolean;
  /** N: as in what is searched. */
  clusters?: Int32Array;
}

/** A run of moves ends after this many failures, and sooner where poorer bones were moved before. */
const MAX_FAILURES = { anew: 5, moved: 3 };
/** Rounds after each move. */
const MOVE_ITERATIONS = 14;
/** The last refinement may take this many times the rounds of the first. */
const POLISH = 2;
/** Root mean square error, in diagonals, below which moves are not worth their time: reduction discards as much. */
const HARDLY_ANY = 1e-5;

/** @param start what to refine, which is consumed, instead of placing bones anew; the result is no worse. */
export async function searchBones<Bones>(
  solver: BoneSolver<Bones>,
  settings: SearchSettings,
  run: WatchedRun,
  start?: Begun<Bones>,
): Promise<Searched<Bones>> {
  const rounds = roundsOf(settings);
  const begun: Searched<Bones> = start
    ? { ...(await refine(solver, start, rounds, run)), clusters: start.clusters, moves: { tries: 0, accepted: 0 } }
    : await placed(solver, settings, run);
  if (settings.moves === 0 || isExact(solver.problem, begun.error)) return begun;
  const own = start?.moved && solver.kind.placedToo ? await placed(solver, settings, run) : begun;
  const better = own.error < begun.error ? own : begun;
  const moved = await movedBones(solver, settings, better, MAX_FAILURES[start?.moved ? 'moved' : 'anew'], run);
  const polished = await refine(solver, moved, { ...rounds, maxIterations: POLISH * settings.iterations }, run);
  return { ...moved, ...polished, iterations: moved.iterations + polished.iterations };
}

const roundsOf = ({ iterations, tolerance }: SearchSettings): RefineOptions => ({
  maxIterations: iterations,
  tolerance,
});

async function placed<Bones>(
  solver: BoneSolver<Bones>,
  settings: SearchSettings,
  run: WatchedRun,
): Promise<Searched<Bones>> {
  const { vertexCount } = solver.problem;
  const bones = await splitAndSettle(solver, settings.bones, run);
  const clusters = new Int32Array(vertexCount);
  await solver.assign(bones, clusters, new Float64Array(vertexCount));
  const support = emptySupport(vertexCount, settings.influences);
  const refined = await refine(solver, { bones, support }, roundsOf(settings), run);
  return { ...refined, clusters, moves: { tries: 0, accepted: 0 } };
}

/** A solution after moves, if there is something to gain. */
async function movedBones<Bones>(
  solver: BoneSolver<Bones>,
  settings: SearchSettings,
  begun: Searched<Bones>,
  maxFailures: number,
  run: WatchedRun,
): Promise<Searched<Bones>> {
  const { problem } = solver;
  const mass = problem.mass.reduce((sum, m) => sum + m, 0);
  if (begun.error <= HARDLY_ANY ** 2 * mass * problem.frameCount) return begun;
  const limits: MoveOptions = {
    maxTries: settings.moves,
    maxFailures,
    polish: { ...roundsOf(settings), maxIterations: MOVE_ITERATIONS },
  };
  const { tries, accepted, ...moved } = await improveByMoves(solver, begun, limits, run);
  return { ...begun, ...moved, moves: { tries, accepted } };
}
