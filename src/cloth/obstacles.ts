/**
 * Bodies that cloth collides with while they move: the capsules of a rig, or a posed surface. Both move on within a frame,
 * so that a fast limb passes no vertex between two frames. Distances are signed, negative inside.
 */
import { type Vector, vectorOf } from '../math/vector.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { vertexNormals } from '../mesh/normals.ts';
import type { Mesh } from '../model/mesh.ts';
import { BLOCK, RESERVE, updateBoxes, type VertexBlocks, vertexBlocks } from './blocks.ts';
import type { BodyFrame, Mover, Wearer } from './body-motion.ts';
import type { BoneCapsule } from './capsules.ts';
import { colliderDistance } from './colliders.ts';

/** Cloth that obstacles push. */
export interface Pushed {
  /** 3N. */
  x: Float64Array;
  /** 3N: where the vertices were one sub-step before. Without, there is no friction. */
  previous?: Float64Array;
  /** N: 0 where a vertex is pinned. */
  inverseMass: Float64Array;
  /** N: the distance that a vertex keeps, m. */
  margin: Float64Array;
  /** Coulomb's coefficient. */
  friction: number;
}

export interface Obstacle extends Mover {
  /** Moves free vertices out, in place. */
  push(cloth: Pushed): void;
  /** Lowers `out` (N) to the distances of the vertices (3N), where these are smaller. */
  distances(x: ArrayLike<number>, out: Float64Array): void;
  /** Lowers `distances` (N) likewise, and sets `waysOut` (3N, unit length) where it does. Makes no arrays. */
  approach(x: Float64Array, distances: Float64Array, waysOut: Float64Array): void;
}

/** A body as an obstacle, where it is at rest. Without bones its surface is all there is. */
export const obstacleOf = ({ sequence, rig }: Wearer, at: BodyFrame, kind: 'capsules' | 'surface'): Obstacle =>
  kind === 'capsules' && rig ? new MovingCapsules(rig.capsules, at) : new MovingSurface(sequence.rest, at);

/** The way of an obstacle's surface since the last sub-step, at the point of contact. */
const way = new Float64Array(3);

/**
 * Moves vertex i by `push` along the normal n. Its way along the surface is shortened by Coulomb's friction. What the push
 * adds beyond stopping the vertex adds no speed: a vertex that is found deep inside must not be shot out.
 */
function pushVertex({ x, previous, friction }: Pushed, i: number, push: number, nx: number, ny: number, nz: number) {
  const o = 3 * i;
  if (previous) {
    const wayX = x[o] - previous[o] - way[0];
    const wayY = x[o + 1] - previous[o + 1] - way[1];
    const wayZ = x[o + 2] - previous[o + 2] - way[2];
    const into = wayX * nx + wayY * ny + wayZ * nz;
    const sideX = wayX - into * nx;
    const sideY = wayY - into * ny;
    const sideZ = wayZ - into * nz;
    const side = Math.sqrt(sideX * sideX + sideY * sideY + sideZ * sideZ);
    const brake = side > friction * push ? (friction * push) / side : 1;
    const excess = Math.max(0, push + Math.min(0, into));
    x[o] -= brake * sideX;
    x[o + 1] -= brake * sideY;
    x[o + 2] -= brake * sideZ;
    previous[o] += excess * nx;
    previous[o + 1] += excess * ny;
    previous[o + 2] += excess * nz;
  }
  x[o] += push * nx;
  x[o + 1] += push * ny;
  x[o + 2] += push * nz;
}

/** Moves vertex i by `push` along the normal n, and where it was with it: that adds no speed. */
function carryVertex(
  x: Float64Array,
  previous: Float64Array | undefined,
  i: number,
  push: number,
  nx: number,
  ny: number,
  nz: number,
): void {
  const o = 3 * i;
  x[o] += push * nx;
  x[o + 1] += push * ny;
  x[o + 2] += push * nz;
  if (!previous) return;
  previous[o] += push * nx;
  previous[o + 1] += push * ny;
  previous[o + 2] += push * nz;
}

/** Where capsules overlap a vertex is pushed from one to the other; it is out after some rounds. */
const ROUNDS = 12;

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
        } else carryVertex(x, previous, i, keep - r, nx, ny, nz);
        // Rounding leaves a vertex a hair inside.
        if (keep - r > 1e-9) pushed = true;
        // Pushed far, it may have come to capsules that are not near the block.
        left -= 2 * (keep - r); // friction adds as much again at most
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
    this.#capsules.forEach(({ radius }, q) => {
      const end = (e: number): Vector => vectorOf((c) => this.#now[6 * q + e + c]);
      const capsule = { kind: 'capsule', a: end(0), b: end(3), radius } as const;
      for (let i = 0; i < out.length; i++) {
        out[i] = Math.min(out[i], colliderDistance(capsule, x[3 * i], x[3 * i + 1], x[3 * i + 2], way));
      }
    });
  }

  approach(x: Float64Array, distances: Float64Array, waysOut: Float64Array): void {
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
        waysOut[3 * i] = r > 0 ? rx / r : 0;
        waysOut[3 * i + 1] = r > 0 ? ry / r : 1;
        waysOut[3 * i + 2] = r > 0 ? rz / r : 0;
      }
    }
  }

  #place({ transforms }: BodyFrame): void {
    if (!transforms) return;
    this.#capsules.forEach(({ bone, a, b }, q) => {
      for (let c = 0; c < 3; c++) {
        const m = 12 * bone + 4 * c;
        const [mx, my, mz, mt] = transforms.subarray(m, m + 4);
        this.#to[6 * q + c] = mx * a[0] + my * a[1] + mz * a[2] + mt;
        this.#to[6 * q + 3 + c] = mx * b[0] + my * b[1] + mz * b[2] + mt;
      }
    });
  }
}

/** How deep inside a surface vertices are still found, in diagonals of the body. Few limbs are thicker. */
const REACH = 0.06;
/** Nearest triangles are looked for anew after this share of a frame, and followed in between. */
const SEARCH_AFTER = 0.12;

/** What vertices of one piece of cloth are nearest to. */
interface Contacts {
  /** N: −1 for a vertex with nothing within reach. */
  face: Int32Array;
  /** 2N: barycentric weights of the second and third corner. */
  weights: Float32Array;
  /** When they were found: frame and part of it. */
  time: number;
}

/** A posed surface, whose triangles face outwards. */
export class MovingSurface implements Obstacle {
  readonly #mesh: Mesh;
  readonly #bvh: Bvh;
  readonly #reach: number;
  readonly #point = surfacePoint();
  readonly #contacts = new WeakMap<object, Contacts>();
  // 3M each: positions, and normals at the start and the end of the frame.
  readonly #from: Float32Array;
  readonly #to: Float32Array;
  readonly #now: Float32Array;
  readonly #before: Float32Array;
  #normalsFrom: Float32Array;
  #normalsTo: Float32Array;
  readonly #normal = new Float64Array(3);
  #frame = 0;
  #t = 1;

  constructor(mesh: Mesh, at: BodyFrame) {
    const { triangles } = mesh;
    this.#mesh = { positions: at.positions, triangles };
    this.#bvh = buildBvh(at.positions, triangles);
    this.#reach = REACH * diagonalOf(at.positions);
    this.#from = at.positions.slice();
    this.#to = at.positions.slice();
    this.#now = at.positions.slice();
    this.#before = at.positions.slice();
    this.#normalsTo = vertexNormals(this.#mesh);
    this.#normalsFrom = this.#normalsTo.slice();
  }

  next({ positions }: BodyFrame): void {
    this.#frame++;
    this.#from.set(this.#to);
    this.#now.set(this.#to);
    this.#to.set(positions);
    const spare = this.#normalsFrom;
    this.#normalsFrom = this.#normalsTo;
    this.#normalsTo = vertexNormals(this.#mesh, positions, 'angle', undefined, spare);
  }

  moveTo(t: number): void {
    this.#t = t;
    this.#before.set(this.#now);
    for (let c = 0; c < this.#now.length; c++) this.#now[c] = this.#from[c] + t * (this.#to[c] - this.#from[c]);
  }

  push(cloth: Pushed): void {
    const { x, inverseMass, margin } = cloth;
    const { face, weights } = this.#nearest(x);
    for (let i = 0; i < face.length; i++) {
      if (face[i] < 0 || inverseMass[i] === 0) continue;
      const o = 3 * i;
      const push = margin[i] - this.#height(face[i], weights[2 * i], weights[2 * i + 1], x[o], x[o + 1], x[o + 2]);
      if (push > 0) pushVertex(cloth, i, push, this.#normal[0], this.#normal[1], this.#normal[2]);
    }
  }

  distances(x: ArrayLike<number>, out: Float64Array): void {
    refitBvh(this.#bvh, this.#now);
    const point = this.#point;
    for (let i = 0; i < out.length; i++) {
      const [px, py, pz] = [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
      if (!nearestOnSurface(this.#bvh, px, py, pz, point, this.#reach)) continue;
      const side = Math.sign(this.#height(point.face, point.second, point.third, px, py, pz));
      out[i] = Math.min(out[i], side * point.distance);
    }
  }

  approach(x: Float64Array, distances: Float64Array, waysOut: Float64Array): void {
    refitBvh(this.#bvh, this.#now);
    const point = this.#point;
    for (let i = 0; i < distances.length; i++) {
      const o = 3 * i;
      if (!nearestOnSurface(this.#bvh, x[o], x[o + 1], x[o + 2], point, Math.max(distances[i], this.#reach))) continue;
      const side = this.#height(point.face, point.second, point.third, x[o], x[o + 1], x[o + 2]) < 0 ? -1 : 1;
      if (side * point.distance >= distances[i]) continue;
      distances[i] = side * point.distance;
      for (let axis = 0; axis < 3; axis++) waysOut[o + axis] = this.#normal[axis];
    }
  }

  /** The contacts of vertices (3N, always the same array), found anew if they have aged. */
  #nearest(x: Float64Array): Contacts {
    const n = x.length / 3;
    const time = this.#frame + this.#t;
    const known = this.#contacts.get(x);
    if (known && time - known.time < SEARCH_AFTER) return known;
    const contacts = known ?? { face: new Int32Array(n), weights: new Float32Array(2 * n), time };
    this.#contacts.set(x, contacts);
    contacts.time = time;
    refitBvh(this.#bvh, this.#now);
    const point = this.#point;
    for (let i = 0; i < n; i++) {
      nearestOnSurface(this.#bvh, x[3 * i], x[3 * i + 1], x[3 * i + 2], point, this.#reach);
      contacts.face[i] = point.face;
      contacts.weights[2 * i] = point.second;
      contacts.weights[2 * i + 1] = point.third;
    }
    return contacts;
  }

  /** Height of (x, y, z) above a point of a face, along the smooth normal there. Sets `#normal` and `way`. */
  #height(face: number, second: number, third: number, x: number, y: number, z: number): number {
    const { triangles } = this.#mesh;
    const a = 3 * triangles[3 * face];
    const b = 3 * triangles[3 * face + 1];
    const c = 3 * triangles[3 * face + 2];
    const first = 1 - second - third;
    const from = this.#normalsFrom;
    const to = this.#normalsTo;
    const now = this.#now;
    const before = this.#before;
    const normal = this.#normal;
    const t = this.#t;
    let height = 0;
    let length2 = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [i, j, k] = [a + axis, b + axis, c + axis];
      const point = first * now[i] + second * now[j] + third * now[k];
      const n =
        (1 - t) * (first * from[i] + second * from[j] + third * from[k]) +
        t * (first * to[i] + second * to[j] + third * to[k]);
      normal[axis] = n;
      way[axis] = point - first * before[i] - second * before[j] - third * before[k];
      length2 += n * n;
      height += n * ((axis === 0 ? x : axis === 1 ? y : z) - point);
    }
    const length = Math.sqrt(length2) || 1;
    for (let axis = 0; axis < 3; axis++) normal[axis] /= length;
    return height / length;
  }
}
