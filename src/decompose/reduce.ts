import { gramOfRows, multiply, transpose } from '../math/dense.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { boundsOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { type FitProblem, HOMOGENEOUS, monomialsOf } from './problem.ts';

/**
 * Trajectories → a basis and coordinates. Frames are read once, in blocks; after each block the stack of the coordinates
 * so far and the new rows is compressed by the eigenvectors of its Gram matrix (sequential Karhunen–Loève, Levy &
 * Lindenbaum 2000). Memory is 3P·r numbers and two stacks, the old and the new, of r + max(192, r) rows of N at most,
 * whatever the number of frames; and the cost is linear in P, where one eigenproblem of all 3P rows is cubic.
 *
 * `tolerance` is the allowed root mean square of what is discarded, as a fraction of the diagonal. One vertex that moves
 * alone weighs next to nothing in it: `mayLose`, also in diagonals, bounds what is discarded of each vertex, as a root mean
 * square over the frames so far. If all that a vertex loses lies in a single frame, it is off by √P·mayLose there.
 */
export async function reduceSequence(
  sequence: MeshSequence,
  tolerance: number,
  { mayLose = Infinity, ...run }: RunOptions & { mayLose?: number } = {},
): Promise<FitProblem> {
  const n = vertexCount(sequence.rest);
  const p = sequence.frameCount;
  const { min, max } = boundsOf(sequence.rest.positions);
  const centre: [number, number, number] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  // A rest pose of a single point has no size: any scale will do.
  const diagonal = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]) || 1;

  const compressor = new RowCompressor(n, 3 * p, tolerance, mayLose);
  const frame = new Float32Array(3 * n);
  for (let k = 0; k < p; k++) {
    await checkpoint(run, 'fit', k, p, 'reading');
    compressor.add(await sequence.readFrame(k, frame), centre, 1 / diagonal);
    if (compressor.isFull || k === p - 1) await compressor.compress(() => checkpoint(run, 'fit', k, p, 'reading'));
  }
  const { rows, rank, basis, discarded } = compressor.finish();
  await checkpoint(run, 'fit', p, p, 'reading');

  const rest = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) rest[4 * i + c] = (sequence.rest.positions[3 * i + c] - centre[c]) / diagonal;
    rest[4 * i + 3] = HOMOGENEOUS;
  }
  const z = transpose(new Float64Array(n * rank), rows, rank, n);
  const zNorm2 = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let c = 0; c < rank; c++) zNorm2[i] += z[i * rank + c] ** 2;
  return {
    vertexCount: n,
    frameCount: p,
    rank,
    z,
    zNorm2,
    rest,
    monomials: monomialsOf(rest),
    basis,
    mass: new Float64Array(n).fill(1),
    centre,
    diagonal,
    discarded,
  };
}

/** Rows wait until this many are there, or as many as the rank so far, before the stack is compressed. */
const BLOCK_ROWS = 192;
/** Components whose rows are processed together. */
const BATCH = 64;

class RowCompressor {
  readonly #n: number;
  readonly #rowCount: number;
  readonly #tolerance: number;
  readonly #mayLose: number;
  /** Room for rows of N: the coordinates of everything compressed so far, followed by rows that wait. */
  #stack: Float64Array;
  #rank = 0;
  #waiting = 0;
  /** For every original row, its coefficients in the current coordinates. */
  #basisRows: Float64Array[] = [];
  #discarded = 0;
  /** N: sum of squares that was discarded of each vertex; kept where there is a bound to it. */
  readonly #discardedOf: Float64Array;

  /** @param rowCount rows that will be added in all. */
  constructor(n: number, rowCount: number, tolerance: number, mayLose: number) {
    this.#n = n;
    this.#rowCount = rowCount;
    this.#tolerance = tolerance;
    this.#mayLose = mayLose;
    this.#stack = new Float64Array(this.#room * n);
    this.#discardedOf = new Float64Array(mayLose < Infinity ? n : 0);
  }

  /** Rows that an empty stack needs: those compressed, and of those to come as many as wait, with the last frame's. */
  get #room(): number {
    const toCome = this.#rowCount - this.#basisRows.length;
    return this.#rank + Math.min(toCome, Math.max(BLOCK_ROWS, this.#rank) + 2);
  }

  get isFull(): boolean {
    return this.#waiting >= Math.max(BLOCK_ROWS, this.#rank);
  }

  add(frame: Float32Array, centre: readonly number[], scale: number): void {
    const n = this.#n;
    for (let c = 0; c < 3; c++) {
      const o = (this.#rank + this.#waiting++) * n;
      for (let i = 0; i < n; i++) this.#stack[o + i] = (frame[3 * i + c] - centre[c]) * scale;
    }
  }

  /** rows: rank × N. */
  finish(): { rows: Float64Array; rank: number; basis: Float64Array; discarded: number } {
    const basis = new Float64Array(this.#basisRows.length * this.#rank);
    this.#basisRows.forEach((row, e) => {
      basis.set(row, e * this.#rank);
    });
    const rows = this.#stack.subarray(0, this.#rank * this.#n);
    return { rows, rank: this.#rank, basis, discarded: this.#discarded };
  }

  /** @param pause is awaited between steps that take long. */
  async compress(pause: () => Promise<void>): Promise<void> {
    const n = this.#n;
    const size = this.#rank + this.#waiting;
    const stacked = this.#stack.subarray(0, size * n);
    const gram = gramOfRows(new Float64Array(size * size), stacked, size, n);
    await pause();
    const { values, vectors } = symmetricEigen(gram, size);
    await pause();

    // Components, largest first: what the budget keeps, and of the rest what a vertex needs.
    const first = this.#inBudget(values);
    const needed = this.#mayLose < Infinity ? await this.#needed(vectors, stacked, first, pause) : [];
    const keep = first + needed.length;
    const turns = new Float64Array(keep * size);
    turns.set(vectors.subarray(0, first * size));
    needed.forEach(({ e }, c) => {
      turns.set(vectors.subarray(e * size, (e + 1) * size), (first + c) * size);
    });
    const isNeeded = new Set(needed.map(({ e }) => e));
    let lost = 0;
    for (let e = size - 1; e >= first; e--) if (!isNeeded.has(e)) lost += Math.max(0, values[e]);
    this.#discarded += lost;

    // Old rows: their coefficients are rotated. New rows: unit vectors, rotated.
    const turn = (row: Float64Array): Float64Array => {
      const out = new Float64Array(keep);
      for (let e = 0; e < keep; e++) for (let c = 0; c < row.length; c++) out[e] += turns[e * size + c] * row[c];
      return out;
    };
    this.#basisRows = this.#basisRows.map(turn);
    for (let c = this.#rank; c < size; c++) {
      this.#basisRows.push(Float64Array.from({ length: keep }, (_, e) => turns[e * size + c]));
    }
    this.#rank = keep;
    this.#waiting = 0;
    this.#stack = new Float64Array(this.#room * n);
    multiply(this.#stack.subarray(0, first * n), turns, stacked, first, size, n);
    needed.forEach(({ row }, c) => {
      this.#stack.set(row, (first + c) * n);
    });
  }

  /** How many components to keep so that what is lost with the others stays within the budget. */
  #inBudget(values: Float64Array): number {
    // The budget of squared error grows with the rows: tolerance² per coordinate row and vertex, shared by the blocks.
    const budget = (this.#tolerance ** 2 * this.#waiting * this.#n) / 3;
    let keep = values.length;
    let lost = 0;
    for (; keep > 1; keep--) {
      lost += Math.max(0, values[keep - 1]);
      if (lost > budget) break;
    }
    return keep;
  }

  /**
   * Components from `first` on without which a vertex would lose more than it may, largest first, with their rows of N. The
   * smallest are discarded first.
   */
  async #needed(
    vectors: Float64Array,
    stacked: Float64Array,
    first: number,
    pause: () => Promise<void>,
  ): Promise<{ e: number; row: Float64Array }[]> {
    const n = this.#n;
    const size = this.#rank + this.#waiting;
    const discardedOf = this.#discardedOf;
    const most = (this.#mayLose ** 2 * (this.#basisRows.length + this.#waiting)) / 3;
    const rows = new Float64Array(Math.min(BATCH, size - first) * n);
    const needed: { e: number; row: Float64Array }[] = [];
    for (let end = size; end > first; end -= BATCH) {
      const begin = Math.max(first, end - BATCH);
      multiply(rows, vectors.subarray(begin * size, end * size), stacked, end - begin, size, n);
      for (let e = end - 1; e >= begin; e--) {
        const row = rows.subarray((e - begin) * n, (e - begin + 1) * n);
        if (row.some((x, i) => discardedOf[i] + x * x > most)) needed.unshift({ e, row: row.slice() });
        else for (let i = 0; i < n; i++) discardedOf[i] += row[i] ** 2;
      }
      await pause();
    }
    return needed;
  }
}
