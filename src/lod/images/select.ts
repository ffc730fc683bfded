import { type GeometryImages, patchCount } from '../../model/geometry-images.ts';
import { baseComplex } from './base-complex.ts';
import { Stitcher } from './stitch.ts';

/** How levels are chosen. */
export interface SelectOptions {
  /** The largest distance from the given surface that may be seen, in pixels. */
  pixels: number;
  /** A patch becomes coarser only when its error is below the limit by this share. */
  hysteresis: number;
  /** Patches that share a side differ by at most this many levels: fewer triangles are drawn out or turned over. */
  maxStep: number;
}

const SELECT_DEFAULTS: SelectOptions = { pixels: 1, hysteresis: 0.25, maxStep: 2 };

/**
 * Levels of patches by what their errors are on the screen. Feng 2010, §4.6.1, goes by the area of the projected box,
 * (4.7), which does not know how large errors are; here a patch has the coarsest level whose stored error, at the nearest
 * point of its box, is below a limit in pixels.
 *
 * Depth is linear in positions, so that bones need not be applied to boxes: one row per bone, four numbers, gives the depth of
 * any point that it moves. Most patches of a model that is far away need not be looked at at all: if a level is fine enough
 * at the model's nearest depth, and the coarser one too coarse at its farthest, it stays.
 */
export class PatchSelector {
  /** P: what is to be drawn. */
  readonly levels: Uint8Array;
  /** P: the words of `Stitcher`. */
  readonly words: Uint32Array;
  readonly #options: SelectOptions;
  readonly #count: number;
  readonly #levelCount: number;
  readonly #depths: Uint8Array;
  readonly #errors: Float64Array;
  readonly #stitcher: Stitcher;
  readonly #beyond: Int32Array;
  /** P: the level by error, before neighbours are looked at, and the errors of it and of the next coarser one. */
  readonly #chosen: Uint8Array;
  readonly #here: Float64Array;
  readonly #coarser: Float64Array;
  /** 4P + 1: box points → their terms: 4 · bone, and weight · (x, y, z, 1). */
  readonly #starts: Uint32Array;
  readonly #bones: Uint32Array;
  readonly #terms: Float64Array;
  /** Bone → the box around all box points it moves, as middle and half size; NaN for a bone that moves none. */
  readonly #bounds: Float64Array;
  readonly #rows: Float64Array;

  constructor(images: GeometryImages, options: Partial<SelectOptions> = {}) {
    this.#options = { ...SELECT_DEFAULTS, ...options };
    this.#count = patchCount(images);
    this.#levelCount = images.levels.length;
    this.#depths = images.depths;
    this.#errors = Float64Array.from(images.errors);
    const base = baseComplex(images.corners);
    this.#stitcher = new Stitcher(base);
    this.#beyond = base.beyond;
    this.levels = images.depths.slice();
    this.words = new Uint32Array(this.#count);
    this.#chosen = images.depths.slice();
    this.#here = new Float64Array(this.#count);
    this.#coarser = new Float64Array(this.#count);

    const { points, joints, weights } = images.boxes;
    const bones: number[] = [];
    const terms: number[] = [];
    this.#starts = new Uint32Array(4 * this.#count + 1);
    for (let q = 0; q < 4 * this.#count; q++) {
      for (let c = 4 * q; c < 4 * q + 4; c++) {
        const weight = weights ? weights[c] : c === 4 * q ? 1 : 0;
        if (weight === 0) continue;
        bones.push(joints ? joints[c] : 0);
        terms.push(weight * points[3 * q], weight * points[3 * q + 1], weight * points[3 * q + 2], weight);
      }
      this.#starts[q + 1] = bones.length;
    }
    const boneCount = bones.reduce((most, b) => Math.max(most, b + 1), 1);
    this.#bones = Uint32Array.from(bones, (b) => 4 * b);
    this.#terms = Float64Array.from(terms);
    this.#rows = new Float64Array(4 * boneCount);
    this.#bounds = boneBounds(this.#starts, this.#bones, points, boneCount);
    for (let p = 0; p < this.#count; p++) this.#note(p);
    this.#sew();
  }

  /**
   * Chooses levels for a view. Returns whether `levels` and `words` have changed.
   *
   * @param depth (a, b, c, d): the depth of a model point x is a·x + b·y + c·z + d; that is the last row of
   *   projection · view · model. 0 0 0 1 for a parallel projection.
   * @param scale Pixels that a unit of length takes at depth 1.
   * @param bones 12 per bone: rest → pose; not looked at for a model without a skin.
   */
  select(depth: ArrayLike<number>, scale: number, bones?: ArrayLike<number>): boolean {
    this.#project(depth, bones);
    const perUnit = scale / this.#options.pixels;
    const relaxed = 1 - this.#options.hysteresis;
    const [near, far] = this.#range();
    // Errors that are allowed at the nearest and farthest depth of all.
    const strict = near / perUnit;
    const loose = (relaxed * far) / perUnit;
    const here = this.#here;
    const coarser = this.#coarser;
    const chosen = this.#chosen;
    let changed = false;
    for (let p = 0; p < this.#count; p++) {
      if (here[p] <= strict && coarser[p] > loose) continue;
      const allowed = this.#nearest(p) / perUnit;
      if (here[p] <= allowed && coarser[p] > relaxed * allowed) continue;
      const before = chosen[p];
      const errors = this.#errors;
      const o = p * this.#levelCount;
      let level = before;
      while (level < this.#depths[p] && errors[o + level] > allowed) level++;
      if (level === before) while (level > 0 && errors[o + level - 1] <= relaxed * allowed) level--;
      if (level === before) continue;
      chosen[p] = level;
      this.#note(p);
      changed = true;
    }
    if (changed) this.#sew();
    return changed;
  }

  /** Errors of patch p at its level and at the next coarser one: −1 and ∞ where there is nothing finer or coarser. */
  #note(p: number): void {
    const level = this.#chosen[p];
    const o = p * this.#levelCount;
    this.#here[p] = level === this.#depths[p] ? -Infinity : this.#errors[o + level];
    this.#coarser[p] = level === 0 ? Infinity : this.#errors[o + level - 1];
  }

  /** Depth as a row per bone. */
  #project(depth: ArrayLike<number>, bones?: ArrayLike<number>): void {
    const rows = this.#rows;
    const [a, b, c, d] = [depth[0], depth[1], depth[2], depth[3]];
    if (!bones) {
      for (let r = 0; r < rows.length; r += 4) {
        rows[r] = a;
        rows[r + 1] = b;
        rows[r + 2] = c;
        rows[r + 3] = d;
      }
      return;
    }
    for (let r = 0, m = 0; r < rows.length; r += 4, m += 12) {
      rows[r] = a * bones[m] + b * bones[m + 4] + c * bones[m + 8];
      rows[r + 1] = a * bones[m + 1] + b * bones[m + 5] + c * bones[m + 9];
      rows[r + 2] = a * bones[m + 2] + b * bones[m + 6] + c * bones[m + 10];
      rows[r + 3] = a * bones[m + 3] + b * bones[m + 7] + c * bones[m + 11] + d;
    }
  }

  /** Least and largest depth that any box can have: blends lie between what single bones do. */
  #range(): [number, number] {
    const rows = this.#rows;
    const bounds = this.#bounds;
    let near = Infinity;
    let far = -Infinity;
    for (let r = 0, o = 0; r < rows.length; r += 4, o += 6) {
      if (!(bounds[o + 3] >= 0)) continue;
      const middle = rows[r] * bounds[o] + rows[r + 1] * bounds[o + 1] + rows[r + 2] * bounds[o + 2] + rows[r + 3];
      const half =
        Math.abs(rows[r]) * bounds[o + 3] +
        Math.abs(rows[r + 1]) * bounds[o + 4] +
        Math.abs(rows[r + 2]) * bounds[o + 5];
      if (middle - half < near) near = middle - half;
      if (middle + half > far) far = middle + half;
    }
    // The nearest corner of a box may lie before its four points, by up to twice their spread.
    return [Math.max(0, near - 2 * (far - near)), far];
  }

  /** The least depth of a patch's box: from its corner along every axis that comes nearer. Not below 0, the eye. */
  #nearest(p: number): number {
    const starts = this.#starts;
    const bones = this.#bones;
    const terms = this.#terms;
    const rows = this.#rows;
    let corner = 0;
    let nearest = 0;
    let t = starts[4 * p];
    for (let k = 0; k < 4; k++) {
      let depth = 0;
      for (const end = starts[4 * p + k + 1]; t < end; t++) {
        const r = bones[t];
        const o = 4 * t;
        depth +=
          rows[r] * terms[o] + rows[r + 1] * terms[o + 1] + rows[r + 2] * terms[o + 2] + rows[r + 3] * terms[o + 3];
      }
      if (k === 0) nearest = corner = depth;
      else if (depth < corner) nearest += depth - corner;
    }
    return nearest > 0 ? nearest : 0;
  }

  /** Makes neighbours of fine patches fine enough, and writes the words. */
  #sew(): void {
    const levels = this.levels;
    const beyond = this.#beyond;
    const { maxStep } = this.#options;
    levels.set(this.#chosen);
    for (let again = true; again; ) {
      again = false;
      for (let c = 0; c < beyond.length; c++) {
        const q = beyond[c];
        if (q < 0) continue;
        const least = Math.min(this.#depths[q], levels[Math.floor(c / 3)] - maxStep);
        if (levels[q] >= least) continue;
        levels[q] = least;
        again = true;
      }
    }
    this.#stitcher.sew(levels, this.words);
  }
}

/** 6 per bone: the middle and half size of the box around the box points that follow it. */
function boneBounds(starts: Uint32Array, bones: Uint32Array, points: Float32Array, count: number): Float64Array {
  const low = new Float64Array(3 * count).fill(Infinity);
  const high = new Float64Array(3 * count).fill(-Infinity);
  for (let q = 0; q + 1 < starts.length; q++) {
    for (let t = starts[q]; t < starts[q + 1]; t++) {
      const b = (3 * bones[t]) / 4;
      for (let d = 0; d < 3; d++) {
        low[b + d] = Math.min(low[b + d], points[3 * q + d]);
        high[b + d] = Math.max(high[b + d], points[3 * q + d]);
      }
    }
  }
  return Float64Array.from({ length: 6 * count }, (_, c) => {
    const at = 3 * Math.floor(c / 6) + (c % 3);
    return c % 6 < 3 ? (low[at] + high[at]) / 2 : (high[at] - low[at]) / 2;
  });
}
