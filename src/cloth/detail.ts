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
 * 4. layers that keep apart are parted, vertices are pushed out of the body, and pinned ones held.
 *
 * `still` has no u, and its detail is what is beyond p: x ← p + .9 Q (x⁻ − p⁻).
 */
import type { Mesh } from '../model/mesh.ts';
import type { Obstacle, Pushed } from './contact.ts';
import { addVectors, type DetailArrays, detailArrays, FRAME, middleOf, VECTOR } from './detail-arrays.ts';
import { type DetailPasses, detailPasses } from './detail-passes.ts';
import { type Embedding, PHONG } from './embedding.ts';
import { coarseHats, halvedHats } from './hats.ts';
import { refreshPairs, type SelfCollision, selfCollision, separateLayers } from './self-collision.ts';
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
  /** The distance that layers of the cloth keep, in edges; 0: they may pass through each other. */
  layers: number;
}

const QUIET: DetailSettings = {
  subStep: 1 / 120,
  sweeps: 3,
  origin: 'base',
  keep: 1,
  inertia: 0.5,
  viscosity: 30,
  bending: 0.1,
  hats: 0.8,
  hatMesh: 'coarse',
  pull: 0.1,
  gain: 1,
  layers: 0,
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

/** The stiffness that the modes were chosen for, N·m. */
const USUAL_STIFFNESS = 1e-4;
/** How the share of bending grows with the stiffness: best for 1e-5 is a share of 0.03 to 0.05, for 1e-6 of 0.02 to 0.03. */
const STIFFNESS_POWER = 0.35;
/** Times the share of a mode, at least and at most. */
const STIFFNESS_RANGE = [0.2, 2] as const;

/** Seconds that rates are given for. */
const RATE_TIME = 1 / 30;

const NONE: readonly Obstacle[] = [];

export class DetailPhysics {
  /** 3N: where the fine vertices are. */
  readonly x: Float64Array;
  readonly #embedding: Embedding;
  readonly #stage: Stage | undefined;
  readonly #settings: DetailSettings;
  readonly #arrays: DetailArrays;
  readonly #passes: DetailPasses;
  readonly #pushed: Pushed;
  // State, beside d, u and offsets of the arrays: the coarse cloth and its rotations at the end of the last frame.
  readonly #coarse: Float64Array;
  readonly #rotations: Float64Array;
  /** Whether p is not b at the end of this frame, and of the one before. */
  #hasOffsets = false;
  #hadOffsets = false;
  #backwards = false;
  #bending: number;
  #layers: SelfCollision | undefined;
  // Scratch.
  readonly #pose: Float64Array;
  readonly #restMiddle: readonly [number, number, number];
  /** What positions in the arrays are relative to: floats have seven digits, and bodies may be far out. */
  readonly #place = new Float64Array(3);

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
    simd?: boolean,
  ) {
    const n = embedding.count;
    const free = new Float64Array(n).fill(1);
    for (const i of stage?.pins.vertices ?? []) free[i] = 0;
    const hats = settings.hatMesh === 'halved' ? halvedHats(embedding) : coarseHats(embedding);
    this.#embedding = embedding;
    this.#stage = stage;
    this.#settings = settings;
    this.#bending = settings.bending;
    this.#arrays = detailArrays(embedding, fine, free, hats, simd);
    this.#passes = detailPasses(this.#arrays);
    this.#restMiddle = middleOf(embedding.rest);
    this.x = this.#arrays.world;
    this.#coarse = new Float64Array(3 * embedding.coarseCount);
    this.#pose = new Float64Array(3 * embedding.coarseCount);
    this.#rotations = new Float64Array(9 * embedding.coarseCount);
    this.#pushed = { x: this.x, inverseMass: free, margin: stage?.margin ?? new Float64Array(n), friction: 0 };
    if (settings.layers > 0) {
      const lengths = this.#arrays.edgeLengths.filter((length) => length > 0); // 0: padding
      const edge = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
      this.#layers = selfCollision(Float64Array.from(fine.positions), settings.layers * edge);
    }
    this.reset(coarse);
  }

  /** Goes on as cloth of another bending stiffness, N·m [default 1e-4]. */
  setStiffness(stiffness: number): void {
    const [least, most] = STIFFNESS_RANGE;
    const times = (stiffness / USUAL_STIFFNESS) ** STIFFNESS_POWER;
    this.#bending = this.#settings.bending * Math.min(most, Math.max(least, times));
  }

  /**
   * The target in a coarse cloth (3V) at the end of a frame, outside the body: a start for the detail. `offsets`, four floats
   * per vertex, are p − b; without them p = b.
   */
  reset(coarse: Float64Array, offsets?: Float32Array): void {
    const { d, u, offsetsTo } = this.#arrays;
    this.#coarse.set(coarse);
    this.#embedding.apply(coarse, this.x);
    this.#rotations.set(this.#embedding.rotations);
    d.fill(0);
    u.fill(0);
    this.#nextOffsets(offsets);
    if (offsets) {
      addVectors(this.x, offsetsTo);
      if (this.#settings.origin === 'base') d.set(offsetsTo);
    }
    if (!this.#stage) return;
    for (const obstacle of this.#stage.obstacles) obstacle.push(this.#pushed);
    this.#stage.pins.moveTo(1);
    this.#stage.pins.hold(this.x);
  }

  /**
   * Moves on by `seconds`, in which the coarse cloth moved to `coarse` (3V) and p − b became `offsets`, four floats per vertex;
   * without them p = b. Makes no arrays, unless layers keep apart.
   */
  step(coarse: Float64Array, seconds: number, offsets?: Float32Array): void {
    const steps = Math.max(1, Math.ceil(seconds / this.#settings.subStep - 1e-6));
    this.#place.fill(0);
    for (let c = 0; c < coarse.length; c++) this.#place[c % 3] += (3 * coarse[c]) / coarse.length;
    this.#nextOffsets(offsets);
    // Once a frame: cloth as a whole moves farther than layers do against each other.
    if (this.#layers) refreshPairs(this.#layers, this.x);
    for (let s = 1; s <= steps; s++) {
      const t = s / steps;
      for (let c = 0; c < coarse.length; c++) this.#pose[c] = this.#coarse[c] + t * (coarse[c] - this.#coarse[c]);
      this.#embedding.turn(this.#pose);
      this.#writeFrames();
      this.#subStep(seconds / steps, t);
    }
    this.#readX();
    this.#stage?.pins.hold(this.x);
    this.#coarse.set(coarse);
  }

  #subStep(h: number, t: number): void {
    const { sweeps, origin: kept, keep, inertia, viscosity, hats, pull } = this.#settings;
    const passes = this.#passes;
    const share = h / RATE_TIME;
    const target = this.#hasOffsets || this.#hadOffsets ? 'target' : 'base';
    const origin = kept === 'base' ? 'base' : target;
    passes.carry(keep ** share);
    if (target === 'target') passes.aim(t);
    passes.launch(origin, Math.min(1, viscosity * h), inertia ** share);
    this.#stage?.pins.moveTo(t);
    this.#holdPins();
    for (let sweep = 0; sweep < sweeps; sweep++) {
      passes.limitEdges(this.#backwards);
      passes.bendHinges(this.#backwards, this.#bending);
      this.#backwards = !this.#backwards;
    }
    if (hats > 0 || pull > 0) passes.follow(target, 1 - (1 - hats) ** share, 1 - (1 - pull) ** share);
    this.#pushOut(t);
    this.#holdPins();
    passes.settle(origin);
  }

  /** What `carry` reads of the pose that the embedding has just seen: R, O and Q = R R⁻ᵀ as columns. */
  #writeFrames(): void {
    const { rotations: r, origins } = this.#embedding;
    const { frames } = this.#arrays;
    const before = this.#rotations;
    const [mx, my, mz] = this.#restMiddle;
    for (let v = 0; v < this.#embedding.coarseCount; v++) {
      const f = FRAME * v;
      for (let row = 0; row < 3; row++) {
        const m = 9 * v + 3 * row;
        const rx = r[m];
        const ry = r[m + 1];
        const rz = r[m + 2];
        frames[f + row] = rx;
        frames[f + VECTOR + row] = ry;
        frames[f + 2 * VECTOR + row] = rz;
        frames[f + 3 * VECTOR + row] = origins[3 * v + row] + PHONG * (rx * mx + ry * my + rz * mz) - this.#place[row];
        for (let column = 0; column < 3; column++) {
          const b = 9 * v + 3 * column;
          frames[f + (4 + column) * VECTOR + row] = rx * before[b] + ry * before[b + 1] + rz * before[b + 2];
        }
      }
    }
    before.set(r);
  }

  /** Begins a frame at whose end p − b is `offsets`. */
  #nextOffsets(offsets: Float32Array | undefined): void {
    const { offsetsFrom, offsetsTo } = this.#arrays;
    const { gain } = this.#settings;
    this.#hadOffsets = this.#hasOffsets;
    this.#hasOffsets = offsets !== undefined;
    if (!offsets && !this.#hadOffsets) return;
    offsetsFrom.set(offsetsTo);
    if (!offsets) offsetsTo.fill(0);
    else if (gain === 1) offsetsTo.set(offsets);
    else for (let c = 0; c < offsets.length; c++) offsetsTo[c] = gain * offsets[c];
  }

  #holdPins(): void {
    if (!this.#stage) return;
    const { vertices, now } = this.#stage.pins;
    const { x } = this.#arrays;
    for (let p = 0; p < vertices.length; p++) {
      for (let c = 0; c < 3; c++) x[VECTOR * vertices[p] + c] = now[3 * p + c] - this.#place[c];
    }
  }

  #pushOut(t: number): void {
    const obstacles = this.#stage?.obstacles ?? NONE;
    if (obstacles.length === 0 && !this.#layers) return;
    this.#readX();
    if (this.#layers) separateLayers(this.#layers, this.#pushed, 0);
    for (const obstacle of obstacles) {
      obstacle.moveTo(t);
      obstacle.push(this.#pushed);
    }
    const place = this.#place;
    this.#passes.fromWorld(place[0], place[1], place[2]);
  }

  #readX(): void {
    const place = this.#place;
    this.#passes.toWorld(place[0], place[1], place[2]);
  }
}
