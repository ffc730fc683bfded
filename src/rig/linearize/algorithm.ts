import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { overlappingSets, type Sampling } from './bone-sets.ts';
import { type BlendSample, Columns } from './columns.ts';
import { descend, inReach, sharingMasters } from './descent.ts';
import { type Beginning, BeginningSearch } from './new-bone.ts';
import { envelopingPercent, type Problem, thinned } from './problem.ts';
import { totalOf, VertexWeights, WeightSolver } from './vertex-weights.ts';

/**
 * Algorithm 1 of Kavan 2009: blend bones are added one by one, each where it helps most, until there are enough of
 * them, the error is small enough, or another no longer helps.
 */

export interface AlgorithmOptions {
  /** β_max. */
  blendBones: number;
  /** Enveloping error at which to stop, %; 0 is never. */
  maxEnvelopingError: number;
  /** Stop when a bone lowers the error by less than this share of it; 0 is never. */
  plateau: number;
  sampling: Sampling;
}

/** Columns, and the weights of the vertices that follow them. */
export interface Fit {
  columns: Columns;
  solver: WeightSolver;
  state: VertexWeights;
}

export interface Linearization extends Fit {
  /** EE in % with 0, 1, 2 … blend bones, over the training frames. */
  curve: number[];
  /** EE in % over the vertices that bones were placed by, by how their w'-weights were solved. */
  bySolver: { exact: number; nnls: number };
  /** n: squared errors of linear blending without blend bones. */
  linearErrors: Float64Array;
  /** Why no more bones were added. */
  stopped: 'number' | 'error' | 'plateau' | 'no gain';
  /** Steps of all descents, and whether the last one had converged. */
  steps: number;
  converged: boolean;
}

/** A run that somebody watches. */
export interface WatchedAlgorithm extends RunOptions {
  /** Called for every bone that is added; to look at all vertices takes time. */
  onBone?: (look: () => Fit) => void;
}

/** Beginnings that are followed to their end; the best of them stays. */
const FOLLOWED = 2;
const STEPS_PER_BONE = 3;
const STEPS_AT_THE_END = 8;
const STEPS_ON_ALL = 1;

/** Vertices that blend bones are placed by; the rest follows them. */
const WITNESSES = 600;

/** Below this share of linear blending's error, the rows of effective weights (`makeProblem`) shrink with what is left of it. */
const EASED = 0.25;

export async function addBlendBones(
  problem: Problem,
  options: AlgorithmOptions,
  run: WatchedAlgorithm = {},
): Promise<Linearization> {
  const whole = startLinear(problem, options.blendBones);
  const thin = thinned(problem, whole.state.errors, WITNESSES);
  const few = startLinear(thin, options.blendBones);
  const linearErrors = whole.state.motionErrors.slice();
  const percent = ({ state }: Fit): number => envelopingPercent(problem, totalOf(state.motionErrors));
  const curve = [percent(whole)];
  const search = new BeginningSearch(few.columns, overlappingSets(few.columns.problem), options.sampling);
  const done = (bones: number): Promise<void> =>
    checkpoint(run, 'linearize', bones, options.blendBones + 1, 'placing blend bones');
  const { rho2 } = problem;
  let stopped: Linearization['stopped'] = 'number';
  let steps = 0;
  for (let added = 0; added < options.blendBones; added++) {
    const before = curve[added];
    if (before <= options.maxEnvelopingError) {
      stopped = 'error';
      break;
    }
    await done(added);
    const taken = addBest(few, search.best(few.state, few.solver).slice(0, FOLLOWED));
    if (taken === undefined) {
      stopped = 'no gain';
      break;
    }
    steps += taken;
    const moved = sharingMasters(few.columns, added);
    search.forget(moved.flatMap((k) => few.columns.blends[k].masters));
    // As the few tell it: all vertices follow when the bones are in their places.
    curve.push(percent(few));
    problem.rho2 = rho2 * Math.min(1, curve[added + 1] / (EASED * curve[0])) ** 2;
    weighEffective(few, problem.rho2);
    run.onBone?.(() => withBones(problem, few.columns.blends));
    if (options.plateau > 0 && before - curve[added + 1] < options.plateau * before) {
      stopped = 'plateau';
      break;
    }
  }

  // All together at the end: first on the few, then a little on all.
  const all = [...few.columns.blends.keys()];
  let converged = true;
  let bySolver = { exact: percent(few), nnls: percent(few) };
  if (all.length > 0) {
    await done(options.blendBones);
    replaceAll(few, few.columns.blends.map(withoutTrifles));
    const end = descend(few.columns, few.solver, few.state, all, STEPS_AT_THE_END);
    bySolver = errorsBySolver(few);
    replaceAll(whole, few.columns.blends);
    await done(options.blendBones);
    const last =
      few.columns.problem === problem ? end : descend(whole.columns, whole.solver, whole.state, all, STEPS_ON_ALL);
    steps += end.steps + last.steps;
    converged = end.converged || last.converged;
    curve[curve.length - 1] = percent(whole);
  }
  return { ...whole, curve, bySolver, linearErrors, stopped, steps, converged };
}

/** Lets the rows of effective weights count otherwise from now on. */
function weighEffective({ columns: { problem }, solver, state }: Fit, rho2: number): void {
  problem.rho2 = rho2;
  for (let i = 0; i < problem.count; i++) solver.evaluate(state, i);
}

/** All vertices by blend bones as they are now. */
function withBones(problem: Problem, bones: readonly BlendSample[]): Fit {
  const fit = startLinear(problem, bones.length);
  replaceAll(fit, bones);
  return fit;
}

/** The same for blend bones that are given and stay as they are. */
export function withBlendBones(problem: Problem, bones: readonly BlendSample[]): Linearization {
  const fit = startLinear(problem, bones.length);
  const linearErrors = fit.state.motionErrors.slice();
  const curve = [envelopingPercent(problem, totalOf(linearErrors))];
  for (let k = 0; k < bones.length; k++) {
    follow(fit, bones, [k]);
    curve.push(envelopingPercent(problem, totalOf(fit.state.motionErrors)));
  }
  return { ...fit, curve, bySolver: errorsBySolver(fit), linearErrors, stopped: 'number', steps: 0, converged: true };
}

/** The errors of the w'-weights as they are, and solved as Kavan 2009 does. */
function errorsBySolver({ columns, solver, state }: Fit): Linearization['bySolver'] {
  const { problem } = columns;
  const softly = state.copy();
  for (let i = 0; i < problem.count; i++) solver.solveSoftly(softly, i);
  const percent = ({ motionErrors }: VertexWeights): number => envelopingPercent(problem, totalOf(motionErrors));
  return { exact: percent(state), nnls: percent(softly) };
}

/** Takes out blend bones that no vertex follows. */
export function dropUnused({ columns, state }: Fit): void {
  const { bones } = columns.problem;
  for (let k = columns.blends.length - 1; k >= 0; k--) {
    if (state.columns.includes(bones + k)) continue;
    columns.removeAt(k);
    state.dropColumn(bones + k);
  }
}

/** Masters with less of a blend bone than this do nothing for it. */
const TRIFLE = 1e-3;

function withoutTrifles({ masters, u }: BlendSample): BlendSample {
  const kept = masters.map((_, l) => l).filter((l) => u[l] >= TRIFLE);
  const sum = kept.reduce((total, l) => total + u[l], 0);
  return { masters: kept.map((l) => masters[l]), u: Float64Array.from(kept, (l) => u[l] / sum) };
}

/** Moves the blend bones of a fit to where others are, adds the new ones, and solves the vertices in reach of the moved. */
function follow(fit: Fit, bones: readonly BlendSample[], moved: readonly number[]): void {
  for (const k of moved) {
    if (k < fit.columns.blends.length) fit.columns.move(k, bones[k].u);
    else fit.columns.add({ masters: bones[k].masters, u: bones[k].u });
  }
  for (const i of inReach(fit.columns, moved)) fit.solver.solve(fit.state, i);
}

/** Takes other blend bones in place of all. */
function replaceAll({ columns, solver, state }: Fit, bones: readonly BlendSample[]): void {
  const taken = bones.map(({ masters, u }) => ({ masters, u }));
  columns.blends.length = 0;
  for (const bone of taken) columns.add(bone);
  for (let i = 0; i < columns.problem.count; i++) solver.solve(state, i);
}

/** Follows each beginning to its end and keeps the best. Returns the steps taken, undefined where there is no beginning. */
function addBest(fit: Fit, beginnings: readonly Beginning[]): number | undefined {
  const { columns, solver, state } = fit;
  const us = columns.blends.map(({ u }) => u);
  const before = state.copy();
  let best: { bones: BlendSample[]; error: number; state: VertexWeights } | undefined;
  let steps = 0;
  for (const { bone } of beginnings) {
    columns.add(bone);
    const added = columns.blends.length - 1;
    for (const i of inReach(columns, [added])) solver.solve(state, i);
    steps += descend(columns, solver, state, sharingMasters(columns, added), STEPS_PER_BONE).steps;
    const error = totalOf(state.errors);
    if (!best || error < best.error) {
      best = { bones: columns.blends.map(({ masters, u }) => ({ masters, u })), error, state: state.copy() };
    }
    columns.removeAt(added);
    us.forEach((u, k) => {
      if (columns.blends[k].u !== u) columns.move(k, u);
    });
    state.assign(before);
  }
  if (!best) return undefined;
  columns.add(best.bones[us.length]);
  best.bones.forEach(({ u }, k) => {
    columns.move(k, u);
  });
  state.assign(best.state);
  return steps;
}

/** W' = W: the first k weights of each vertex, as they are. */
export function startLinear(problem: Problem, blendBones: number): Fit {
  const columns = new Columns(problem);
  const solver = new WeightSolver(columns, blendBones + 1);
  const state = new VertexWeights(problem.count, problem.influences);
  const { count, starts, masters, weights } = problem;
  for (let i = 0; i < count; i++) {
    const used = Math.min(state.k, starts[i + 1] - starts[i]);
    let sum = 0;
    for (let s = 0; s < used; s++) sum += weights[starts[i] + s];
    for (let s = 0; s < used; s++) {
      state.columns[i * state.k + s] = masters[starts[i] + s];
      state.weights[i * state.k + s] = weights[starts[i] + s] / sum;
    }
    solver.evaluate(state, i);
  }
  return { columns, solver, state };
}
