import { diagonalOf } from '../mesh/bounds.ts';
import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { vertexNormals } from '../mesh/normals.ts';
import type { Mesh } from '../model/mesh.ts';
import type { BodyFrame } from './body-motion.ts';
import { type Obstacle, type Pushed, pushVertex, way } from './contact.ts';

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
export class MovingTriangles implements Obstacle {
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
