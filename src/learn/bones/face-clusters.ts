import { connectedComponents, faceNeighbours, type Lists, meshEdges } from '../../mesh/adjacency.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { Examples } from '../examples.ts';
import { FaceMotions } from './face-motions.ts';
import { FaceShape } from './face-shape.ts';
import { halfOfFaces } from './halve-faces.ts';

/** A cluster whose faces stray less than this, as a fraction of the largest coordinate, is rigid up to rounding. */
const ROUNDING = 3e-7;

/** Faces in clusters, each with the rigid motion that explains it best in every example: see cluster-bones.ts. */
export class FaceClusters {
  readonly faceCount: number;
  /** F: face → cluster. */
  readonly boneOf: Int32Array;
  count: number;
  readonly #neighbours: Lists;
  readonly #shape: FaceShape;
  readonly #motions: FaceMotions;
  /** Squared error of a face that rounding may cause. */
  readonly #rounding: number;

  constructor(examples: Examples, wanted: number) {
    const { triangles, positions } = examples.rest;
    const n = vertexCount(examples.rest);
    const e = examples.poses.length;
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
    let largest = 0;
    for (const pose of [positions, ...examples.poses]) for (const x of pose) largest = Math.max(largest, Math.abs(x));
    this.#rounding = 3 * e * (ROUNDING * largest) ** 2;
    this.#shape = new FaceShape(examples);
    this.#motions = new FaceMotions(Math.max(wanted, this.count), e);
    for (let f = 0; f < this.faceCount; f++) {
      this.#shape.load(f);
      this.#motions.enter(this.#shape, this.boneOf[f], 1);
    }
    this.#motions.solve(this.count);
  }

  /** E·B·12. */
  transforms(): Float64Array {
    return this.#motions.transforms(this.count);
  }

  /** One Lloyd iteration: border faces choose, then bones follow. Returns how many faces moved. */
  settle(): number {
    const { boneOf, count } = this;
    const shape = this.#shape;
    const motions = this.#motions;
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
          shape.load(f);
          least = motions.error(shape, own);
        }
        const error = motions.error(shape, other, least);
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
    motions.solve(this.count);
    return moved;
  }

  /** Splits the worst clusters, at most each once, until there are `target`. */
  split(target: number): void {
    const errors = new Float64Array(this.count);
    const sizes = new Int32Array(this.count);
    let total = 0;
    for (let f = 0; f < this.faceCount; f++) {
      this.#shape.load(f);
      const error = this.#motions.error(this.#shape, this.boneOf[f]);
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
    this.#motions.solve(this.count);
  }

  /** Moves about half of a cluster's faces to a new one, unless they are indistinguishable. */
  #halve(b: number, faces: readonly number[]): void {
    const side = halfOfFaces(this.#shape, this.#motions.of(b), faces);
    if (side.length === 0 || side.length === faces.length) return;
    for (const f of side) {
      this.#shape.load(f);
      this.#move(f, this.count);
    }
    this.count++;
  }

  /** Moves face f, which is loaded, to bone b. */
  #move(f: number, b: number): void {
    this.#motions.enter(this.#shape, this.boneOf[f], -1);
    this.#motions.enter(this.#shape, b, 1);
    this.boneOf[f] = b;
  }
}
