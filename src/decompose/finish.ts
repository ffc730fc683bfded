import { BoneSolver } from './bone-solver.ts';
import { projectToBasis } from './bones/bone-frames.ts';
import type { BoneKind } from './bones/bone-kinds.ts';
import type { Coarse, DecomposeSettings, Decomposition, Task } from './decomposition.ts';
import { withEngine } from './engine/kernel-engine.ts';
import { movedAtOnce } from './placing/moves.ts';
import { exactError, type FitProblem, isExact } from './problem.ts';
import { refine } from './refine.ts';
import { sampledFrames, selectFrames, spreadFrames } from './sampling/sample-frames.ts';
import { sampleProblem } from './sampling/sample-vertices.ts';
import { selectSupport } from './sampling/select-vertices.ts';
import { type Begun, type Searched, searchBones } from './search.ts';
import { settle } from './settle.ts';
import { type SoFar, watching } from './so-far.ts';
import { momentumRounds } from './transform-rounds.ts';
import { quantizeSolution } from './weights/quantize-weights.ts';

/**
 * The problem that is searched, and the way back from it to the whole mesh:
 *
 *   (some vertices, some frames) search ─▶ (whole mesh) refine ─▶ settle ─▶ (whole-number weights)
 *
 * Large meshes are searched on a sample, or on the coarse problem they are given, each vertex of which counts as its whole
 * cell. Where that is explained by fewer bones than asked for and the whole mesh is not (only an eyelid moves, and the sample has no
 * vertex there), another sample follows, with vertices that were not explained. Long motions are searched on some of their
 * frames.
 */

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

/** A coarse problem, perhaps of some frames. */
export interface Sampled extends Coarse {
  /** Which ones, rising; all, where there is none. */
  frames?: Uint32Array;
}

/** A sample of the vertices, or of the frames, where there are enough to be worth it. */
export async function sampled({ problem, neighbours, settings, run }: Task): Promise<Sampled | undefined> {
  const isLarge = problem.vertexCount > WORTH_SAMPLING * settings.sample;
  const cells =
    settings.coarse ?? (isLarge ? await sampleProblem(problem, neighbours, settings.sample, [], run) : undefined);
  const frames = settings.iterations > 0 ? sampledFrames(problem) : undefined;
  if (!frames) return cells;
  const all = { problem, neighbours, cellOf: Uint32Array.from({ length: problem.vertexCount }, (_, i) => i) };
  const coarse = cells ?? all;
  return { ...coarse, problem: selectFrames(coarse.problem, frames), frames };
}

/** Bones for a problem, from what is begun or anew. */
export const searchOn = <Bones>(
  kind: BoneKind<Bones>,
  task: Task,
  on: Task | Sampled,
  begun?: Begun<Bones>,
): Promise<Searched<Bones>> => {
  const { problem, neighbours } = on;
  const run = watching(task.run, 'cellOf' in on ? (found) => ofWhole(task.problem, found, on) : undefined);
  return withSolver(kind, { ...task, problem, neighbours }, (solver) => searchBones(solver, task.settings, run, begun));
};

/** What is known of the coarse problem, for the whole mesh: vertices as those that stand for them. */
const ofWhole = (problem: FitProblem, found: SoFar, { cellOf, frames }: Sampled): SoFar => ({
  ...found,
  frames: frames ? spreadFrames(problem, found.frames, frames) : found.frames,
  support: selectSupport(found.support, cellOf),
});

/** From where a search ended to the whole mesh, all frames, and bones and weights as they are wanted. */
export async function finishAs<Bones>(
  kind: BoneKind<Bones>,
  task: Task,
  searched: Searched<Bones>,
  coarse?: Sampled,
): Promise<Decomposition> {
  const { problem, neighbours, settings } = task;
  let solved = searched;
  let explained = isExact(problem, solved.error / ESTIMATE);
  if (coarse || settings.steadiness > 0 || settings.weightLevels > 0) {
    solved = await withSolver(kind, task, async (solver) => {
      let whole = coarse ? await refineWhole(solver, task, solved, coarse) : solved;
      const missed = coarse ? await unexplained(solver, settings, whole) : [];
      if (missed.length > 0) {
        const second = await sampleProblem(problem, neighbours, settings.sample, missed, task.run);
        whole = await refineWhole(solver, task, await searchOn(kind, task, second), second);
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
