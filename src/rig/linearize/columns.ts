import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { Problem, Training } from './problem.ts';

/** What a blend bone is a sample of: Φ(u; masters). At most four masters, as vertices have. */
export interface BlendSample {
  /** Master bones, rising. */
  masters: readonly number[];
  /** u ≥ 0 of each, sum 1. */
  u: Float64Array;
}

/** A blend bone among the columns of the problem. */
interface BlendColumn extends BlendSample {
  /** F matrices. */
  matrices: Float64Array;
  /** B: u by master bone. */
  dense: Float64Array;
  /** n: 1 where a vertex follows one of the masters (§4.2), which makes the bone one of its candidates. */
  reaches: Uint8Array;
}

/** The influences that Φ sees for u: the heaviest master first, as for vertices. */
export function influencesOf({ masters, u }: BlendSample): {
  joints: number[];
  weights: number[];
  start: 0;
  k: number;
} {
  const order = masters.map((_, l) => l).sort((a, b) => u[b] - u[a] || a - b);
  return { joints: order.map((l) => masters[l]), weights: order.map((l) => u[l]), start: 0, k: order.length };
}

/** Writes the F matrices Φ(u; C) of a blend bone. */
export function blendMatrices(
  bone: BlendSample,
  { poses, roots, blend, antipodality }: Training,
  out: Float64Array = new Float64Array(MATRIX_STRIDE * poses.length),
): Float64Array {
  const phi = new Float64Array(MATRIX_STRIDE);
  const at = influencesOf(bone);
  for (let k = 0; k < poses.length; k++) {
    blend(phi, at, poses[k], antipodality);
    for (let c = 0; c < MATRIX_STRIDE; c++) out[MATRIX_STRIDE * k + c] = roots[k] * phi[c];
  }
  return out;
}

/**
 * What vertices can follow: columns 0 … B − 1 are the master bones, B, B + 1, … the blend bones. A column has F matrices,
 * and master weights a_c (see `makeProblem`), of which products are wanted.
 */
export class Columns {
  readonly problem: Problem;
  readonly blends: BlendColumn[] = [];
  readonly #masters: readonly BlendSample[];

  constructor(problem: Problem) {
    this.problem = problem;
    this.#masters = problem.masterMatrices.map((_, j) => ({ masters: [j], u: Float64Array.of(1) }));
  }

  get count(): number {
    return this.problem.bones + this.blends.length;
  }

  add(bone: BlendSample): void {
    const { bones, count, masters, starts } = this.problem;
    const wanted = new Uint8Array(bones);
    for (const j of bone.masters) wanted[j] = 1;
    const reaches = new Uint8Array(count);
    for (let i = 0; i < count; i++) for (let s = starts[i]; s < starts[i + 1]; s++) reaches[i] |= wanted[masters[s]];
    const column = { ...bone, matrices: new Float64Array(0), dense: new Float64Array(bones), reaches };
    this.blends.push(column);
    this.move(this.blends.length - 1, bone.u);
  }

  removeAt(k: number): void {
    this.blends.splice(k, 1);
  }

  /** Gives blend bone k other weights. */
  move(k: number, u: Float64Array): void {
    const column = this.blends[k];
    column.u = Float64Array.from(u);
    column.matrices = blendMatrices(column, this.problem.training);
    column.dense.fill(0);
    column.masters.forEach((j, l) => {
      column.dense[j] = u[l];
    });
  }

  matrices(c: number): Float64Array {
    const { bones, masterMatrices } = this.problem;
    return c < bones ? masterMatrices[c] : this.blends[c - bones].matrices;
  }

  /** a_c: the masters of column c, and how much it has of each. */
  sample(c: number): BlendSample {
    const { bones } = this.problem;
    return c < bones ? this.#masters[c] : this.blends[c - bones];
  }

  /** a_c · x for a vector over the master bones. */
  dot(c: number, x: Float64Array): number {
    const { masters, u } = this.sample(c);
    let sum = 0;
    for (let l = 0; l < masters.length; l++) sum += u[l] * x[masters[l]];
    return sum;
  }

  /** a_c · a_d. */
  dotOf(c: number, d: number): number {
    const { bones } = this.problem;
    if (d < bones) return c < bones ? (c === d ? 1 : 0) : this.blends[c - bones].dense[d];
    return this.dot(c, this.blends[d - bones].dense);
  }

  /** Writes the candidates of vertex i (§4.2): its own masters, then the blend bones that share one. Returns how many. */
  candidates(out: Int32Array, i: number): number {
    const { bones, starts, masters } = this.problem;
    let n = 0;
    for (let s = starts[i]; s < starts[i + 1]; s++) out[n++] = masters[s];
    for (let k = 0; k < this.blends.length; k++) if (this.blends[k].reaches[i]) out[n++] = bones + k;
    return n;
  }
}
