import { PriorityQueue } from '../../../math/priority-queue.ts';
import type { Solid } from './solid.ts';

/**
 * Heat in the solid: what Baran & Popović 2007 (§4) do on the surface, between voxels. Bone c is kept at 1, all others at 0;
 * every voxel takes heat from its nearest bone and from its six neighbours,
 *
 *     (L + H)·w_c = H·p_c,    H = heat·(1/d)²,
 *
 * with d the distance to the nearest bone in voxels, at least ½, p_c = 1 for that bone, and L the graph's Laplacian.
 *
 * Between voxels with H the weight of another bone falls by e^−ρ per step, ρ = 2·asinh(√H/2): exactly so along a bar. The sum of
 * ρ along the way from a bone's voxels bounds how much of it arrives. Voxels where that is less than `NEGLIGIBLE` are left out of
 * the bone's system, which has then a tenth of the solid or less: bones are solved one by one, and need no common memory.
 */
/** What is nearer to its bone than this, in voxels, is no hotter. */
const LEAST_DISTANCE = 0.5;
/** Weights below this are not looked for. */
const NEGLIGIBLE = 3e-4;
/** Residual, relative to the right-hand side, at which a solution is good enough, and rounds at most. */
const TOLERANCE = 1e-4;
const MOST_ROUNDS = 2000;

/** Solves for one bone after the other, with memory that it keeps. */
export class SolidHeat {
  readonly #solid: Solid;
  readonly #tie: Float64Array;
  readonly #diagonal: Float64Array;
  readonly #decay: Float64Array;
  /** Solid voxel → its place in the system of the current bone, −1 outside. */
  readonly #placeOf: Int32Array;
  /** Solid voxel → the least sum of ρ on a way from the current bone, ∞ beyond its system. */
  readonly #lost: Float64Array;
  readonly #members: number[][];

  /** @param columns number of bones. @param heat how firmly voxels are held. */
  constructor(solid: Solid, columns: number, heat: number) {
    const m = solid.voxels.length;
    this.#solid = solid;
    this.#tie = solid.distance.map((d) => heat / Math.max(d, LEAST_DISTANCE) ** 2);
    this.#decay = this.#tie.map((tie) => 2 * Math.asinh(Math.sqrt(tie) / 2));
    this.#diagonal = this.#tie.slice();
    solid.neighbours.forEach((other, q) => {
      if (other >= 0) this.#diagonal[Math.floor(q / 6)]++;
    });
    this.#placeOf = new Int32Array(m).fill(-1);
    this.#lost = new Float64Array(m).fill(Infinity);
    this.#members = Array.from({ length: columns }, () => []);
    solid.column.forEach((column, v) => {
      this.#members[column].push(v);
    });
  }

  /** The weights of a bone, 0…1, in the voxels that it reaches: `voxels` are solid voxels, others have none. */
  solve(column: number): { voxels: Uint32Array; weights: Float64Array; rounds: number } {
    const voxels = this.#reach(column);
    const n = voxels.length;
    for (let i = 0; i < n; i++) this.#placeOf[voxels[i]] = i;
    const near = new Int32Array(6 * n);
    const diagonal = new Float64Array(n);
    const right = new Float64Array(n);
    const weights = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const v = voxels[i];
      for (let e = 0; e < 6; e++) {
        const other = this.#solid.neighbours[6 * v + e];
        near[6 * i + e] = other < 0 ? -1 : this.#placeOf[other];
      }
      diagonal[i] = this.#diagonal[v];
      if (this.#solid.column[v] !== column) continue;
      weights[i] = 1;
      right[i] = this.#tie[v];
    }
    for (let i = 0; i < n; i++) this.#placeOf[voxels[i]] = -1;
    const rounds = conjugateGradients(near, diagonal, right, weights);
    for (let i = 0; i < n; i++) weights[i] = Math.min(1, Math.max(0, weights[i]));
    return { voxels, weights, rounds };
  }

  /** The voxels that a notable part of a bone's heat can reach. */
  #reach(column: number): Uint32Array {
    const { neighbours } = this.#solid;
    const limit = -Math.log(NEGLIGIBLE);
    const lost = this.#lost;
    const found: number[] = [];
    const queue = new PriorityQueue();
    const add = (v: number, sum: number): void => {
      if (lost[v] === Infinity) found.push(v);
      lost[v] = sum;
      queue.push(sum, v);
    };
    for (const v of this.#members[column]) add(v, 0);
    while (queue.pop()) {
      const { item: v, priority } = queue;
      if (priority > lost[v]) continue;
      for (let q = 6 * v; q < 6 * v + 6; q++) {
        const other = neighbours[q];
        if (other < 0) continue;
        const sum = priority + (this.#decay[v] + this.#decay[other]) / 2;
        if (sum <= limit && sum < lost[other]) add(other, sum);
      }
    }
    for (const v of found) lost[v] = Infinity;
    return Uint32Array.from(found).sort();
  }
}

/**
 * Improves x until diagonal·x − Σ_near x = right, by conjugate gradients with Jacobi's preconditioner. Returns the rounds.
 *
 * @param near 6n, −1 where there is no neighbour. @param diagonal at least as large as the row's neighbours are many.
 */
function conjugateGradients(near: Int32Array, diagonal: Float64Array, right: Float64Array, x: Float64Array): number {
  const n = x.length;
  const residual = new Float64Array(n);
  const direction = new Float64Array(n);
  const image = new Float64Array(n);
  apply(near, diagonal, x, image);
  let size = 0;
  let slope = 0;
  for (let i = 0; i < n; i++) {
    residual[i] = right[i] - image[i];
    direction[i] = residual[i] / diagonal[i];
    slope += residual[i] * direction[i];
    size += (right[i] * right[i]) / diagonal[i];
  }
  const enough = TOLERANCE * TOLERANCE * size;
  let round = 0;
  for (; slope > enough && round < MOST_ROUNDS; round++) {
    apply(near, diagonal, direction, image);
    let curvature = 0;
    for (let i = 0; i < n; i++) curvature += direction[i] * image[i];
    const step = slope / curvature;
    let next = 0;
    for (let i = 0; i < n; i++) {
      x[i] += step * direction[i];
      residual[i] -= step * image[i];
      next += (residual[i] * residual[i]) / diagonal[i];
    }
    const keep = next / slope;
    for (let i = 0; i < n; i++) direction[i] = residual[i] / diagonal[i] + keep * direction[i];
    slope = next;
  }
  return round;
}

function apply(near: Int32Array, diagonal: Float64Array, x: Float64Array, out: Float64Array): void {
  for (let i = 0, q = 0; i < x.length; i++, q += 6) {
    let sum = diagonal[i] * x[i];
    for (let e = q; e < q + 6; e++) if (near[e] >= 0) sum -= x[near[e]];
    out[i] = sum;
  }
}
