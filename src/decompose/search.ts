import { BoneSolver, type Solution } from './bone-solver.ts';
import { projectToBasis } from './bones/bone-frames.ts';
import { RIGID } from './bones/bone-kinds.ts';
import { splitAndSettle } from './placing/initialize.ts';
import { improveByMoves, type MoveOptions } from './placing/moves.ts';
import { emptySupport, isExact } from './problem.ts';
import { type RefineOptions, type RefineResult, refine } from './refine.ts';
import type { WatchedRun } from './so-far.ts';

/**
 * Bones for one problem: placed, refined, and moved as long as that helps.
 *
 *   place ─▶ refine ─┬─▶ move ─▶ refine
 *   rigid: place ─▶ refine ─▶ move ─▶ refine as the kind asked for ─┘
 *
 * Richer kinds of bones have more ways to get stuck: TRS bones that start on their own may end worse than rigid ones. So
 * they also start where rigid ones ended, and keep what is better.
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

/** A run of moves ends after this many failures. */
const MAX_FAILURES = 5;
/** Rounds after each move. */
const MOVE_ITERATIONS = 14;
/** The last refinement may take this many times the rounds of the first. */
const POLISH = 2;
/** What rigid bones lead to has been moved already, which gains about so much of the squared error. */
const MOVED_ALREADY = 0.8;
/** Root mean square error, in diagonals, below which moves are not worth their time: reduction discards as much. */
const HARDLY_ANY = 1e-5;

/** @param start bones and weights to refine, which is consumed, instead of placing bones anew. */
export async function searchBones<Bones>(
  solver: BoneSolver<Bones>,
  settings: SearchSettings,
  run: WatchedRun,
  start?: Pick<Solution<Bones>, 'bones' | 'support'>,
): Promise<Searched<Bones>> {
  const rounds = roundsOf(settings);
  const own: Searched<Bones> = start
    ? { ...(await refine(solver, start, rounds, run)), moves: { tries: 0, accepted: 0 } }
    : await placed(solver, settings, run);
  if (settings.moves === 0 || isExact(solver.problem, own.error)) return own;
  const other = start || solver.kind.name === 'rigid' ? undefined : await fromRigid(solver, settings, run);
  const begun = other && other.error < MOVED_ALREADY * own.error ? { ...other, clusters: own.clusters } : own;
  const polish = { ...rounds, maxIterations: POLISH * settings.iterations };
  const moved = await movedBones(solver, settings, begun, run);
  const least = other && other.error < moved.error ? { ...other, clusters: own.clusters } : moved;
  const polished = await refine(solver, least, polish, run);
  return { ...least, ...polished, iterations: least.iterations + polished.iterations };
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

/** Bones of the solver's kind, refined from the places of rigid ones. */
async function fromRigid<Bones>(
  { engine, kind, problem }: BoneSolver<Bones>,
  settings: SearchSettings,
  run: WatchedRun,
): Promise<Searched<Bones>> {
  const rigid = new BoneSolver(engine, RIGID);
  const { bones, support, iterations, moves } = await movedBones(
    rigid,
    settings,
    await placed(rigid, settings, run),
    run,
  );
  const affine = kind.fromAffine(problem, projectToBasis(problem, bones));
  const start = { bones: kind.withRigid?.(affine, bones) ?? affine, support };
  const refined = await refine(new BoneSolver(engine, kind), start, roundsOf(settings), run);
  return { ...refined, iterations: iterations + refined.iterations, moves };
}

/** A solution after moves, if any are asked for and there is something to gain. */
async function movedBones<Bones>(
  solver: BoneSolver<Bones>,
  settings: SearchSettings,
  begun: Searched<Bones>,
  run: WatchedRun,
): Promise<Searched<Bones>> {
  const { problem } = solver;
  const mass = problem.mass.reduce((sum, m) => sum + m, 0);
  if (begun.error <= HARDLY_ANY ** 2 * mass * problem.frameCount) return begun;
  const limits: MoveOptions = {
    maxTries: settings.moves,
    maxFailures: MAX_FAILURES,
    polish: { ...roundsOf(settings), maxIterations: MOVE_ITERATIONS },
  };
  const { tries, accepted, ...moved } = await improveByMoves(solver, begun, limits, run);
  return { ...begun, ...moved, moves: { tries: begun.moves.tries + tries, accepted: begun.moves.accepted + accepted } };
}
