import { DenseSimplexQp } from '../../math/simplex-qp.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import type { Bones } from './cluster-bones.ts';

/**
 * Weights of vertices, Σ_b w_b (R_b v + t_b) ≈ v', over all examples, on the simplex. With the columns
 * D_b = stacked (R_b v + t_b − v') the error is wᵀ(DᵀD)w.
 */

/** Bones that a vertex looks at: near ones, then of these the best by themselves. */
const NEAR = 14;
const BEST = 8;
/** Bones that a vertex keeps. */
const INFLUENCES = 4;

/** `near` may be kept from call to call while bones move but not their faces. */
export async function vertexWeights(
  examples: Examples,
  bones: Bones,
  run: RunOptions = {},
  near: readonly (readonly number[])[] = nearBones(examples, bones),
): Promise<SkinWeights> {
  const { rest, poses } = examples;
  const n = vertexCount(rest);
  const joints = new Uint16Array(n * INFLUENCES);
  const weights = new Float32Array(n * INFLUENCES);
  const rows = 3 * poses.length;
  const seen = new Float64Array(rows);
  const columns = new Float64Array(NEAR * rows);
  const motions = byBone(bones, poses.length);
  const solver = new SupportSolver(rows);
  for (let i = 0; i < n; i++) {
    if (i % 1000 === 0) await checkpoint(run, 'learn', i, n, 'weights');
    for (let k = 0; k < poses.length; k++) {
      for (let r = 0; r < 3; r++) seen[3 * k + r] = poses[k][3 * i + r];
    }
    near[i].forEach((b, slot) => {
      strayOfVertex(columns, slot * rows, rest.positions, 3 * i, motions, 4 * rows * b, seen);
    });
    solver.solve(columns, near[i], INFLUENCES, joints, weights, i * INFLUENCES);
  }
  return { influences: INFLUENCES, joints, weights };
}

/** B·E·12: transforms bone by bone, which is how they are read here. */
function byBone({ transforms, count }: Bones, e: number): Float64Array {
  const out = new Float64Array(transforms.length);
  for (let b = 0; b < count; b++) {
    for (let k = 0; k < e; k++) {
      const from = MATRIX_STRIDE * (k * count + b);
      out.set(transforms.subarray(from, from + MATRIX_STRIDE), MATRIX_STRIDE * (b * e + k));
    }
  }
  return out;
}

/** R_b v + t_b − v', over the examples, into out at o; the vertex is at i of v, the bone's motions at m of `motions`. */
function strayOfVertex(
  out: Float64Array,
  o: number,
  v: Float32Array,
  i: number,
  motions: Float64Array,
  m: number,
  seen: Float64Array,
): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  for (let row = 0, at = m; row < seen.length; row++, at += 4) {
    out[o + row] = motions[at] * x + motions[at + 1] * y + motions[at + 2] * z + motions[at + 3] - seen[row];
  }
}

/** Best weights on a few of many columns. */
class SupportSolver {
  readonly #rows: number;
  readonly #gram = new Float64Array(BEST * BEST);
  readonly #small = new Float64Array(BEST * BEST);
  readonly #qp = new DenseSimplexQp(BEST, BEST);

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** Writes `keep` bones and weights at `o`, falling. `columns`: one row of errors per candidate. */
  solve(
    columns: Float64Array,
    candidates: readonly number[],
    keep: number,
    joints: Uint16Array,
    weights: Float32Array,
    o: number,
  ): void {
    const alone = candidates.map((_, slot) => this.#dot(columns, slot, slot));
    const order = candidates.map((_, slot) => slot).sort((a, b) => alone[a] - alone[b]);
    let chosen = order.slice(0, BEST);
    const gram = this.#gramOf(columns, chosen);
    const { w } = this.#qp;
    w.fill(0);
    w[0] = 1;
    this.#qp.minimize(gram, chosen.length);
    if (chosen.length > keep) {
      // The heaviest stay, and share anew.
      const heaviest = chosen
        .map((_, s) => s)
        .sort((a, b) => w[b] - w[a])
        .slice(0, keep);
      const n = chosen.length;
      const sum = heaviest.reduce((total, s) => total + w[s], 0);
      const start = heaviest.map((s) => w[s] / sum);
      for (let a = 0; a < keep; a++) {
        for (let b = 0; b < keep; b++) this.#small[a * keep + b] = gram[heaviest[a] * n + heaviest[b]];
      }
      chosen = heaviest.map((s) => chosen[s]);
      w.fill(0);
      w.set(start);
      this.#qp.minimize(this.#small, keep);
    }
    const ranked = chosen.map((slot, s) => [candidates[slot], w[s]]).sort((a, b) => b[1] - a[1]);
    const total = ranked.reduce((sum, [, weight]) => sum + weight, 0);
    ranked.forEach(([b, weight], s) => {
      joints[o + s] = weight > 0 ? b : 0;
      weights[o + s] = weight / total;
    });
  }

  #gramOf(columns: Float64Array, chosen: readonly number[]): Float64Array {
    const n = chosen.length;
    for (let a = 0; a < n; a++) {
      for (let b = 0; b <= a; b++) {
        const value = this.#dot(columns, chosen[a], chosen[b]);
        this.#gram[a * n + b] = value;
        this.#gram[b * n + a] = value;
      }
    }
    return this.#gram;
  }

  #dot(columns: Float64Array, a: number, b: number): number {
    const rows = this.#rows;
    let sum = 0;
    for (let r = 0; r < rows; r++) sum += columns[a * rows + r] * columns[b * rows + r];
    return sum;
  }
}

/** For every vertex the bones around it, its own first, then those within two steps from bone to bone, nearest first. */
export function nearBones({ rest }: Examples, bones: Bones): number[][] {
  const { triangles, positions } = rest;
  const n = vertexCount(rest);
  const own: Set<number>[] = Array.from({ length: n }, () => new Set());
  const centres = new Float64Array(3 * bones.count);
  const mass = new Float64Array(bones.count);
  triangles.forEach((i, c) => {
    const b = bones.boneOf[Math.floor(c / 3)];
    own[i].add(b);
    mass[b]++;
    for (let r = 0; r < 3; r++) centres[3 * b + r] += positions[3 * i + r];
  });
  for (let b = 0; b < bones.count; b++) for (let r = 0; r < 3; r++) centres[3 * b + r] /= mass[b];
  const beside: Set<number>[] = Array.from({ length: bones.count }, () => new Set());
  for (const around of own) for (const a of around) for (const b of around) beside[a].add(b);
  const within2 = beside.map((first) => {
    const reached = new Set<number>();
    for (const b of first) for (const c of beside[b]) reached.add(c);
    return [...reached];
  });
  const all = Array.from({ length: bones.count }, (_, b) => b);
  return own.map((mine, i) => {
    const reached = mine.size > 0 ? new Set([...mine].flatMap((b) => within2[b])) : new Set(all);
    const distance = (b: number): number =>
      Math.hypot(
        centres[3 * b] - positions[3 * i],
        centres[3 * b + 1] - positions[3 * i + 1],
        centres[3 * b + 2] - positions[3 * i + 2],
      );
    const others = [...reached].filter((b) => !mine.has(b)).sort((a, b) => distance(a) - distance(b));
    return [...mine, ...others].slice(0, NEAR);
  });
}
