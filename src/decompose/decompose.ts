import type { ParallelPool } from '../kernels/parallel.ts';
import { BoneSolver } from './bone-solver.ts';
import { projectToBasis } from './bones/bone-frames.ts';
import { affineKind, type BoneKind, RIGID, trsKind } from './bones/bone-kinds.ts';
import { withEngine } from './engine/kernel-engine.ts';
import { movedAtOnce } from './placing/moves.ts';
import { copySupport, exactError, type FitProblem, isExact, type Support, type VertexNeighbours } from './problem.ts';
import { refine } from './refine.ts';
import { sampledFrames, selectFrames, spreadFrames } from './sampling/sample-frames.ts';
import { sampleProblem } from './sampling/sample-vertices.ts';
import { selectSupport } from './sampling/select-vertices.ts';
import { type Searched, searchBones } from './search.ts';
import { settle } from './settle.ts';
import { type SoFar, type WatchedRun, watching } from './so-far.ts';
import { momentumRounds } from './transform-rounds.ts';
import { quantizeSolution } from './weights/quantize-weights.ts';

/**
 * The skinning decomposition for a given number and kind of bones:
 *
 *   place bones ─▶ refine ─▶ move bones ─▶ refine ─▶ (whole mesh) refine ─▶ settle ─▶ (whole-number weights)
 *
 * Large meshes do all but the last steps on a sample, or on the coarse problem they are given, each vertex of which counts
 * as its whole cell. Where that is explained by fewer bones than asked for and the whole mesh is not (only an eyelid moves,
 * and the sample has no vertex there), another sample follows, with vertices that were not explained. Long motions do so on
 * some of their frames.
 */
export interface DecomposeSettings {
  bones: number;
  kind: 'rigid' | 'trs' | 'affine';
  influences: number;
  iterations: number;
  tolerance: number;
  moves: number;
  sample: number;
  /** Pull of affine and TRS bones towards rotations; see transforms-affine.ts. */
  rigidity: number;
  /** By how much the error may rise for steadier bones, in % of it; see settle.ts. */
  steadiness: number;
  /** Weights are whole numbers of 1/levels; 0 leaves them free. */
  weightLevels: number;
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
  /** 4B × 3P: see bone-frames.ts. */
  frames: Float64Array;
  /** 9B, for TRS bones: the constant scale axes. */
  axes?: Float64Array;
  support: Support;
  boneCount: number;
  /** Sum of squared errors in squared diagonals, what the reduction discarded included. */
  error: number;
  iterations: number;
  converged: boolean;
  /** Whether more bones would gain nothing: before it was settled, all was as exact as positions are known. */
  explained: boolean;
  moves: { tries: number; accepted: number };
  /** N: the cluster of each vertex that bones began with, where they were placed and not given. */
  clusters?: Int32Array;
}

export type DecomposeRun = WatchedRun & { pool?: ParallelPool };

/**
 * Rounds on the whole mesh after those on the coarse one, as a share of them. Whoever asks for decimation asks for time:
 * the first few rounds gain most.
 */
const WHOLE_MESH_ROUNDS = { sampled: 1 / 3, decimated: 1 / 8 };
/** Meshes are sampled when they have this many times the vertices of the sample. */
const WORTH_SAMPLING = 1.5;
/** Most transform steps that take bones from some frames to all. */
const SPREADING = 40;
/** The squared error of the whole mesh may be this many times what counts as none for a sample: it is an estimate. */
const ESTIMATE = 4;
/** Share of a second sample that is chosen among what the first did not explain. */
const UNEXPLAINED_SHARE = 1 / 2;

export async function decompose(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: DecomposeSettings,
  run: DecomposeRun = {},
  start?: Start,
): Promise<Decomposition> {
  const bones = Math.min(settings.bones, problem.vertexCount);
  const task = { problem, neighbours, run, start, settings: { ...settings, bones } };
  return withKind(settings, (kind) => solveAs(kind, task));
}

/** The only place that knows all kinds: calls `use` with the one asked for. */
export function withKind<T>({ kind, rigidity }: DecomposeSettings, use: <Bones>(kind: BoneKind<Bones>) => T): T {
  if (kind === 'affine') return use(affineKind(rigidity));
  return kind === 'rigid' ? use(RIGID) : use(trsKind(rigidity));
}

interface Task {
  problem: FitProblem;
  neighbours: VertexNeighbours;
  settings: DecomposeSettings;
  run: DecomposeRun;
  start?: Start;
}

async function solveAs<Bones>(kind: BoneKind<Bones>, task: Task): Promise<Decomposition> {
  const { problem, neighbours, settings, start } = task;
  const coarse = start ? undefined : await sampled(task);
  const solveOn = (problems: Task | Sampled): Promise<Searched<Bones>> => {
    const own = { ...task, problem: problems.problem, neighbours: problems.neighbours };
    const run = watching(task.run, 'cellOf' in problems ? (found) => ofWhole(problem, found, problems) : undefined);
    const from = start && {
      bones: kind.fromAffine(problem, projectToBasis(problem, start.frames)),
      support: copySupport(start.support),
    };
    return withSolver(kind, own, (solver) => searchBones(solver, settings, run, from));
  };
  let solved = await solveOn(coarse ?? task);
  let explained = isExact(problem, solved.error / ESTIMATE);
  if (coarse || settings.steadiness > 0 || settings.weightLevels > 0) {
    solved = await withSolver(kind, task, async (solver) => {
      let whole = coarse ? await refineWhole(solver, task, solved, coarse) : solved;
      const missed = coarse ? await unexplained(solver, settings, whole) : [];
      if (missed.length > 0) {
        const second = await sampleProblem(problem, neighbours, settings.sample, missed, task.run);
        whole = await refineWhole(solver, task, await solveOn(second), second);
      }
      explained = isExact(problem, whole.error / ESTIMATE);
      return finish(solver, task, whole);
    });
  }
  const { bones, support, iterations, converged, moves, clusters } = solved;
  const boneCount = kind.count(problem, bones);
  const frames = kind.frames(problem, bones);
  const axes = kind.axes?.(bones);
  const error = solved.error + problem.discarded;
  return { frames, axes, support, boneCount, error, iterations, converged, explained, moves, clusters };
}

/** What is known of the coarse problem, for the whole mesh: vertices as those that stand for them. */
const ofWhole = (problem: FitProblem, found: SoFar, { cellOf, frames }: Sampled): SoFar => ({
  ...found,
  frames: frames ? spreadFrames(problem, found.frames, frames) : found.frames,
  support: selectSupport(found.support, cellOf),
});

/** From the coarse problem to the whole mesh. */
async function refineWhole<Bones>(
  solver: BoneSolver<Bones>,
  { settings, run }: Task,
  solved: Searched<Bones>,
  coarse: Sampled,
): Promise<Searched<Bones>> {
  const { problem, kind } = solver;
  const share = WHOLE_MESH_ROUNDS[settings.coarse ? 'decimated' : 'sampled'];
  const rounds = { maxIterations: Math.ceil(settings.iterations * share), tolerance: settings.tolerance };
  const start = { bones: solved.bones, support: selectSupport(solved.support, coarse.cellOf) };
  if (coarse.frames) {
    const spread = spreadFrames(problem, kind.frames(coarse.problem, solved.bones), coarse.frames);
    const bones = kind.fromAffine(problem, projectToBasis(problem, spread));
    const equations = await solver.engine.normalEquations(start.support, solver.count(bones));
    start.bones = momentumRounds(problem, equations, kind, { bones, value: Infinity }, SPREADING).bones;
  }
  const refined = await refine(solver, start, rounds, watching(run));
  const clusters = solved.clusters && Int32Array.from(coarse.cellOf, (cell) => solved.clusters![cell]);
  return { ...solved, ...refined, clusters, iterations: solved.iterations + refined.iterations };
}

/** The worst of the vertices that bones leave unexplained though more were allowed, as many as belong into a sample. */
async function unexplained<Bones>(
  solver: BoneSolver<Bones>,
  settings: DecomposeSettings,
  { bones, error }: Searched<Bones>,
): Promise<number[]> {
  const { problem } = solver;
  if (solver.count(bones) >= settings.bones) return [];
  const { vertexCount, worst = Infinity } = problem;
  const errors = new Float64Array(vertexCount);
  await solver.assign(bones, new Int32Array(vertexCount), errors);
  if (isExact(problem, error / ESTIMATE) && errors.every((e) => e <= worst)) return [];
  const limit = Math.min(ESTIMATE * exactError(problem), worst);
  const missed = Array.from(errors.keys()).filter((i) => errors[i] > limit);
  return missed.sort((a, b) => errors[b] - errors[a] || a - b).slice(0, Math.ceil(UNEXPLAINED_SHARE * settings.sample));
}

/** To steadier bones, and to weights in whole numbers. */
async function finish<Bones>(
  solver: BoneSolver<Bones>,
  { settings, run }: Task,
  solved: Searched<Bones>,
): Promise<Searched<Bones>> {
  const { steadiness, ...settled } = await settle(solver, solved, settings.steadiness, run);
  const result = { ...solved, ...settled };
  if (settings.weightLevels === 0) return result;
  return { ...result, ...(await quantizeSolution(solver, result, settings.weightLevels, steadiness)) };
}

/** A solver for as long as it is used. */
async function withSolver<Bones, T>(
  kind: BoneKind<Bones>,
  { problem, neighbours, settings, run }: Task,
  use: (solver: BoneSolver<Bones>) => Promise<T>,
): Promise<T> {
  const limits = {
    maxBones: settings.bones + movedAtOnce(settings.bones),
    maxInfluences: settings.influences,
    pool: run.pool,
  };
  return withEngine(problem, neighbours, limits, (engine) => use(new BoneSolver(engine, kind)));
}

/** A coarse problem, perhaps of some frames. */
interface Sampled extends Coarse {
  /** Which ones, rising; all, where there is none. */
  frames?: Uint32Array;
}

/** A sample of the vertices, or of the frames, where there are enough to be worth it. */
async function sampled({ problem, neighbours, settings, run }: Task): Promise<Sampled | undefined> {
  const isLarge = problem.vertexCount > WORTH_SAMPLING * settings.sample;
  const cells =
    settings.coarse ?? (isLarge ? await sampleProblem(problem, neighbours, settings.sample, [], run) : undefined);
  const frames = settings.iterations > 0 ? sampledFrames(problem) : undefined;
  if (!frames) return cells;
  const all = { problem, neighbours, cellOf: Uint32Array.from({ length: problem.vertexCount }, (_, i) => i) };
  const coarse = cells ?? all;
  return { ...coarse, problem: selectFrames(coarse.problem, frames), frames };
}
