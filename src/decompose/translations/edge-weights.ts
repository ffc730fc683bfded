import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { type Edges, edgeCount } from '../../mesh/adjacency.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/**
 * Weights of edges (Feng 2010, (2.10)): Σ_b ŵ_b R_b e ≈ e' over all examples, by least squares.
 *
 * Nothing asks for ŵ ≥ 0 or Σŵ = 1, as an edge has no position to keep, and without that edges may stretch as the examples
 * do. On the simplex they keep their length, and (2.11) adds up what is missing over the whole surface: with the true
 * rotations its error was 4 × as large on a galloping horse, 2 × on faces.
 */

/** Draws ŵ to the mean of the weights of the ends, where bones turn alike; in units of the mean diagonal. */
const RIDGE = 1e-4;

/** Rigid bones: E·B·12, rest → example. */
interface RigidBones {
  count: number;
  transforms: Float64Array;
}

/** For every edge, weights of the bones of its two ends. */
export async function edgeWeights(
  { poses, rest }: { rest: Mesh; poses: readonly Float32Array[] },
  bones: RigidBones,
  skin: SkinWeights,
  edges: Edges,
  run: RunOptions = {},
): Promise<SkinWeights> {
  const count = edgeCount(edges);
  const influences = 2 * skin.influences;
  const joints = new Uint16Array(count * influences);
  const weights = new Float32Array(count * influences);
  const rows = 3 * poses.length;
  const turned = new Float64Array(influences * rows);
  const seen = new Float64Array(rows);
  const gram = new Float64Array(influences * influences);
  const w = new Float64Array(influences);
  for (let e = 0; e < count; e++) {
    if (e % 1000 === 0) await checkpoint(run, 'fit', e, count, 'computing edge weights');
    const [p, q] = [3 * edges.vertices[2 * e], 3 * edges.vertices[2 * e + 1]];
    const shares = sharesOf(skin, p / 3, q / 3);
    const n = shares.size;
    poses.forEach((pose, k) => {
      for (let r = 0; r < 3; r++) seen[3 * k + r] = pose[p + r] - pose[q + r];
    });
    let slot = 0;
    for (const [b, share] of shares) {
      joints[e * influences + slot] = b;
      w[slot] = share;
      turnEdge(turned.subarray(slot * rows, ++slot * rows), rest.positions, p, q, bones, b);
    }
    solveEdge(w, gram, turned, seen, n);
    for (let s = 0; s < n; s++) weights[e * influences + s] = w[s];
  }
  return { influences, joints, weights };
}

/** Bone → the mean of its weights at both ends. */
function sharesOf({ influences, joints, weights }: SkinWeights, p: number, q: number): Map<number, number> {
  const shares = new Map<number, number>();
  for (const i of [p, q]) {
    for (let s = i * influences; s < (i + 1) * influences; s++) {
      if (weights[s] > 0) shares.set(joints[s], (shares.get(joints[s]) ?? 0) + weights[s] / 2);
    }
  }
  return shares;
}

/** R_b e, over the examples. */
function turnEdge(
  out: Float64Array,
  v: Float32Array,
  p: number,
  q: number,
  { transforms: m, count }: RigidBones,
  b: number,
): void {
  const x = v[p] - v[q];
  const y = v[p + 1] - v[q + 1];
  const z = v[p + 2] - v[q + 2];
  for (let at = 0; at < out.length; at += 3) {
    const o = MATRIX_STRIDE * ((at / 3) * count + b);
    for (let r = 0; r < 3; r++) out[at + r] = m[o + 4 * r] * x + m[o + 4 * r + 1] * y + m[o + 4 * r + 2] * z;
  }
}

/** w (n) from where it is to least squares of Σ w_s·turned_s (n rows) against `seen`. */
function solveEdge(w: Float64Array, gram: Float64Array, turned: Float64Array, seen: Float64Array, n: number): void {
  const rows = seen.length;
  const dot = (a: number, y: Float64Array, b: number): number => {
    let sum = 0;
    for (let r = 0; r < rows; r++) sum += turned[a * rows + r] * y[b * rows + r];
    return sum;
  };
  let trace = 0;
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) gram[a * n + b] = gram[b * n + a] = dot(a, turned, b);
    trace += gram[a * n + a];
  }
  if (!(trace > 0)) return; // an edge of no length
  const ridge = (RIDGE * trace) / n;
  for (let a = 0; a < n; a++) {
    w[a] = ridge * w[a] + dot(a, seen, 0);
    gram[a * n + a] += ridge;
  }
  choleskyFactor(gram, n);
  choleskySolve(gram, n, w, 1);
}
