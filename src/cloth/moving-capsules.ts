import { MATRIX_STRIDE, transformPoint34 } from '../math/matrix34.ts';
import { BLOCK, RESERVE, updateBoxes, type VertexBlocks, vertexBlocks } from './blocks.ts';
import type { BodyFrame } from './body-motion.ts';
import type { BoneCapsule } from './capsules.ts';
import { carryVertex, type Obstacle, type Pushed, pushVertex, way } from './contact.ts';

/**
 * Where capsules overlap a vertex is pushed from one to the other. From the fourth round on it is pushed beyond what is
 * needed, more in every round: between two that face each other it would otherwise go to and fro for ever.
 */
const ROUNDS = 20;
const PLAIN_ROUNDS = 3;
const FIRMER = 0.25;

/** The capsules of a rig. */
export class MovingCapsules implements Obstacle {
  readonly #capsules: readonly BoneCapsule[];
  readonly #radius: Float64Array;
  // 6 per capsule: its ends at the start and the end of the frame, now, and one sub-step before.
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #now: Float64Array;
  readonly #before: Float64Array;
  /** 4 per capsule: its axis, and one over its squared length; 6: its box, least and greatest corner. */
  readonly #axes: Float64Array;
  readonly #boxes: Float64Array;
  readonly #blocks = new WeakMap<object, VertexBlocks>();
  /** Capsules: all, those near a cloth, and those near one block of it. */
  readonly #all: Uint16Array;
  readonly #near: Uint16Array;
  readonly #nearBlock: Uint16Array;

  constructor(capsules: readonly BoneCapsule[], at: BodyFrame) {
    const count = capsules.length;
    this.#capsules = capsules;
    this.#radius = Float64Array.from(capsules, ({ radius }) => radius);
    this.#to = new Float64Array(6 * count);
    this.#place(at);
    this.#from = this.#to.slice();
    this.#now = this.#to.slice();
    this.#before = this.#to.slice();
    this.#axes = new Float64Array(4 * count);
    this.#boxes = new Float64Array(6 * count);
    this.#all = Uint16Array.from(capsules.keys());
    this.#near = new Uint16Array(count);
    this.#nearBlock = new Uint16Array(count);
    this.moveTo(1);
  }

  next(frame: BodyFrame): void {
    this.#from.set(this.#to);
    this.moveTo(0);
    this.#place(frame);
  }

  moveTo(t: number): void {
    const now = this.#now;
    const axes = this.#axes;
    const boxes = this.#boxes;
    this.#before.set(now);
    for (let c = 0; c < now.length; c++) now[c] = this.#from[c] + t * (this.#to[c] - this.#from[c]);
    for (let q = 0; q < this.#radius.length; q++) {
      const e = 6 * q;
      let length2 = 0;
      for (let c = 0; c < 3; c++) {
        const d = now[e + 3 + c] - now[e + c];
        axes[4 * q + c] = d;
        length2 += d * d;
        boxes[e + c] = Math.min(now[e + c], now[e + 3 + c]) - this.#radius[q];
        boxes[e + 3 + c] = Math.max(now[e + c], now[e + 3 + c]) + this.#radius[q];
      }
      axes[4 * q + 3] = length2 > 0 ? 1 / length2 : 0;
    }
  }

  push(cloth: Pushed): void {
    const blocks = this.#blocksOf(cloth);
    const { order, boxes, whole } = blocks;
    updateBoxes(blocks, cloth.x);
    const near = this.#touching(this.#all, this.#all.length, whole, 0, this.#near);
    if (near === 0) return;
    for (let b = 0, start = 0; start < order.length; b++, start += BLOCK) {
      const count = this.#touching(this.#near, near, boxes, 6 * b, this.#nearBlock);
      if (count === 0) continue;
      const end = Math.min(start + BLOCK, order.length);
      for (let s = start; s < end; s++) this.#pushFrom(count, cloth, order[s]);
    }
  }

  /** Vertex i out of the first `count` capsules of `#nearBlock`. Out of one it may get into another: then once more. */
  #pushFrom(count: number, cloth: Pushed, i: number): void {
    const { x, previous, inverseMass, margin } = cloth;
    if (inverseMass[i] === 0) return;
    const now = this.#now;
    const before = this.#before;
    const axes = this.#axes;
    let list = this.#nearBlock;
    let length = count;
    let left = RESERVE;
    let pushed = true;
    for (let round = 0; pushed && round < ROUNDS; round++) {
      pushed = false;
      const firm = 1 + FIRMER * Math.max(0, round + 1 - PLAIN_ROUNDS);
      for (let q = 0; q < length; q++) {
        const capsule = list[q];
        const e = 6 * capsule;
        const dx = axes[4 * capsule];
        const dy = axes[4 * capsule + 1];
        const dz = axes[4 * capsule + 2];
        const px = x[3 * i] - now[e];
        const py = x[3 * i + 1] - now[e + 1];
        const pz = x[3 * i + 2] - now[e + 2];
        const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) * axes[4 * capsule + 3]));
        const rx = px - t * dx;
        const ry = py - t * dy;
        const rz = pz - t * dz;
        const keep = this.#radius[capsule] + margin[i];
        const r2 = rx * rx + ry * ry + rz * rz;
        if (r2 >= keep * keep || keep <= 0) continue;
        const r = Math.sqrt(r2);
        const nx = r > 0 ? rx / r : 0;
        const ny = r > 0 ? ry / r : 1;
        const nz = r > 0 ? rz / r : 0;
        if (round === 0) {
          for (let c = 0; c < 3; c++) {
            const atA = now[e + c] - before[e + c];
            way[c] = atA + t * (now[e + 3 + c] - before[e + 3 + c] - atA);
          }
          pushVertex(cloth, i, keep - r, nx, ny, nz);
        } else carryVertex(x, previous, i, firm * (keep - r), nx, ny, nz);
        // Rounding leaves a vertex a hair inside.
        if (keep - r > 1e-9) pushed = true;
        // Pushed far, it may have come to capsules that are not near the block.
        left -= Math.max(2, firm) * (keep - r); // friction adds as much again at most
        if (left < 0 && list !== this.#all) {
          list = this.#all;
          length = list.length;
          q = capsule;
        }
      }
    }
  }

  /** Of `count` capsules those whose boxes touch the box at `o`, into `out`. Returns how many. */
  #touching(of: Uint16Array, count: number, box: Float64Array, o: number, out: Uint16Array): number {
    const boxes = this.#boxes;
    let found = 0;
    for (let q = 0; q < count; q++) {
      const capsule = of[q];
      const e = 6 * capsule;
      const apart =
        boxes[e] > box[o + 3] ||
        boxes[e + 1] > box[o + 4] ||
        boxes[e + 2] > box[o + 5] ||
        boxes[e + 3] < box[o] ||
        boxes[e + 4] < box[o + 1] ||
        boxes[e + 5] < box[o + 2];
      if (!apart) out[found++] = capsule;
    }
    return found;
  }

  #blocksOf({ x, margin }: Pushed): VertexBlocks {
    const known = this.#blocks.get(x) ?? vertexBlocks(x, margin);
    this.#blocks.set(x, known);
    return known;
  }

  distances(x: ArrayLike<number>, out: Float64Array): void {
    this.approach(x, out);
  }

  approach(x: ArrayLike<number>, distances: Float64Array, waysOut?: Float64Array): void {
    const now = this.#now;
    for (let q = 0; q < this.#capsules.length; q++) {
      const e = 6 * q;
      const dx = now[e + 3] - now[e];
      const dy = now[e + 4] - now[e + 1];
      const dz = now[e + 5] - now[e + 2];
      const length2 = dx * dx + dy * dy + dz * dz || 1;
      for (let i = 0; i < distances.length; i++) {
        const px = x[3 * i] - now[e];
        const py = x[3 * i + 1] - now[e + 1];
        const pz = x[3 * i + 2] - now[e + 2];
        const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / length2));
        const rx = px - t * dx;
        const ry = py - t * dy;
        const rz = pz - t * dz;
        const r = Math.sqrt(rx * rx + ry * ry + rz * rz);
        if (r - this.#capsules[q].radius >= distances[i]) continue;
        distances[i] = r - this.#capsules[q].radius;
        if (!waysOut) continue;
        waysOut[3 * i] = r > 0 ? rx / r : 0;
        waysOut[3 * i + 1] = r > 0 ? ry / r : 1;
        waysOut[3 * i + 2] = r > 0 ? rz / r : 0;
      }
    }
  }

  #place({ transforms }: BodyFrame): void {
    if (!transforms) return;
    this.#capsules.forEach(({ bone, a, b }, q) => {
      transformPoint34(this.#to, 6 * q, transforms, MATRIX_STRIDE * bone, a, 0);
      transformPoint34(this.#to, 6 * q + 3, transforms, MATRIX_STRIDE * bone, b, 0);
    });
  }
}
