import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import type { Columns } from './columns.ts';
import { linearised, offsets } from './u-problem.ts';
import type { VertexWeights, WeightSolver } from './vertex-weights.ts';

/**
 * Coordinate descent over u- and w'-weights: Kavan 2009, §4.3 and §4.4. The u-weights take one step of the linearised
 * problem (6), then the w'-weights are solved again, and so on.
 *
 * Departures: the step is by variable projection (Golub & Pereyra 1973, as Kaufman 1975 simplifies it): the directions
 * in which the w'-weights would follow anyway are projected out of the derivatives, so that u moves as far as it will
 * want to go, not only as far as fixed w' let it; and it is damped (Levenberg–Marquardt) and taken back where the error
 * does not fall. The sum of u is kept by moving along e_l − e_last; weights that would become negative end at 0.
 */

/** No u-weight moves farther in one step: beyond, the linearisation means nothing. */
const LONGEST_STEP = 0.2;
/** A descent has converged when a step lowers the error by less than this share. */
const CONVERGED = 1e-4;

export interface Descent {
  /** Steps that lowered the error. */
  steps: number;
  converged: boolean;
}

/**
 * Moves the blend bones `movable` (numbers among the blends), and the w'-weights of all vertices in reach of them, for at
 * most `steps` steps. `columns` and `state` are changed in place; the error never rises.
 */
export function descend(
  columns: Columns,
  solver: WeightSolver,
  state: VertexWeights,
  movable: readonly number[],
  steps: number,
): Descent {
  const vertices = inReach(columns, movable);
  const errorOf = (): number => {
    let sum = 0;
    for (const i of vertices) sum += state.errors[i];
    return sum;
  };
  let error = errorOf();
  let damping = 1e-3;
  let taken = 0;
  for (let step = 0; step < steps; step++) {
    const { hessian, gradient, size } = linearised(columns, state, movable, vertices);
    const before = movable.map((k) => columns.blends[k].u);
    const saved = state.copy();
    let lowered = 0;
    for (let attempt = 0; attempt < 4; attempt++) {
      const delta = dampedStep(hessian, gradient, size, damping);
      moveAll(columns, movable, before, delta);
      for (const i of vertices) solver.solve(state, i);
      const after = errorOf();
      if (after < error) {
        lowered = error - after;
        break;
      }
      state.assign(saved);
      movable.forEach((k, b) => {
        columns.move(k, before[b]);
      });
      damping *= 10;
    }
    if (lowered === 0) return { steps: taken, converged: true };
    taken++;
    damping /= 3;
    error -= lowered;
    if (lowered < CONVERGED * error) return { steps: taken, converged: true };
  }
  return { steps: taken, converged: false };
}

/** The vertices that have one of the bones among their candidates (§4.4). */
export function inReach(columns: Columns, blends: readonly number[]): Uint32Array {
  const out: number[] = [];
  for (let i = 0; i < columns.problem.count; i++) {
    if (blends.some((k) => columns.blends[k].reaches[i])) out.push(i);
  }
  return Uint32Array.from(out);
}

/** The blend bones that share a master with bone k, itself included (§4.3). */
export function sharingMasters(columns: Columns, k: number): number[] {
  const mine = columns.blends[k].masters;
  return columns.blends.flatMap(({ masters }, b) => (masters.some((j) => mine.includes(j)) ? [b] : []));
}

/** δ = −(H + λ·diag H)⁻¹·g. */
function dampedStep(hessian: Float64Array, gradient: Float64Array, size: number, damping: number): Float64Array {
  let trace = 0;
  for (let c = 0; c < size; c++) trace += hessian[c * size + c];
  const l = new Float64Array(size * size);
  const delta = new Float64Array(size);
  for (let lambda = damping; lambda < 1e12; lambda *= 10) {
    l.set(hessian);
    for (let c = 0; c < size; c++) l[c * size + c] += lambda * (hessian[c * size + c] + (1e-6 * trace) / size) + 1e-300;
    if (!choleskyFactor(l, size)) continue;
    for (let c = 0; c < size; c++) delta[c] = -gradient[c];
    choleskySolve(l, size, delta, 1);
    break;
  }
  return delta;
}

function moveAll(
  columns: Columns,
  movable: readonly number[],
  before: readonly Float64Array[],
  delta: Float64Array,
): void {
  const offset = offsets(columns, movable);
  movable.forEach((k, b) => {
    const u = before[b].slice();
    const step = delta.subarray(offset[b], offset[b + 1]);
    let last = 0;
    for (const d of step) last -= d;
    const longest = Math.max(Math.abs(last), ...Array.from(step, Math.abs));
    const scale = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
    let sum = 0;
    for (let l = 0; l < u.length; l++) {
      u[l] = Math.max(0, u[l] + scale * (l < step.length ? step[l] : last));
      sum += u[l];
    }
    columns.move(
      k,
      u.map((x) => x / sum),
    );
  });
}
