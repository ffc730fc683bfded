/**
 * Physics of the detail. The fine cloth keeps its detail d = x − b, where b is its embedding in the coarse cloth, and the
 * change u = d − Q d⁻ of a sub-step, where Q is the turn of the coarse cloth since. Inertia acts on the detail only: the
 * coarse motion is carried exactly, so that a few sub-steps hold where a whole simulation breaks. The detail is drawn
 * towards p, which is b or what was learned. A sub-step:
 *
 * 1. u ← μ (u + ν h (mean of the neighbours' u − u)), x ← b + Q (d + u);
 * 2. Gauss–Seidel sweeps: edges towards their rest lengths, hinges towards their rest curvature (K·x of
 *    Bergou et al. 2006), in turns forth and back;
 * 3. what hats see of p − x on average is taken back, then a share of p − x itself;
 * 4. vertices are pushed out of the body, and pinned ones held.
 *
 * `still` has no u, and its detail is what is beyond p: x ← p + .9 Q (x⁻ − p⁻).
 */
import { meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';
import { straightDistance } from '../mesh/graph-distance.ts';
import type { Mesh } from '../model/mesh.ts';
import { hingeWeights } from './bending.ts';
import { hingesOf } from './body.ts';
import type { Embedding } from './embedding.ts';
import { coarseHats, type Hats, halvedHats } from './hats.ts';
import type { Pushed } from './obstacles.ts';
import type { Stage } from './stage.ts';

/** How the detail moves. Rates are shares per 1/30 s. */
export interface DetailSettings {
  /** Seconds of a sub-step, at most. */
  subStep: number;
  /** Sweeps over edges and hinges in a sub-step. */
  sweeps: number;
  /** What the detail is kept against: the embedding b, or the target p. */
  origin: 'base' | 'target';
  /** Rate at which the detail is kept when the cloth moves on. */
  keep: number;
  /** Share of the detail's speed that is left. */
  inertia: number;
  /** Internal friction, 1/s. */
  viscosity: number;
  /** Share of a hinge's bend that a sweep takes away. */
  bending: number;
  /** Rate at which hats take back the mean way from the target. */
  hats: number;
  /** Whose hats: those of the coarse mesh, or of the mesh with every edge of it halved. */
  hatMesh: 'coarse' | 'halved';
  /** Rate at which the way from the target itself vanishes. */
  pull: number;
  /** Multiplies p − b. */
  gain: number;
}

const QUIET: DetailSettings = {
  subStep: 1 / 120,
  sweeps: 1,
  origin: 'base',
  keep: 1,
  inertia: 0.5,
  viscosity: 30,
  bending: 0.1,
  hats: 0.8,
  hatMesh: 'coarse',
  pull: 0.1,
  gain: 1,
};

/**
 * What people choose from. `still` only makes the target consistent; `quiet` moves and is nearest to the truth, `lively` has
 * more folds; `alone` is quiet without a target.
 */
export const DETAIL_MODES = {
  still: { ...QUIET, subStep: 1 / 30, sweeps: 2, origin: 'target', keep: 0.9, inertia: 0, hats: 0, pull: 0 },
  quiet: QUIET,
  lively: { ...QUIET, inertia: 0.95, viscosity: 10, bending: 0.075, hats: 0.3, hatMesh: 'halved', pull: 0, gain: 1.3 },
  alone: QUIET,
} as const satisfies Record<string, DetailSettings>;

/** Seconds that rates are given for. */
const RATE_TIME = 1 / 30;

export class DetailPhysics {
  /** 3N: where the fine vertices are. */
  readonly x: Float64Array;
  readonly #embedding: Embedding;
  readonly #stage: Stage | undefined;
  readonly #settings: DetailSettings;
  /** N: 1, or 0 where a vertex is pinned. */
  readonly #free: Float64Array;
  readonly #edges: Uint32Array;
  readonly #lengths: Float64Array;
  readonly #neighbours: { offsets: Uint32Array; items: Uint32Array };
  /** 4H: vertices of the hinges, K, and K / Σ K² over free vertices; 3H: K·x at rest; H: the coarse vertex that turns it. */
  readonly #hinges: Uint32Array;
  readonly #bend: Float64Array;
  readonly #bendParts: Float64Array;
  readonly #restBend: Float64Array;
  readonly #hingeHat: Uint32Array;
  readonly #hats: Hats;
  /** Per hat: its weights summed over the fine vertices. */
  readonly #hatSums: Float64Array;
  // State: 3N each, and the coarse cloth and p − b at the end of the last frame.
  readonly #d: Float64Array;
  readonly #u: Float64Array;
  readonly #coarse: Float64Array;
  readonly #offsets: Float64Array;
  #hasOffsets = false;
  // Scratch.
  readonly #base: Float64Array;
  readonly #target: Float64Array;
  readonly #carried: Float64Array;
  readonly #smooth: Float64Array;
  readonly #pose: Float64Array;
  readonly #turns: Float64Array;
  readonly #before: Float64Array;
  readonly #means: Float64Array;
  readonly #pushed: Pushed;
  #backwards = false;

  /**
   * `fine` is the rest mesh, `coarse` (3V) where the coarse cloth starts. `stage` is the body as the fine mesh meets it;
   * without one there are no pins and no obstacles.
   */
  constructor(
    embedding: Embedding,
    fine: Mesh,
    stage: Stage | undefined,
    coarse: Float64Array,
    settings: DetailSettings = DETAIL_MODES.alone,
  ) {
    const n = embedding.count;
    const { positions, triangles } = fine;
    const edges = meshEdges(triangles, n);
    this.#embedding = embedding;
    this.#stage = stage;
    this.#settings = settings;
    this.#free = new Float64Array(n).fill(1);
    for (const i of stage?.pins.vertices ?? []) this.#free[i] = 0;
    this.#edges = edges.vertices;
    this.#lengths = Float64Array.from({ length: edges.vertices.length / 2 }, (_, e) =>
      straightDistance(positions, edges.vertices[2 * e], edges.vertices[2 * e + 1]),
    );
    this.#neighbours = vertexNeighbours(edges, n);
    const rest = Float64Array.from(positions);
    this.#hinges = hingesOf(triangles, edges);
    this.#bend = hingeWeights(rest, this.#hinges);
    const hingeCount = this.#hinges.length / 4;
    // A hinge of a triangle without area does not bend.
    for (let h = 0; h < hingeCount; h++) {
      const weights = this.#bend.subarray(4 * h, 4 * h + 4);
      if (!weights.every(Number.isFinite)) weights.fill(0);
    }
    this.#bendParts = this.#bend.map((k, c) => {
      let sum = 0;
      for (let q = c - (c % 4); q < c - (c % 4) + 4; q++) sum += this.#bend[q] ** 2 * this.#free[this.#hinges[q]];
      return sum > 0 ? (k * this.#free[this.#hinges[c]]) / sum : 0;
    });
    this.#restBend = new Float64Array(3 * hingeCount);
    for (let h = 0; h < hingeCount; h++) {
      for (let c = 0; c < 12; c++) {
        const corner = 4 * h + Math.floor(c / 3);
        this.#restBend[3 * h + (c % 3)] += this.#bend[corner] * rest[3 * this.#hinges[corner] + (c % 3)];
      }
    }
    this.#hingeHat = Uint32Array.from({ length: hingeCount }, (_, h) => heaviestHat(embedding, this.#hinges[4 * h]));
    this.#hats = settings.hatMesh === 'halved' ? halvedHats(embedding) : coarseHats(embedding);
    this.#hatSums = new Float64Array(this.#hats.count);
    this.#hats.items.forEach((v, h) => {
      this.#hatSums[v] += this.#hats.weights[h];
    });
    this.x = new Float64Array(3 * n);
    this.#d = new Float64Array(3 * n);
    this.#u = new Float64Array(3 * n);
    this.#offsets = new Float64Array(3 * n);
    this.#base = new Float64Array(3 * n);
    this.#target = new Float64Array(3 * n);
    this.#carried = new Float64Array(3 * n);
    this.#smooth = new Float64Array(3 * n);
    this.#coarse = new Float64Array(3 * embedding.coarseCount);
    this.#pose = new Float64Array(3 * embedding.coarseCount);
    this.#turns = new Float64Array(9 * embedding.coarseCount);
    this.#before = new Float64Array(9 * embedding.coarseCount);
    this.#means = new Float64Array(3 * this.#hats.count);
    const margin = stage?.margin ?? new Float64Array(n);
    this.#pushed = { x: this.x, inverseMass: this.#free, margin, friction: 0 };
    this.reset(coarse);
  }

  /**
   * The target in a coarse cloth (3V) at the end of a frame, outside the body: a start for the detail. `offsets` (3N) are
   * p − b; without them p = b.
   */
  reset(coarse: Float64Array, offsets?: Float64Array): void {
    this.#coarse.set(coarse);
    this.#embedding.apply(coarse, this.x);
    this.#before.set(this.#embedding.rotations);
    this.#d.fill(0);
    this.#u.fill(0);
    this.#hasOffsets = offsets !== undefined;
    if (offsets) {
      const { gain, origin } = this.#settings;
      this.#offsets.set(offsets);
      for (let c = 0; c < this.x.length; c++) this.x[c] += gain * offsets[c];
      if (origin === 'base') for (let c = 0; c < this.x.length; c++) this.#d[c] = gain * offsets[c];
    }
    if (!this.#stage) return;
    for (const obstacle of this.#stage.obstacles) obstacle.push(this.#pushed);
    this.#stage.pins.moveTo(1);
    this.#stage.pins.hold(this.x);
  }

  /**
   * Moves on by `seconds`, in which the coarse cloth moved to `coarse` (3V) and p − b became `offsets` (3N); without them
   * p = b. Makes no arrays.
   */
  step(coarse: Float64Array, seconds: number, offsets?: Float64Array): void {
    const steps = Math.max(1, Math.ceil(seconds / this.#settings.subStep - 1e-6));
    for (let s = 1; s <= steps; s++) {
      const t = s / steps;
      for (let c = 0; c < coarse.length; c++) this.#pose[c] = this.#coarse[c] + t * (coarse[c] - this.#coarse[c]);
      this.#embedding.apply(this.#pose, this.#base);
      this.#subStep(seconds / steps, t, this.#targetAt(t, offsets));
    }
    this.#coarse.set(coarse);
    if (offsets) this.#offsets.set(offsets);
    else if (this.#hasOffsets) this.#offsets.fill(0);
    this.#hasOffsets = offsets !== undefined;
  }

  /** p at t of the frame. */
  #targetAt(t: number, offsets: Float64Array | undefined): Float64Array {
    if (!offsets && !this.#hasOffsets) return this.#base;
    const base = this.#base;
    const target = this.#target;
    const before = this.#offsets;
    const from = (1 - t) * this.#settings.gain;
    const to = t * this.#settings.gain;
    for (let c = 0; c < base.length; c++) target[c] = base[c] + from * before[c] + (offsets ? to * offsets[c] : 0);
    return target;
  }

  #subStep(h: number, t: number, target: Float64Array): void {
    const { sweeps, origin: kept, keep, inertia, viscosity, bending, hats, pull } = this.#settings;
    const share = h / RATE_TIME;
    const origin = kept === 'base' ? this.#base : target;
    const { x } = this;
    const carried = this.#carried;
    const d = this.#d;
    const u = this.#u;
    this.#turnDetail(keep ** share);
    if (inertia > 0) this.#smoothSpeed(Math.min(1, viscosity * h), inertia ** share);
    else u.fill(0);
    for (let c = 0; c < x.length; c++) x[c] = origin[c] + carried[c] + u[c];
    const pins = this.#stage?.pins;
    pins?.moveTo(t);
    pins?.hold(x);
    for (let sweep = 0; sweep < sweeps; sweep++) {
      this.#limitEdges();
      this.#bendHinges(bending);
      this.#backwards = !this.#backwards;
    }
    if (hats > 0 || pull > 0) this.#followTarget(target, 1 - (1 - hats) ** share, 1 - (1 - pull) ** share);
    for (const obstacle of this.#stage?.obstacles ?? []) {
      obstacle.moveTo(t);
      obstacle.push(this.#pushed);
    }
    pins?.hold(x);
    for (let c = 0; c < x.length; c++) {
      d[c] = x[c] - origin[c];
      u[c] = d[c] - carried[c];
    }
  }

  /** Q_v = R_v R_v⁻ᵀ of the coarse vertices, and with Q_j = Σ β_jv Q_v: carried = keep Q d, u ← Q u. */
  #turnDetail(keep: number): void {
    const { rotations, hats, weights } = this.#embedding;
    const turns = this.#turns;
    const before = this.#before;
    for (let m = 0; m < turns.length; m += 9) {
      for (let r = 0; r < 9; r += 3) {
        for (let c = 0; c < 9; c += 3) {
          turns[m + r + c / 3] =
            rotations[m + r] * before[m + c] +
            rotations[m + r + 1] * before[m + c + 1] +
            rotations[m + r + 2] * before[m + c + 2];
        }
      }
    }
    before.set(rotations);
    const d = this.#d;
    const u = this.#u;
    const carried = this.#carried;
    for (let o = 0; o < d.length; o += 3) {
      const a = 9 * hats[o];
      const b = 9 * hats[o + 1];
      const c = 9 * hats[o + 2];
      const wa = weights[o];
      const wb = weights[o + 1];
      const wc = weights[o + 2];
      const dx = d[o];
      const dy = d[o + 1];
      const dz = d[o + 2];
      const ux = u[o];
      const uy = u[o + 1];
      const uz = u[o + 2];
      for (let row = 0; row < 3; row++) {
        const r = 3 * row;
        const qx = wa * turns[a + r] + wb * turns[b + r] + wc * turns[c + r];
        const qy = wa * turns[a + r + 1] + wb * turns[b + r + 1] + wc * turns[c + r + 1];
        const qz = wa * turns[a + r + 2] + wb * turns[b + r + 2] + wc * turns[c + r + 2];
        carried[o + row] = keep * (qx * dx + qy * dy + qz * dz);
        u[o + row] = qx * ux + qy * uy + qz * uz;
      }
    }
  }

  /** u ← left (u + even (mean of the neighbours' u − u)). */
  #smoothSpeed(even: number, left: number): void {
    const { offsets, items } = this.#neighbours;
    const u = this.#u;
    const out = this.#smooth;
    for (let j = 0; j < this.#free.length; j++) {
      const o = 3 * j;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let q = offsets[j]; q < offsets[j + 1]; q++) {
        const i = 3 * items[q];
        x += u[i];
        y += u[i + 1];
        z += u[i + 2];
      }
      const s = even / Math.max(1, offsets[j + 1] - offsets[j]);
      out[o] = left * ((1 - even) * u[o] + s * x);
      out[o + 1] = left * ((1 - even) * u[o + 1] + s * y);
      out[o + 2] = left * ((1 - even) * u[o + 2] + s * z);
    }
    u.set(out);
  }

  #limitEdges(): void {
    const { x } = this;
    const edges = this.#edges;
    const lengths = this.#lengths;
    const free = this.#free;
    const backwards = this.#backwards;
    const count = lengths.length;
    for (let q = 0; q < count; q++) {
      const e = backwards ? count - 1 - q : q;
      const i = edges[2 * e];
      const j = edges[2 * e + 1];
      const wi = free[i];
      const wj = free[j];
      if (wi + wj === 0) continue;
      const a = 3 * i;
      const b = 3 * j;
      const dx = x[b] - x[a];
      const dy = x[b + 1] - x[a + 1];
      const dz = x[b + 2] - x[a + 2];
      const s = (1 - lengths[e] / (Math.sqrt(dx * dx + dy * dy + dz * dz) + Number.MIN_VALUE)) / (wi + wj);
      x[a] += wi * s * dx;
      x[a + 1] += wi * s * dy;
      x[a + 2] += wi * s * dz;
      x[b] -= wj * s * dx;
      x[b + 1] -= wj * s * dy;
      x[b + 2] -= wj * s * dz;
    }
  }

  /** Each hinge by itself: x_i −= stiffness · k_i / Σ k² · (K·x − R K·r). */
  #bendHinges(stiffness: number): void {
    const { x } = this;
    const { rotations: r } = this.#embedding;
    const hinges = this.#hinges;
    const k = this.#bend;
    const parts = this.#bendParts;
    const rest = this.#restBend;
    const hat = this.#hingeHat;
    const backwards = this.#backwards;
    for (let q = 0; q < hat.length; q++) {
      const h = backwards ? hat.length - 1 - q : q;
      const w = 4 * h;
      const o0 = 3 * hinges[w];
      const o1 = 3 * hinges[w + 1];
      const o2 = 3 * hinges[w + 2];
      const o3 = 3 * hinges[w + 3];
      const k0 = k[w];
      const k1 = k[w + 1];
      const k2 = k[w + 2];
      const k3 = k[w + 3];
      const m = 9 * hat[h];
      const rx = rest[3 * h];
      const ry = rest[3 * h + 1];
      const rz = rest[3 * h + 2];
      let bx = k0 * x[o0] + k1 * x[o1] + k2 * x[o2] + k3 * x[o3];
      let by = k0 * x[o0 + 1] + k1 * x[o1 + 1] + k2 * x[o2 + 1] + k3 * x[o3 + 1];
      let bz = k0 * x[o0 + 2] + k1 * x[o1 + 2] + k2 * x[o2 + 2] + k3 * x[o3 + 2];
      bx = stiffness * (bx - r[m] * rx - r[m + 1] * ry - r[m + 2] * rz);
      by = stiffness * (by - r[m + 3] * rx - r[m + 4] * ry - r[m + 5] * rz);
      bz = stiffness * (bz - r[m + 6] * rx - r[m + 7] * ry - r[m + 8] * rz);
      const s0 = parts[w];
      const s1 = parts[w + 1];
      const s2 = parts[w + 2];
      const s3 = parts[w + 3];
      x[o0] -= s0 * bx;
      x[o0 + 1] -= s0 * by;
      x[o0 + 2] -= s0 * bz;
      x[o1] -= s1 * bx;
      x[o1 + 1] -= s1 * by;
      x[o1 + 2] -= s1 * bz;
      x[o2] -= s2 * bx;
      x[o2 + 1] -= s2 * by;
      x[o2 + 2] -= s2 * bz;
      x[o3] -= s3 * bx;
      x[o3 + 1] -= s3 * by;
      x[o3 + 2] -= s3 * bz;
    }
  }

  /** Takes back what the hats see of the way to the target on average, at one rate, and the way itself, at another. */
  #followTarget(target: Float64Array, hatRate: number, pullRate: number): void {
    const { x } = this;
    const means = this.#means;
    const { items: hats, weights } = this.#hats;
    means.fill(0);
    for (let o = 0; o < x.length; o += 3) {
      const dx = target[o] - x[o];
      const dy = target[o + 1] - x[o + 1];
      const dz = target[o + 2] - x[o + 2];
      for (let h = o; h < o + 3; h++) {
        const v = 3 * hats[h];
        const w = weights[h];
        means[v] += w * dx;
        means[v + 1] += w * dy;
        means[v + 2] += w * dz;
      }
    }
    for (let v = 0; v < this.#hatSums.length; v++) {
      const s = hatRate / (this.#hatSums[v] || 1);
      means[3 * v] *= s;
      means[3 * v + 1] *= s;
      means[3 * v + 2] *= s;
    }
    for (let o = 0; o < x.length; o += 3) {
      const a = 3 * hats[o];
      const b = 3 * hats[o + 1];
      const c = 3 * hats[o + 2];
      for (let axis = 0; axis < 3; axis++) {
        x[o + axis] +=
          weights[o] * means[a + axis] + weights[o + 1] * means[b + axis] + weights[o + 2] * means[c + axis];
        x[o + axis] += pullRate * (target[o + axis] - x[o + axis]);
      }
    }
  }
}

function heaviestHat({ hats, weights }: Embedding, j: number): number {
  let best = 3 * j;
  for (let h = best + 1; h < 3 * j + 3; h++) if (weights[h] > weights[best]) best = h;
  return hats[best];
}
