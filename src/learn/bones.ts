import { polar3 } from '../math/svd3.ts';
import { connectedComponents, faceNeighbours, meshEdges } from '../mesh/adjacency.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { Examples } from './examples.ts';

/**
 * Proxy bones with rigid transforms (document 001, §2.3): faces that move alike form a bone. A face's error under a bone
 * counts its vertices, |R·v + t − x|², and its edges, whose orientation and length a rotation must explain alone,
 * |R·e − e'|². Clusters are split where the error is largest, in rounds that at most double their number; after each round
 * faces at the borders go to the neighbour that explains them best (Lloyd's iteration).
 */
export interface Bones {
  count: number;
  /** F: face → bone. */
  boneOf: Int32Array;
  /** E·B·12: rest → example e, rigid; row-major 3 × 4 at 12·(e·B + b). */
  transforms: Float64Array;
}

/** Numbers that a bone's transform is made of, per example. */
const SUMS = 12;
/** What an edge counts against a vertex. */
const EDGE_SHARE = 0.5;
/** Lloyd iterations after each round of splits, and after the last. */
const SETTLE = 3;
const FINISH = 8;

export async function clusterBones(examples: Examples, wanted: number, run: RunOptions = {}): Promise<Bones> {
  const clusters = new FaceClusters(examples, wanted);
  const target = Math.min(wanted, clusters.faceCount);
  while (clusters.count < target) {
    await checkpoint(run, 'learn', clusters.count, target, 'placing bones');
    const before = clusters.count;
    clusters.split(target);
    if (clusters.count === before) break; // every cluster moves rigidly as it is
    for (let pass = 0; pass < SETTLE; pass++) clusters.settle();
  }
  for (let pass = 0; pass < FINISH; pass++) {
    await checkpoint(run, 'learn', pass, FINISH, 'settling bones');
    if (clusters.settle() === 0) break;
  }
  return { count: clusters.count, boneOf: clusters.boneOf, transforms: clusters.transforms };
}

class FaceClusters {
  readonly faceCount: number;
  readonly boneOf: Int32Array;
  count: number;
  transforms: Float64Array;
  readonly #examples: Examples;
  readonly #neighbours: { offsets: Uint32Array; items: Uint32Array };

  /** Per example and bone, over its faces' corners: Σ x (3), Σ x·vᵀ and edges' e'·eᵀ (9). Kept up to date as faces move. */
  readonly #sums: Float64Array;
  /** Per bone: the number of corners, Σ v. */
  readonly #restSums: Float64Array;
  /** The bones that the sums have room for. */
  readonly #most: number;

  constructor(examples: Examples, wanted: number) {
    const { triangles } = examples.rest;
    const n = vertexCount(examples.rest);
    this.#examples = examples;
    this.faceCount = triangles.length / 3;
    this.#neighbours = faceNeighbours(meshEdges(triangles, n));
    // Parts of a mesh move on their own: they are the first clusters.
    const { componentOf } = connectedComponents(triangles, n);
    const numbers = new Map<number, number>();
    this.boneOf = Int32Array.from({ length: this.faceCount }, (_, f) => {
      const part = componentOf[triangles[3 * f]];
      if (!numbers.has(part)) numbers.set(part, numbers.size);
      return numbers.get(part)!;
    });
    this.count = numbers.size;
    const most = Math.max(wanted, this.count);
    this.transforms = new Float64Array(0);
    this.#sums = new Float64Array(SUMS * most * examples.poses.length);
    this.#restSums = new Float64Array(4 * most);
    this.#most = most;
    for (let f = 0; f < this.faceCount; f++) this.#enter(f, this.boneOf[f], 1);
    this.#solve();
  }

  /** One Lloyd iteration: border faces choose, then bones follow. Returns how many faces moved. */
  settle(): number {
    const { boneOf, count } = this;
    const { offsets, items } = this.#neighbours;
    const sizes = new Int32Array(count);
    for (const b of boneOf) sizes[b]++;
    const before = boneOf.slice();
    let moved = 0;
    for (let f = 0; f < this.faceCount; f++) {
      const own = before[f];
      let best = own;
      let least = Number.NaN;
      for (let q = offsets[f]; q < offsets[f + 1]; q++) {
        const other = before[items[q]];
        if (other === own || other === best || sizes[own] === 1) continue;
        if (Number.isNaN(least)) least = this.#error(f, own, Infinity);
        const error = this.#error(f, other, least);
        if (error < least) {
          least = error;
          best = other;
        }
      }
      if (best === own) continue;
      this.#move(f, best);
      sizes[own]--;
      sizes[best]++;
      moved++;
    }
    this.#solve();
    return moved;
  }

  /** Splits the worst clusters, at most each once, until there are `target`. */
  split(target: number): void {
    const errors = new Float64Array(this.count);
    const sizes = new Int32Array(this.count);
    let total = 0;
    for (let f = 0; f < this.faceCount; f++) {
      const error = this.#error(f, this.boneOf[f], Infinity);
      errors[this.boneOf[f]] += error;
      sizes[this.boneOf[f]]++;
      total += error;
    }
    // Only clusters above a fair share are split, so that later rounds can still spend bones where they are needed.
    const fair = (0.5 * total) / target;
    const worst = Array.from({ length: this.count }, (_, b) => b)
      .filter((b) => sizes[b] > 1 && errors[b] > 0)
      .sort((a, b) => errors[b] - errors[a]);
    const above = worst.filter((b) => errors[b] > fair);
    for (const b of above.length > 0 ? above : worst.slice(0, 1)) {
      if (this.count === target) break;
      this.#halve(b);
    }
    this.#solve();
  }

  /** Halves a cluster along the principal direction of what its bone leaves over. */
  #halve(b: number): void {
    const faces = Array.from(this.boneOf.keys()).filter((f) => this.boneOf[f] === b);
    const d = 3 * this.#examples.poses.length;
    const residuals = this.#residuals(faces, b);
    const mean = new Float64Array(d);
    for (let f = 0; f < faces.length; f++) for (let c = 0; c < d; c++) mean[c] += residuals[f * d + c] / faces.length;
    for (let f = 0; f < faces.length; f++) for (let c = 0; c < d; c++) residuals[f * d + c] -= mean[c];
    const along = principalCoordinates(residuals, faces.length, d);
    const side = faces.filter((_, f) => along[f] > 0);
    if (side.length === 0 || side.length === faces.length) return;
    for (const f of side) this.#move(f, this.count);
    this.count++;
  }

  /** faces × 3E: how the faces' centroids stray in their bone's own coordinates. */
  #residuals(faces: readonly number[], b: number): Float64Array {
    const { poses, rest } = this.#examples;
    const { triangles, positions } = rest;
    const e = poses.length;
    const out = new Float64Array(faces.length * 3 * e);
    poses.forEach((pose, k) => {
      // `count` is already ahead of the transforms while clusters are being halved.
      const bones = this.transforms.length / (MATRIX_STRIDE * e);
      const m = this.transforms.subarray(MATRIX_STRIDE * (k * bones + b));
      faces.forEach((f, row) => {
        for (let c = 0; c < 3; c++) {
          const v = 3 * triangles[3 * f + c];
          for (let r = 0; r < 3; r++) {
            let moved = 0;
            for (let s = 0; s < 3; s++) moved += m[4 * s + r] * (pose[v + s] - m[4 * s + 3]);
            out[(row * e + k) * 3 + r] += (moved - positions[v + r]) / 3;
          }
        }
      });
    });
    return out;
  }

  /** Σ over examples of face f's error under bone b; gives up beyond `limit`. */
  #error(f: number, b: number, limit: number): number {
    const { poses, rest } = this.#examples;
    const { triangles, positions: v } = rest;
    const corners = [3 * triangles[3 * f], 3 * triangles[3 * f + 1], 3 * triangles[3 * f + 2]];
    const { transforms: m, count } = this;
    let sum = 0;
    for (let k = 0; k < poses.length && sum < limit; k++) {
      const x = poses[k];
      const o = MATRIX_STRIDE * (k * count + b);
      for (let c = 0; c < 3; c++) {
        const p = corners[c];
        const q = corners[c === 2 ? 0 : c + 1];
        for (let r = 0; r < 3; r++) {
          const row = o + 4 * r;
          const stray = m[row] * v[p] + m[row + 1] * v[p + 1] + m[row + 2] * v[p + 2] + m[row + 3] - x[p + r];
          const turned =
            m[row] * (v[p] - v[q]) + m[row + 1] * (v[p + 1] - v[q + 1]) + m[row + 2] * (v[p + 2] - v[q + 2]);
          const edge = turned - (x[p + r] - x[q + r]);
          sum += stray * stray + EDGE_SHARE * edge * edge;
        }
      }
    }
    return sum;
  }

  #move(f: number, b: number): void {
    this.#enter(f, this.boneOf[f], -1);
    this.#enter(f, b, 1);
    this.boneOf[f] = b;
  }

  /** Adds (sign 1) or takes away (−1) what face f contributes to the sums of bone b. */
  #enter(f: number, b: number, sign: number): void {
    const { poses, rest } = this.#examples;
    const { triangles, positions: v } = rest;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const p = 3 * triangles[c];
      const q = 3 * triangles[c % 3 === 2 ? c - 2 : c + 1];
      const [vx, vy, vz] = [v[p], v[p + 1], v[p + 2]];
      const [ex, ey, ez] = [vx - v[q], vy - v[q + 1], vz - v[q + 2]];
      this.#restSums[4 * b] += sign;
      this.#restSums[4 * b + 1] += sign * vx;
      this.#restSums[4 * b + 2] += sign * vy;
      this.#restSums[4 * b + 3] += sign * vz;
      for (let k = 0; k < poses.length; k++) {
        const x = poses[k];
        const o = SUMS * (k * this.#most + b);
        for (let r = 0; r < 3; r++) {
          const xr = sign * x[p + r];
          const er = EDGE_SHARE * sign * (x[p + r] - x[q + r]);
          this.#sums[o + r] += xr;
          this.#sums[o + 3 + 3 * r] += xr * vx + er * ex;
          this.#sums[o + 4 + 3 * r] += xr * vy + er * ey;
          this.#sums[o + 5 + 3 * r] += xr * vz + er * ez;
        }
      }
    }
  }

  /** The rigid transform of every bone in every example: orthogonal Procrustes over its vertices and edges. */
  #solve(): void {
    const { count } = this;
    const examples = this.#examples.poses.length;
    const transforms = new Float64Array(MATRIX_STRIDE * examples * count);
    const sums = this.#sums;
    const rests = this.#restSums;
    const a = new Float64Array(9);
    const rotation = new Float64Array(9);
    const stretch = new Float64Array(9);
    for (let k = 0; k < examples; k++) {
      for (let b = 0; b < count; b++) {
        const from = SUMS * (k * this.#most + b);
        const mass = rests[4 * b];
        for (let r = 0; r < 3; r++) {
          for (let s = 0; s < 3; s++) {
            a[3 * r + s] = sums[from + 3 + 3 * r + s] - (sums[from + r] * rests[4 * b + 1 + s]) / mass;
          }
        }
        polar3(rotation, stretch, a);
        const o = MATRIX_STRIDE * (k * count + b);
        for (let r = 0; r < 3; r++) {
          let t = sums[from + r];
          for (let s = 0; s < 3; s++) {
            transforms[o + 4 * r + s] = rotation[3 * r + s];
            t -= rotation[3 * r + s] * rests[4 * b + 1 + s];
          }
          transforms[o + 4 * r + 3] = t / mass;
        }
      }
    }
    this.transforms = transforms;
  }
}

/** Coordinates of n centred rows (n × d) along their principal direction, by power iteration from the longest row. */
function principalCoordinates(rows: Float64Array, n: number, d: number): Float64Array {
  const along = new Float64Array(n);
  let longest = 0;
  let most = -1;
  for (let i = 0; i < n; i++) {
    let norm = 0;
    for (let c = 0; c < d; c++) norm += rows[i * d + c] ** 2;
    if (norm > most) [longest, most] = [i, norm];
  }
  let direction = rows.slice(longest * d, (longest + 1) * d);
  for (let pass = 0; pass < 8; pass++) {
    const next = new Float64Array(d);
    for (let i = 0; i < n; i++) {
      let dot = 0;
      for (let c = 0; c < d; c++) dot += rows[i * d + c] * direction[c];
      along[i] = dot;
      for (let c = 0; c < d; c++) next[c] += dot * rows[i * d + c];
    }
    let norm = 0;
    for (let c = 0; c < d; c++) norm += next[c] ** 2;
    if (!(norm > 0)) break;
    for (let c = 0; c < d; c++) next[c] /= Math.sqrt(norm);
    direction = next;
  }
  return along;
}
