import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type Columns, influencesOf } from './columns.ts';
import { differenceColumn, dotOfRows } from './problem.ts';
import type { VertexWeights, WeightSolver } from './vertex-weights.ts';

/**
 * Coordinate descent over u- and w'-weights: document 002, §4.3 and §4.4. The u-weights take one step of the linearised
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

/** Where the unknowns of each movable bone begin: one fewer than it has masters. */
function offsets(columns: Columns, movable: readonly number[]): number[] {
  const out = [0];
  for (const k of movable) out.push(out[out.length - 1] + columns.blends[k].masters.length - 1);
  return out;
}

/** JᵀJ and Jᵀr of the linearised problem over the unknowns of all movable bones. */
function linearised(columns: Columns, state: VertexWeights, movable: readonly number[], vertices: Uint32Array) {
  const { problem } = columns;
  const { bones, frames, rho2, starts, masters, weights } = problem;
  const length = 3 * frames;
  const offset = offsets(columns, movable);
  const size = offset[movable.length];
  const hessian = new Float64Array(size * size);
  const gradient = new Float64Array(size);
  const slotOf = new Int32Array(columns.blends.length).fill(-1);
  movable.forEach((k, b) => {
    slotOf[k] = b;
  });
  const derivatives = movable.map((k) => differencedMatrices(columns, k));

  // Rows of one vertex: motion (3F), then effective weights of the masters that matter here.
  const rows = length + bones;
  const most = state.k + 3 * state.k;
  const block = new Float64Array((most + 1) * rows);
  const gram = new Float64Array((most + 1) ** 2);
  const unknowns = new Int32Array(most);
  const touched: number[] = [];
  for (const i of vertices) {
    const rho = Math.sqrt(rho2) * problem.rest[4 * i + 3];
    const at = i * state.k;
    let used = 0;
    let moving = false;
    while (used < state.k && state.columns[at + used] >= 0) {
      const c = state.columns[at + used++];
      moving ||= c >= bones && slotOf[c - bones] >= 0;
    }
    if (!moving) continue;

    // (1) Directions of w': D_c − D_0 of the columns in use; then the derivatives; then the residual.
    touched.length = 0;
    for (let s = starts[i]; s < starts[i + 1]; s++) touched.push(masters[s]);
    for (let s = 0; s < used; s++) {
      const c = state.columns[at + s];
      if (c >= bones) for (const j of columns.blends[c - bones].masters) if (!touched.includes(j)) touched.push(j);
    }
    const tall = length + touched.length;
    const effective = (o: number, c: number, scale: number): void => {
      if (c < bones) block[o + length + touched.indexOf(c)] += scale * rho;
      else {
        const { masters: own, u } = columns.blends[c - bones];
        for (let l = 0; l < own.length; l++) block[o + length + touched.indexOf(own[l])] += scale * rho * u[l];
      }
    };
    const free = used - 1;
    const first = state.columns[at];
    let columnsHere = free;
    for (let s = 0; s < used; s++) {
      const c = state.columns[at + s];
      if (c < bones || slotOf[c - bones] < 0) continue;
      const b = slotOf[c - bones];
      for (let l = 0; l < offset[b + 1] - offset[b]; l++) unknowns[columnsHere++] = offset[b] + l;
    }
    const residual = columnsHere * tall;
    block.fill(0, 0, residual + tall);
    for (let s = 0; s < used; s++) {
      const c = state.columns[at + s];
      const o = s === 0 ? residual : (s - 1) * tall;
      differenceColumn(block, o, problem, i, columns.matrices(c));
    }
    // The residual's place holds D_0 for now.
    for (let s = 1; s < used; s++) {
      const o = (s - 1) * tall;
      for (let row = 0; row < length; row++) block[o + row] -= block[residual + row];
      effective(o, state.columns[at + s], 1);
      effective(o, first, -1);
    }
    effective(residual, first, 1);
    for (let s = starts[i]; s < starts[i + 1]; s++) {
      block[residual + length + touched.indexOf(masters[s])] -= rho * weights[s];
    }
    for (let s = 1; s < used; s++) {
      const w = state.weights[at + s];
      for (let row = 0; row < tall; row++) block[residual + row] += w * block[(s - 1) * tall + row];
    }
    let next = free;
    for (let s = 0; s < used; s++) {
      const c = state.columns[at + s];
      if (c < bones || slotOf[c - bones] < 0) continue;
      const b = slotOf[c - bones];
      const own = columns.blends[c - bones].masters;
      const w = state.weights[at + s];
      const last = touched.indexOf(own[own.length - 1]);
      for (let l = 0; l < own.length - 1; l++) {
        const o = next++ * tall;
        derivativeColumn(block, o, derivatives[b][l], w, problem.rest, 4 * i, length);
        block[o + length + touched.indexOf(own[l])] += w * rho;
        block[o + length + last] -= w * rho;
      }
    }

    // (2) Their products, and the part that w' takes over: a Cholesky factorisation stopped after the free columns.
    const m = columnsHere + 1;
    for (let c = 0; c < m; c++) {
      for (let d = 0; d <= c; d++) {
        let sum = dotOfRows(block, c * tall, block, d * tall, length);
        for (let row = length; row < tall; row++) sum += block[c * tall + row] * block[d * tall + row];
        gram[c * m + d] = sum;
      }
    }
    eliminate(gram, m, free);

    // (3) Into the whole.
    for (let c = free; c < columnsHere; c++) {
      const row = unknowns[c];
      gradient[row] += gram[columnsHere * m + c];
      for (let d = free; d <= c; d++) {
        const col = unknowns[d];
        hessian[row * size + col] += gram[c * m + d];
        if (row !== col) hessian[col * size + row] += gram[c * m + d];
      }
    }
  }
  return { hessian, gradient, size };
}

/** Schur complement of the first `free` rows of a symmetric matrix (lower triangle, m × m), in place. */
function eliminate(a: Float64Array, m: number, free: number): void {
  let trace = 0;
  for (let p = 0; p < free; p++) trace += a[p * m + p];
  for (let p = 0; p < free; p++) {
    const pivot = a[p * m + p];
    if (!(pivot > 1e-12 * trace)) continue;
    for (let c = p + 1; c < m; c++) {
      const f = a[c * m + p] / pivot;
      for (let d = p + 1; d <= c; d++) a[c * m + d] -= f * a[d * m + p];
    }
  }
}

/** out (rows, at o) = w · d · v for a derivative d (12 per frame). */
function derivativeColumn(
  out: Float64Array,
  o: number,
  d: Float64Array,
  w: number,
  rest: Float64Array,
  v: number,
  rows: number,
): void {
  const x = w * rest[v];
  const y = w * rest[v + 1];
  const z = w * rest[v + 2];
  const h = w * rest[v + 3];
  for (let row = 0; row < rows; row++) {
    const at = 4 * row;
    out[o + row] = d[at] * x + d[at + 1] * y + d[at + 2] * z + d[at + 3] * h;
  }
}

/** Per unknown of blend bone k, 12F: ∂Φ along e_l − e_last, the document's ∂/∂x_l. */
function differencedMatrices(columns: Columns, k: number): Float64Array[] {
  const { poses, derivative, antipodality } = columns.problem.training;
  const bone = columns.blends[k];
  const at = influencesOf(bone);
  const all = bone.masters.map((j) => {
    const out = new Float64Array(MATRIX_STRIDE * poses.length);
    const l = at.joints.indexOf(j);
    poses.forEach((pose, f) => {
      derivative(out.subarray(MATRIX_STRIDE * f, MATRIX_STRIDE * (f + 1)), at, pose, antipodality, l);
    });
    return out;
  });
  const last = all[all.length - 1];
  return all.slice(0, -1).map((d) => d.map((x, c) => x - last[c]));
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
