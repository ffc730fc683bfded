import { sameFaces, vertexFaces } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildPointBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { uniqueRows } from '../mesh/unique-rows.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';

/**
 * Which vertex is which, where a file has them in another order: compact files store vertices by their first use and
 * round positions to 14 bits of the largest extent, and a reader that welds seams numbers vertices by what it sees first.
 */

/** How far a vertex may be from its place, as a share of the diagonal: about three steps of 14 bits. */
const TOLERANCE = 2e-4;

/**
 * N: vertex of the original → the vertex of the approximation at its rest position, one to one. Undefined unless all are
 * closer than the tolerance and the triangles of the one become those of the other, whatever their order and first
 * corners. Where several vertices are as near, the triangles around them tell which is which; those that no triangle
 * tells apart are taken in the order of their indices.
 */
export function matchVertices(original: Mesh, approximation: Mesh): Uint32Array | undefined {
  const n = vertexCount(original);
  if (vertexCount(approximation) !== n || original.triangles.length !== approximation.triangles.length)
    return undefined;
  const tolerance = TOLERANCE * diagonalOf(original.positions);

  // (1) original vertex → the nearest place of the approximation; a place may hold several vertices.
  const places = uniqueRows(n, [approximation.positions]);
  const nearest = nearestPlaces(original.positions, approximation.positions, places.firstOf, tolerance);
  if (!nearest) return undefined;

  // (2) Who has a place of their own is matched.
  const matching = new Matching(n);
  const wanted = histogramOf(nearest, places.firstOf.length);
  const held = histogramOf(places.classOf, places.firstOf.length);
  nearest.forEach((place, i) => {
    if (wanted[place] === 1 && held[place] === 1) matching.add(i, places.firstOf[place]);
  });

  // (3) The others follow from their triangles, or from their order.
  if (!matching.complete) {
    const near = (i: number, j: number): boolean =>
      distance(original.positions, i, approximation.positions, j) <= tolerance;
    followTriangles(matching, original.triangles, approximation.triangles, near);
    if (!matchInOrder(matching, nearest, places.classOf)) return undefined;
  }

  // (4) Near is not enough: it must be the same surface.
  const { match } = matching;
  const mapped = original.triangles.map((corner) => match[corner]);
  return sameFaces(mapped, approximation.triangles) ? Uint32Array.from(match) : undefined;
}

/** Pairs of vertices, found one by one. */
class Matching {
  /** N: original → approximation, −1 where not found yet. */
  readonly match: Int32Array;
  /** N: 1 where a vertex of the approximation has its partner. */
  readonly taken: Uint8Array;
  #left: number;

  constructor(n: number) {
    this.match = new Int32Array(n).fill(-1);
    this.taken = new Uint8Array(n);
    this.#left = n;
  }

  get complete(): boolean {
    return this.#left === 0;
  }

  add(i: number, j: number): void {
    this.match[i] = j;
    this.taken[j] = 1;
    this.#left--;
  }
}

/** Per position of `from` (3N) the nearest of the `points` of `to`. Undefined when one has none within the tolerance. */
function nearestPlaces(
  from: Float32Array,
  to: Float32Array,
  points: Uint32Array,
  tolerance: number,
): Uint32Array | undefined {
  const bvh = buildPointBvh(to, points);
  const hit = surfacePoint();
  const out = new Uint32Array(from.length / 3);
  for (let i = 0; i < out.length; i++) {
    if (!nearestOnSurface(bvh, from[3 * i], from[3 * i + 1], from[3 * i + 2], hit, tolerance)) return undefined;
    out[i] = hit.face;
  }
  return out;
}

function histogramOf(values: Uint32Array, count: number): Uint32Array {
  const out = new Uint32Array(count);
  for (const value of values) out[value]++;
  return out;
}

function distance(a: Float32Array, i: number, b: Float32Array, j: number): number {
  return Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);
}

/** Two matched corners of a triangle tell the third, and so on from there. */
function followTriangles(
  matching: Matching,
  from: Uint32Array,
  to: Uint32Array,
  near: (i: number, j: number) => boolean,
): void {
  const { match, taken } = matching;
  const n = match.length;

  // Side p → q of the approximation → the free corner opposite, −1 where several triangles have it in this direction.
  const opposite = new Map<number, number>();
  for (let c = 0; c < to.length; c++) {
    if (taken[to[c]]) continue;
    const side = to[next(c)] * n + to[next(next(c))];
    opposite.set(side, opposite.has(side) ? -1 : to[c]);
  }

  const around = vertexFaces(from, n);
  const waiting: number[] = [];
  for (let f = 0; f < from.length / 3; f++) waiting.push(f);
  for (let f = waiting.pop(); f !== undefined; f = waiting.pop()) {
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const [i, p, q] = [from[c], match[from[next(c)]], match[from[next(next(c))]]];
      if (match[i] >= 0 || p < 0 || q < 0) continue;
      const j = opposite.get(p * n + q) ?? -1;
      if (j < 0 || taken[j] || !near(i, j)) continue;
      matching.add(i, j);
      for (let k = around.offsets[i]; k < around.offsets[i + 1]; k++) waiting.push(around.items[k]);
    }
  }
}

/** The corner after c in its triangle. */
const next = (c: number): number => (c % 3 === 2 ? c - 2 : c + 1);

/** Who is left takes the first vertex that is free at the nearest place. False when there is none. */
function matchInOrder(matching: Matching, nearest: Uint32Array, placeOf: Uint32Array): boolean {
  const free = new Map<number, number[]>();
  placeOf.forEach((place, j) => {
    if (matching.taken[j]) return;
    const here = free.get(place);
    if (here) here.push(j);
    else free.set(place, [j]);
  });
  for (const vertices of free.values()) vertices.reverse();
  for (let i = 0; i < nearest.length; i++) {
    if (matching.match[i] >= 0) continue;
    const j = free.get(nearest[i])?.pop();
    if (j === undefined) return false;
    matching.add(i, j);
  }
  return true;
}
