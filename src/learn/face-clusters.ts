import { polar3 } from '../math/svd3.ts';
import { connectedComponents, faceNeighbours, meshEdges } from '../mesh/adjacency.ts';
import { vertexCount } from '../model/mesh.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { Examples } from './examples.ts';

/** Numbers that a bone's transform is made of, per example. */
const SUMS = 12;
/** Numbers of a face per example: its centroid, and two of its edges. */
const SHAPE = 9;
/** What an edge counts against a vertex. */
const EDGE_SHARE = 0.5;
/** A cluster whose faces stray less than this, as a fraction of the largest coordinate, is rigid but for rounding. */
const ROUNDING = 3e-7;
/** Faces by which the direction is found that halves a cluster. */
const HALVING_SAMPLE = 512;
/**
 * What edges and corners about their centroid count. With d₁ and d₂ the errors of two edges, the third's is d₁ − d₂, so the
 * three edges sum to 2·(|d₁|² + |d₂|² − d₁·d₂), and the corners, less their mean, to a third of that.
 */
const SHAPE_SHARE = 2 * EDGE_SHARE + 2 / 3;

/** Faces in clusters, each with the rigid motion that explains it best in every example: see bones.ts. */
export class FaceClusters {
  readonly faceCount: number;
  readonly boneOf: Int32Array;
  count: number;
  readonly #examples: Examples;
  readonly #neighbours: { offsets: Uint32Array; items: Uint32Array };
  /** B·E·12: bone by bone, which is how they are read here. */
  readonly #motions: Float64Array;
  /** Per bone and example: Σ 3x̄ (3), and Σ 3x̄·v̄ᵀ with the edges' share (9). Kept up to date as faces move. */
  readonly #sums: Float64Array;
  /** Per bone: the number of corners, Σ 3v̄. */
  readonly #restSums: Float64Array;
  /** The face that was loaded last: 9 numbers of the rest pose, and of each example. */
  readonly #restShape = new Float64Array(SHAPE);
  readonly #shapes: Float64Array;
  /** Squared error of a face that rounding may cause. */
  readonly #rounding: number;

  constructor(examples: Examples, wanted: number) {
    const { triangles, positions } = examples.rest;
    const n = vertexCount(examples.rest);
    const e = examples.poses.length;
    this.#examples = examples;
    this.faceCount = triangles.length / 3;
    this.#neighbours = faceNeighbours(meshEdges(triangles, n));
    // Parts of a mesh move on their own: they are the first clusters, if there are bones enough.
    const { componentOf } = connectedComponents(triangles, n);
    const numbers = new Map<number, number>();
    for (let c = 0; c < triangles.length; c += 3) {
      const part = componentOf[triangles[c]];
      if (!numbers.has(part)) numbers.set(part, numbers.size);
    }
    const apart = numbers.size <= wanted;
    this.boneOf = new Int32Array(this.faceCount);
    if (apart) for (let f = 0; f < this.faceCount; f++) this.boneOf[f] = numbers.get(componentOf[triangles[3 * f]])!;
    this.count = apart ? numbers.size : 1;
    const most = Math.max(wanted, this.count);
    this.#motions = new Float64Array(MATRIX_STRIDE * most * e);
    this.#sums = new Float64Array(SUMS * most * e);
    this.#restSums = new Float64Array(4 * most);
    this.#shapes = new Float64Array(SHAPE * e);
    let largest = 0;
    for (const pose of [positions, ...examples.poses]) for (const x of pose) largest = Math.max(largest, Math.abs(x));
    this.#rounding = 3 * e * (ROUNDING * largest) ** 2;
    for (let f = 0; f < this.faceCount; f++) {
      this.#load(f);
      this.#enter(this.boneOf[f], 1);
    }
    this.#solve();
  }

  /** E·B·12. */
  transforms(): Float64Array {
    const e = this.#examples.poses.length;
    const out = new Float64Array(MATRIX_STRIDE * e * this.count);
    for (let b = 0; b < this.count; b++) {
      for (let k = 0; k < e; k++) {
        const from = MATRIX_STRIDE * (b * e + k);
        out.set(this.#motions.subarray(from, from + MATRIX_STRIDE), MATRIX_STRIDE * (k * this.count + b));
      }
    }
    return out;
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
        if (Number.isNaN(least)) {
          this.#load(f);
          least = this.#error(own, Infinity);
        }
        const error = this.#error(other, least);
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
      this.#load(f);
      const error = this.#error(this.boneOf[f], Infinity);
      errors[this.boneOf[f]] += error;
      sizes[this.boneOf[f]]++;
      total += error;
    }
    // Only clusters above a fair share are split, so that later rounds can still spend bones where they are needed.
    const fair = (0.5 * total) / target;
    const worst = Array.from({ length: this.count }, (_, b) => b)
      .filter((b) => sizes[b] > 1 && errors[b] > this.#rounding * sizes[b])
      .sort((a, b) => errors[b] - errors[a]);
    const above = worst.filter((b) => errors[b] > fair);
    const halved = above.length > 0 ? above : worst.slice(0, 1);
    const members = new Map<number, number[]>(halved.map((b) => [b, []]));
    for (let f = 0; f < this.faceCount; f++) members.get(this.boneOf[f])?.push(f);
    for (const b of halved) {
      if (this.count === target) break;
      this.#halve(b, members.get(b)!);
    }
    this.#solve();
  }

  /**
   * Halves a cluster along the principal direction of what its bone leaves over at the faces' centroids, in its own
   * coordinates: Rᵀ(x̄ − t) − v̄, 3E numbers. Along a direction d that is Σ_k (R_k·d_k)·(x̄_k − t_k) − d_k·v̄.
   */
  #halve(b: number, faces: readonly number[]): void {
    const e = this.#examples.poses.length;
    const m = this.#motions.subarray(MATRIX_STRIDE * b * e, MATRIX_STRIDE * (b + 1) * e);
    const direction = principalDirection(...this.#residuals(m, faces));
    const turned = new Float64Array(3 * e);
    const restSide = new Float64Array(3);
    let constant = 0;
    for (let k = 0; k < e; k++) {
      for (let r = 0; r < 3; r++) {
        const row = MATRIX_STRIDE * k + 4 * r;
        const [x, y, z] = direction.subarray(3 * k, 3 * k + 3);
        turned[3 * k + r] = m[row] * x + m[row + 1] * y + m[row + 2] * z;
        constant += turned[3 * k + r] * m[row + 3];
        restSide[r] += direction[3 * k + r];
      }
    }
    const along = new Float64Array(faces.length);
    let mean = 0;
    faces.forEach((f, at) => {
      this.#load(f);
      const [s, v] = [this.#shapes, this.#restShape];
      let sum = -constant;
      for (let r = 0; r < 3; r++) sum -= restSide[r] * v[r];
      for (let k = 0; k < e; k++) {
        for (let r = 0; r < 3; r++) sum += turned[3 * k + r] * s[SHAPE * k + r];
      }
      along[at] = sum;
      mean += sum / faces.length;
    });
    const side = faces.filter((_, at) => along[at] > mean);
    if (side.length === 0 || side.length === faces.length) return;
    for (const f of side) {
      this.#load(f);
      this.#move(f, this.count);
    }
    this.count++;
  }

  /** How the centroids of some of the faces stray, less their mean: rows × 3E, and 3E. */
  #residuals(m: Float64Array, faces: readonly number[]): [Float64Array, number] {
    const d = m.length / 4;
    const step = Math.max(1, Math.ceil(faces.length / HALVING_SAMPLE));
    const rows = Math.ceil(faces.length / step);
    const out = new Float64Array(rows * d);
    const mean = new Float64Array(d);
    for (let row = 0; row < rows; row++) {
      this.#load(faces[row * step]);
      const [s, v] = [this.#shapes, this.#restShape];
      for (let k = 0; k < d / 3; k++) {
        const o = MATRIX_STRIDE * k;
        const x = s[SHAPE * k] - m[o + 3];
        const y = s[SHAPE * k + 1] - m[o + 7];
        const z = s[SHAPE * k + 2] - m[o + 11];
        for (let r = 0; r < 3; r++) {
          const stray = m[o + r] * x + m[o + 4 + r] * y + m[o + 8 + r] * z - v[r];
          out[row * d + 3 * k + r] = stray;
          mean[3 * k + r] += stray / rows;
        }
      }
    }
    for (let row = 0; row < rows; row++) for (let c = 0; c < d; c++) out[row * d + c] -= mean[c];
    return [out, d];
  }

  /** Gathers face f: its centroid and the edges from its first corner, at rest and in every example. */
  #load(f: number): void {
    const { poses, rest } = this.#examples;
    const p = 3 * rest.triangles[3 * f];
    const q = 3 * rest.triangles[3 * f + 1];
    const r = 3 * rest.triangles[3 * f + 2];
    gather(this.#restShape, 0, rest.positions, p, q, r);
    const shapes = this.#shapes;
    for (let k = 0; k < poses.length; k++) gather(shapes, SHAPE * k, poses[k], p, q, r);
  }

  /** Σ over examples of the loaded face's error under bone b; gives up beyond `limit`. */
  #error(b: number, limit: number): number {
    const m = this.#motions;
    const s = this.#shapes;
    const [vx, vy, vz, ax, ay, az, bx, by, bz] = this.#restShape;
    const end = s.length;
    let o = (MATRIX_STRIDE * b * end) / SHAPE;
    let sum = 0;
    for (let at = 0; at < end && sum < limit; at += SHAPE) {
      for (let r = 0; r < 3; r++) {
        const m0 = m[o];
        const m1 = m[o + 1];
        const m2 = m[o + 2];
        const stray = m0 * vx + m1 * vy + m2 * vz + m[o + 3] - s[at + r];
        const first = m0 * ax + m1 * ay + m2 * az - s[at + 3 + r];
        const second = m0 * bx + m1 * by + m2 * bz - s[at + 6 + r];
        sum += 3 * stray * stray + SHAPE_SHARE * (first * first + second * second - first * second);
        o += 4;
      }
    }
    return sum;
  }

  /** Moves the loaded face, which is f, to bone b. */
  #move(f: number, b: number): void {
    this.#enter(this.boneOf[f], -1);
    this.#enter(b, 1);
    this.boneOf[f] = b;
  }

  /** Adds (sign 1) or takes away (−1) what the loaded face contributes to the sums of bone b. */
  #enter(b: number, sign: number): void {
    const sums = this.#sums;
    const s = this.#shapes;
    const [vx, vy, vz, ax, ay, az, bx, by, bz] = this.#restShape;
    this.#restSums[4 * b] += 3 * sign;
    this.#restSums[4 * b + 1] += 3 * sign * vx;
    this.#restSums[4 * b + 2] += 3 * sign * vy;
    this.#restSums[4 * b + 3] += 3 * sign * vz;
    // The product of edges that belongs to |d₁|² + |d₂|² − d₁·d₂.
    const share = (sign * SHAPE_SHARE) / 2;
    const [px, py, pz] = [share * (2 * ax - bx), share * (2 * ay - by), share * (2 * az - bz)];
    const [qx, qy, qz] = [share * (2 * bx - ax), share * (2 * by - ay), share * (2 * bz - az)];
    let o = (SUMS * b * s.length) / SHAPE;
    for (let at = 0; at < s.length; at += SHAPE) {
      for (let r = 0; r < 3; r++) {
        const x = 3 * sign * s[at + r];
        const first = s[at + 3 + r];
        const second = s[at + 6 + r];
        const row = o + 3 + 3 * r;
        sums[o + r] += x;
        sums[row] += x * vx + first * px + second * qx;
        sums[row + 1] += x * vy + first * py + second * qy;
        sums[row + 2] += x * vz + first * pz + second * qz;
      }
      o += SUMS;
    }
  }

  /** The rigid transform of every bone in every example: orthogonal Procrustes over its vertices and edges. */
  #solve(): void {
    const e = this.#examples.poses.length;
    const sums = this.#sums;
    const rests = this.#restSums;
    const a = new Float64Array(9);
    const rotation = new Float64Array(9);
    const stretch = new Float64Array(9);
    for (let b = 0; b < this.count; b++) {
      const mass = rests[4 * b];
      for (let k = 0; k < e; k++) {
        const from = SUMS * (b * e + k);
        for (let r = 0; r < 3; r++) {
          for (let s = 0; s < 3; s++) {
            a[3 * r + s] = sums[from + 3 + 3 * r + s] - (sums[from + r] * rests[4 * b + 1 + s]) / mass;
          }
        }
        polar3(rotation, stretch, a);
        const o = MATRIX_STRIDE * (b * e + k);
        for (let r = 0; r < 3; r++) {
          let t = sums[from + r];
          for (let s = 0; s < 3; s++) {
            this.#motions[o + 4 * r + s] = rotation[3 * r + s];
            t -= rotation[3 * r + s] * rests[4 * b + 1 + s];
          }
          this.#motions[o + 4 * r + 3] = t / mass;
        }
      }
    }
  }
}

/** Centroid and two edges of the triangle with corners at p, q, r of 3N positions. */
function gather(out: Float64Array, o: number, x: Float32Array, p: number, q: number, r: number): void {
  for (let c = 0; c < 3; c++) {
    const first = x[p + c];
    const second = x[q + c];
    const third = x[r + c];
    out[o + c] = (first + second + third) / 3;
    out[o + 3 + c] = second - first;
    out[o + 6 + c] = third - first;
  }
}

/** The principal direction (d) of centred rows (n × d), by power iteration from the longest row. */
function principalDirection(rows: Float64Array, d: number): Float64Array {
  const n = rows.length / d;
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
      for (let c = 0; c < d; c++) next[c] += dot * rows[i * d + c];
    }
    let norm = 0;
    for (let c = 0; c < d; c++) norm += next[c] ** 2;
    if (!(norm > 0)) break;
    for (let c = 0; c < d; c++) next[c] /= Math.sqrt(norm);
    direction = next;
  }
  return direction;
}
