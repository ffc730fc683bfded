/** Vertices that the body holds: which ones, and where they are while it moves. */
import { PliantError } from '../error.ts';
import { transformPoint34 } from '../math/matrix34.ts';
import { attributeFloats } from '../mesh/attribute-floats.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { nearestPoints } from '../mesh/nearest.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { type BodyFrame, type Mover, rigidBetween } from './body-motion.ts';
import type { BoneCapsule } from './capsules.ts';
import { segmentDistance } from './segment.ts';

/** Vertices by their numbers: "0, 4, 10-20". */
export function pinsOfList(operation: string, text: string, mesh: Mesh): Uint32Array {
  const n = vertexCount(mesh);
  const pins = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from) || Number(to) >= n) {
      const cause = `(got ${part.trim() || 'nothing'}, expected numbers from 0 to ${n - 1}, as in 0,4,10-20)`;
      throw new PliantError('bad-option', operation, cause, { option: 'pinVertices' });
    }
    for (let i = Number(from); i <= Number(to); i++) pins.add(i);
  }
  return Uint32Array.from(pins).sort();
}

/** Vertices of runs of faces. */
export function pinsOfFaces({ triangles }: Mesh, runs: readonly { start: number; count: number }[]): Uint32Array {
  const pins = runs.flatMap(({ start, count }) => [...triangles.subarray(3 * start, 3 * (start + count))]);
  return Uint32Array.from(new Set(pins)).sort();
}

/** How far a painted colour may be from the one that is asked for, in each of its components. */
const COLOUR_TOLERANCE = 0.1;

/** Vertices painted in a colour (linear RGB, 0…1). Undefined for a mesh without colours. */
export function pinsOfColour(mesh: Mesh, colour: readonly number[]): Uint32Array | undefined {
  const colours = mesh.attributes?.COLOR_0;
  if (!colours) return undefined;
  const { size } = colours;
  const values = attributeFloats(colours);
  const pins = new Set<number>();
  for (let w = 0; w < values.length / size; w++) {
    const isPainted = colour.every((x, c) => Math.abs(values[size * w + c] - x) <= COLOUR_TOLERANCE);
    if (isPainted) pins.add(mesh.seams?.vertexOf[w] ?? w);
  }
  return Uint32Array.from(pins).sort();
}

/** Vertices within `distance` of a bone's capsules in the rest pose. */
export function pinsNearBone(mesh: Mesh, capsules: readonly BoneCapsule[], distance: number): Uint32Array {
  const { positions } = mesh;
  return Uint32Array.from({ length: vertexCount(mesh) }, (_, i) => i).filter((i) => {
    const [x, y, z] = positions.subarray(3 * i, 3 * i + 3);
    return capsules.some(({ a, b, radius }) => segmentDistance(a, b, x, y, z) - radius <= distance);
  });
}

/** Vertices of a coarse mesh whose nearest vertex of the garment is pinned. */
export function pinsNear({ positions }: Mesh, { mesh, pinned }: { mesh: Mesh; pinned: Uint32Array }): Uint32Array {
  const isPinned = new Set(pinned);
  const nearest = nearestPoints(positions, mesh.positions);
  return Uint32Array.from(nearest.keys()).filter((v) => isPinned.has(nearest[v]));
}

/** How far around a pin the body counts: its distance, and this share of the body's diagonal. */
const REACH = 0.02;
/** The nearest vertices of the body that count. */
const MAX_NEAR = 200;

/**
 * Pinned vertices move as the body near them does on average: by the rigid motion with the least squares over its nearest
 * vertices (Kabsch 1976), weighted by a bell curve. Pins of a hem then stay in line, which they would not do if each
 * followed a triangle of its own.
 */
export class MovingPins implements Mover {
  /** P: the vertices. */
  readonly vertices: Uint32Array;
  /** 3P: where they are now. */
  readonly now: Float64Array;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #rest: Float64Array;
  readonly #body: Float32Array;
  /** P: vertices of the body, and their weights, sum 1. */
  readonly #near: { items: Uint32Array; weights: Float64Array }[];

  /** `body` is the body's surface (3M) when the garment is at `positions` (3N). */
  constructor(vertices: Uint32Array, positions: Float32Array, body: Float32Array) {
    this.vertices = vertices;
    this.#body = body;
    this.#rest = Float64Array.from({ length: 3 * vertices.length }, (_, c) => {
      return positions[3 * vertices[Math.floor(c / 3)] + (c % 3)];
    });
    const reach = REACH * diagonalOf(body);
    this.#near = Array.from(vertices, (_, p) => nearVertices(this.#rest.subarray(3 * p, 3 * p + 3), body, reach));
    this.now = this.#rest.slice();
    this.#from = this.#rest.slice();
    this.#to = this.#rest.slice();
  }

  next({ positions }: BodyFrame): void {
    this.#from.set(this.#to);
    this.#near.forEach((near, p) => {
      transformPoint34(this.#to, 3 * p, rigidBetween(this.#body, positions, near), 0, this.#rest, 3 * p);
    });
  }

  moveTo(t: number): void {
    for (let c = 0; c < this.now.length; c++) this.now[c] = this.#from[c] + t * (this.#to[c] - this.#from[c]);
  }

  /** Puts the pinned among 3N points where they are now. */
  hold(x: Float64Array): void {
    for (let p = 0; p < this.vertices.length; p++) {
      for (let c = 0; c < 3; c++) x[3 * this.vertices[p] + c] = this.now[3 * p + c];
    }
  }
}

function nearVertices(at: Float64Array, body: Float32Array, reach: number) {
  const d2 = Float64Array.from({ length: body.length / 3 }, (_, i) => {
    return (body[3 * i] - at[0]) ** 2 + (body[3 * i + 1] - at[1]) ** 2 + (body[3 * i + 2] - at[2]) ** 2;
  });
  const width = reach + Math.sqrt(d2.reduce((least, d) => Math.min(least, d), Infinity));
  const items = Uint32Array.from(d2.keys())
    .filter((i) => d2[i] < 9 * width * width)
    .sort((i, j) => d2[i] - d2[j])
    .slice(0, MAX_NEAR);
  const bell = Float64Array.from(items, (i) => Math.exp(-d2[i] / (2 * width * width)));
  const sum = bell.reduce((total, w) => total + w, 0);
  return { items, weights: bell.map((w) => w / sum) };
}
