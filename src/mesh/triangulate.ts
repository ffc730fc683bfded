import { squaredDistance } from '../math/vector.ts';

/**
 * Polygons to triangles. Quads by their better diagonal; longer ones by ear clipping (Meisters 1975) in the plane of the
 * polygon's area vector (Newell's). Only corners that are not convex can lie in an ear, and a corner that was found
 * outside a candidate stays outside, so each candidate scans them once: O(n · reflex corners).
 */

/**
 * Steps allowed per corner before ears are no longer tested for other corners inside: keeps the time linear for the
 * absurd polygons that a file may claim to have. Polygons of a hundred corners cannot reach it; tame ones never do.
 */
const STEPS_PER_CORNER = 512;

/**
 * Cuts the polygon whose corners are `positions[indices[0]]`, `positions[indices[1]]`, … (positions 3N) into n − 2
 * triangles and appends 3(n − 2) **corner numbers** 0…n−1 (not vertex indices: a corner may also have a uv and a
 * normal) to `out`, wound as the polygon. Polygons of fewer than three corners have none. Returns false when some
 * triangle is flat or turned over: the polygon is degenerate or crosses itself.
 */
export function triangulatePolygon(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  out: number[] | { push(corner: number): unknown },
): boolean {
  const n = indices.length;
  if (n < 3) return true;
  const { x, y } = project(positions, indices);
  const turn = (a: number, b: number, c: number): number =>
    (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a]);
  const emit = (a: number, b: number, c: number): boolean => {
    out.push(a);
    out.push(b);
    out.push(c);
    return turn(a, b, c) > 0;
  };

  if (n === 3) return emit(0, 1, 2);
  if (n === 4) {
    const length = (a: number, b: number): number => squaredDistance(positions, indices[a], indices[b]);
    const along02 = Math.min(turn(0, 1, 2), turn(0, 2, 3));
    const along13 = Math.min(turn(1, 2, 3), turn(1, 3, 0));
    // Both diagonals lie inside a convex quad: the shorter one. In a quad with a reflex corner only one does.
    const take02 = along02 > 0 && along13 > 0 ? length(0, 2) <= length(1, 3) : along02 >= along13;
    const first = take02 ? emit(0, 1, 2) : emit(1, 2, 3);
    const second = take02 ? emit(0, 2, 3) : emit(1, 3, 0);
    return first && second;
  }
  return clipEars(n, x, y, turn, emit);
}

/** Ear clipping of n ≥ 4 corners with coordinates x, y (counter-clockwise); calls `emit` n − 2 times. */
function clipEars(
  n: number,
  x: Float64Array,
  y: Float64Array,
  turn: (a: number, b: number, c: number) => number,
  emit: (a: number, b: number, c: number) => boolean,
): boolean {
  const next = Int32Array.from({ length: n }, (_, a) => (a + 1) % n);
  const previous = Int32Array.from({ length: n }, (_, a) => (a + n - 1) % n);
  const alive = new Uint8Array(n).fill(1);
  const reflex = Int32Array.from(next.keys()).filter((a) => turn(previous[a], a, next[a]) <= 0);
  /** Corner → how many of `reflex` are known to lie outside its triangle. */
  const cleared = new Int32Array(n);
  let steps = n * STEPS_PER_CORNER;

  const inside = (p: number, a: number, b: number, c: number): boolean => {
    if ((x[p] === x[a] && y[p] === y[a]) || (x[p] === x[b] && y[p] === y[b]) || (x[p] === x[c] && y[p] === y[c])) {
      return false; // the polygon touches itself here
    }
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
  };
  const isEar = (b: number): boolean => {
    const a = previous[b];
    const c = next[b];
    if (!(turn(a, b, c) > 0)) return false;
    for (; cleared[b] < reflex.length && steps > 0; cleared[b]++, steps--) {
      const p = reflex[cleared[b]];
      if (alive[p] && p !== a && p !== b && p !== c && inside(p, a, b, c)) return false;
    }
    return true;
  };

  let clean = true;
  let remaining = n;
  let corner = 0;
  let sinceClip = 0;
  const clip = (b: number): void => {
    const a = previous[b];
    const c = next[b];
    clean = emit(a, b, c) && clean;
    alive[b] = 0;
    next[a] = c;
    previous[c] = a;
    cleared[a] = cleared[c] = 0;
    // Skipping a corner keeps the triangles from fanning out of one.
    corner = next[c];
    sinceClip = 0;
    remaining--;
  };

  while (remaining > 3) {
    if (isEar(corner)) {
      clip(corner);
    } else if (++sinceClip < remaining && steps-- > 0) {
      corner = next[corner];
    } else {
      // No ear: the polygon is flat somewhere, or crosses itself. Clip where it loses least.
      clip(flattest(corner, next, (b) => turn(previous[b], b, next[b])));
    }
  }
  return emit(previous[corner], corner, next[corner]) && clean;
}

/** How many corners are compared where a polygon without ears is cut. */
const LOOK_AHEAD = 64;

/** Of the `LOOK_AHEAD` corners from `start` on, the one with the smallest turn, preferring turns ≥ 0. */
function flattest(start: number, next: Int32Array, turnAt: (corner: number) => number): number {
  let best = start;
  let bestCost = Number.POSITIVE_INFINITY;
  let b = start;
  for (let visited = 0; visited < LOOK_AHEAD; visited++) {
    const t = turnAt(b);
    const cost = t >= 0 ? t : Number.MAX_VALUE;
    if (cost < bestCost) {
      best = b;
      bestCost = cost;
    }
    b = next[b];
    if (b === start) break;
  }
  return best;
}

/** The corners in the coordinate plane that faces the polygon most, counter-clockwise. */
function project(positions: ArrayLike<number>, indices: ArrayLike<number>): { x: Float64Array; y: Float64Array } {
  const n = indices.length;
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  const area = [0, 0, 0];
  // Relative to the first corner, so that polygons far from the origin keep their digits.
  const at = (a: number, c: number): number => positions[3 * indices[a] + c] - positions[3 * indices[0] + c];
  for (let a = 0; a < n; a++) {
    const b = (a + 1) % n;
    for (let c = 0; c < 3; c++) {
      const u = (c + 1) % 3;
      const v = (c + 2) % 3;
      area[c] += at(a, u) * at(b, v) - at(b, u) * at(a, v);
      min[c] = Math.min(min[c], at(a, c));
      max[c] = Math.max(max[c], at(a, c));
    }
  }
  // Without an area (flat, or a figure of eight) the thinnest direction is the one to look along.
  const facing = area.some((s) => s !== 0) ? area.map(Math.abs) : max.map((m, c) => min[c] - m);
  const axis = facing.indexOf(Math.max(...facing));
  const [u, v] = area[axis] >= 0 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  const x = Float64Array.from({ length: n }, (_, a) => at(a, u));
  const y = Float64Array.from({ length: n }, (_, a) => at(a, v));
  return { x, y };
}
