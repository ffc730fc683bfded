import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type Columns, influencesOf } from './columns.ts';
import { differenceColumn, dotOfRows } from './problem.ts';
import type { VertexWeights } from './vertex-weights.ts';

/**
 * The least squares problem that Kavan 2009, (6) leaves of (2) when Φ is linearised in the u-weights of some blend
 * bones, after the w'-weights have taken over what they can (variable projection).
 */

/** Where the unknowns of each movable bone begin: one fewer than it has masters. */
export function offsets(columns: Columns, movable: readonly number[]): number[] {
  const out = [0];
  for (const k of movable) out.push(out[out.length - 1] + columns.blends[k].masters.length - 1);
  return out;
}

/** The unknowns of the movable bones, and the sums that make up their linearised problem. */
export interface Linearised {
  /** size × size: JᵀJ, and size: Jᵀr, without what w' takes over. */
  hessian: Float64Array;
  gradient: Float64Array;
  size: number;
}

/** JᵀJ and Jᵀr of the linearised problem over the unknowns of all movable bones. */
export function linearised(
  columns: Columns,
  state: VertexWeights,
  movable: readonly number[],
  vertices: Uint32Array,
): Linearised {
  const size = offsets(columns, movable)[movable.length];
  const out = { hessian: new Float64Array(size * size), gradient: new Float64Array(size), size };
  const rows = new VertexRows(columns, state, movable);
  for (const i of vertices) rows.add(out, i);
  return out;
}

/**
 * What one vertex contributes to the linearised problem, as a block of columns: the directions D_c − D_0 in which its
 * w'-weights can move, the derivatives by the unknowns, and the residual. Rows are its motion (3F), then the effective
 * weights of the masters that matter to it.
 */
class VertexRows {
  readonly #columns: Columns;
  readonly #state: VertexWeights;
  /** Blend bone → its place among the movable, −1 for the others. */
  readonly #placeOf: Int32Array;
  readonly #offset: number[];
  /** Per movable bone and unknown, 12F. */
  readonly #derivatives: Float64Array[][];
  readonly #block: Float64Array;
  readonly #gram: Float64Array;
  /** Column of the block → unknown. */
  readonly #unknowns: Int32Array;
  /** The masters that have a row; its place, by bone. */
  readonly #touched: number[] = [];
  readonly #rowOf: Int32Array;

  constructor(columns: Columns, state: VertexWeights, movable: readonly number[]) {
    const { bones, frames } = columns.problem;
    this.#columns = columns;
    this.#state = state;
    this.#placeOf = new Int32Array(columns.blends.length).fill(-1);
    movable.forEach((k, b) => {
      this.#placeOf[k] = b;
    });
    this.#offset = offsets(columns, movable);
    this.#derivatives = movable.map((k) => differencedMatrices(columns, k));
    // At most k − 1 directions, three unknowns for each of k influences, and the residual.
    const most = 4 * state.k;
    this.#block = new Float64Array(most * (3 * frames + bones));
    this.#gram = new Float64Array(most * most);
    this.#unknowns = new Int32Array(most);
    this.#rowOf = new Int32Array(bones).fill(-1);
  }

  /** Adds the products of vertex i to the whole. */
  add(whole: Linearised, i: number): void {
    const { bones } = this.#columns.problem;
    const { k, columns } = this.#state;
    let used = 0;
    let moving = false;
    for (; used < k && columns[i * k + used] >= 0; used++) {
      const c = columns[i * k + used];
      moving ||= c >= bones && this.#placeOf[c - bones] >= 0;
    }
    if (!moving) return;
    this.#touch(i, used);
    const tall = 3 * this.#columns.problem.frames + this.#touched.length;
    const width = this.#fill(i, used, tall);
    this.#formGram(width + 1, tall);
    // A factorisation that stops after the directions of w' leaves what these cannot take over.
    eliminate(this.#gram, width + 1, used - 1);
    this.#sum(whole, used - 1, width);
    for (const j of this.#touched) this.#rowOf[j] = -1;
  }

  /** Gives a row to every master of the vertex and of the blend bones that it follows. */
  #touch(i: number, used: number): void {
    const { starts, masters } = this.#columns.problem;
    const { k, columns } = this.#state;
    this.#touched.length = 0;
    const touch = (j: number): void => {
      if (this.#rowOf[j] >= 0) return;
      this.#rowOf[j] = 3 * this.#columns.problem.frames + this.#touched.length;
      this.#touched.push(j);
    };
    for (let s = starts[i]; s < starts[i + 1]; s++) touch(masters[s]);
    for (let s = i * k; s < i * k + used; s++) this.#columns.sample(columns[s]).masters.forEach(touch);
  }

  /** Writes the block; returns its width without the residual, which comes last. */
  #fill(i: number, used: number, tall: number): number {
    const { problem, blends } = this.#columns;
    const { bones, frames, rest, starts, masters, weights } = problem;
    const { k, columns, weights: w } = this.#state;
    const length = 3 * frames;
    const rho = Math.sqrt(problem.rho2) * rest[4 * i + 3];
    const block = this.#block;
    const at = i * k;
    let width = used - 1;
    for (let s = 0; s < used; s++) width += this.#unknownsOf(columns[at + s]);
    const residual = width * tall;
    block.fill(0, 0, residual + tall);

    // (1) D_c − D_0. The residual's place holds D_0 until it is made of them.
    for (let s = 0; s < used; s++) {
      differenceColumn(block, s === 0 ? residual : (s - 1) * tall, problem, i, this.#columns.matrices(columns[at + s]));
    }
    for (let s = 1; s < used; s++) {
      const o = (s - 1) * tall;
      for (let row = 0; row < length; row++) block[o + row] -= block[residual + row];
      this.#addEffective(o, columns[at + s], rho);
      this.#addEffective(o, columns[at], -rho);
    }
    // (2) r = D_0 + Σ w'_c·(D_c − D_0), and ρ̂·(Σ w'·a − w).
    this.#addEffective(residual, columns[at], rho);
    for (let s = starts[i]; s < starts[i + 1]; s++) block[residual + this.#rowOf[masters[s]]] -= rho * weights[s];
    for (let s = 1; s < used; s++) {
      for (let row = 0; row < tall; row++) block[residual + row] += w[at + s] * block[(s - 1) * tall + row];
    }
    // (3) w'_c·∂Φ_c·v along e_l − e_last.
    let next = used - 1;
    for (let s = 0; s < used; s++) {
      const count = this.#unknownsOf(columns[at + s]);
      if (count === 0) continue;
      const bone = columns[at + s] - bones;
      const b = this.#placeOf[bone];
      const own = blends[bone].masters;
      for (let l = 0; l < count; l++) {
        const o = next * tall;
        derivativeColumn(block, o, this.#derivatives[b][l], w[at + s], rest, 4 * i, length);
        block[o + this.#rowOf[own[l]]] += w[at + s] * rho;
        block[o + this.#rowOf[own[count]]] -= w[at + s] * rho;
        this.#unknowns[next++] = this.#offset[b] + l;
      }
    }
    return width;
  }

  /** How many unknowns column c has: none unless it is movable. */
  #unknownsOf(c: number): number {
    const { bones } = this.#columns.problem;
    const b = c < bones ? -1 : this.#placeOf[c - bones];
    return b < 0 ? 0 : this.#offset[b + 1] - this.#offset[b];
  }

  /** Adds scale·a_c to the rows of effective weights. */
  #addEffective(o: number, c: number, scale: number): void {
    const { masters, u } = this.#columns.sample(c);
    for (let l = 0; l < masters.length; l++) this.#block[o + this.#rowOf[masters[l]]] += scale * u[l];
  }

  /** The lower triangle of the products of m columns. */
  #formGram(m: number, tall: number): void {
    const length = 3 * this.#columns.problem.frames;
    const block = this.#block;
    for (let c = 0; c < m; c++) {
      for (let d = 0; d <= c; d++) {
        let sum = dotOfRows(block, c * tall, block, d * tall, length);
        for (let row = length; row < tall; row++) sum += block[c * tall + row] * block[d * tall + row];
        this.#gram[c * m + d] = sum;
      }
    }
  }

  #sum({ hessian, gradient, size }: Linearised, free: number, width: number): void {
    const m = width + 1;
    for (let c = free; c < width; c++) {
      const row = this.#unknowns[c];
      gradient[row] += this.#gram[width * m + c];
      for (let d = free; d <= c; d++) {
        const col = this.#unknowns[d];
        hessian[row * size + col] += this.#gram[c * m + d];
        if (row !== col) hessian[col * size + row] += this.#gram[c * m + d];
      }
    }
  }
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

/** Per unknown of blend bone k, 12F: ∂Φ along e_l − e_last, ∂/∂x_l in Kavan 2009. */
function differencedMatrices(columns: Columns, k: number): Float64Array[] {
  const { poses, roots, derivative, antipodality } = columns.problem.training;
  const bone = columns.blends[k];
  const at = influencesOf(bone);
  const d = new Float64Array(MATRIX_STRIDE);
  const all = bone.masters.map((j) => {
    const out = new Float64Array(MATRIX_STRIDE * poses.length);
    const l = at.joints.indexOf(j);
    poses.forEach((pose, f) => {
      derivative(d, at, pose, antipodality, l);
      for (let c = 0; c < MATRIX_STRIDE; c++) out[MATRIX_STRIDE * f + c] = roots[f] * d[c];
    });
    return out;
  });
  const last = all[all.length - 1];
  return all.slice(0, -1).map((d) => d.map((x, c) => x - last[c]));
}
