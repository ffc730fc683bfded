import { meshEdges } from '../mesh/adjacency.ts';
import { faceArea } from '../mesh/triangle.ts';
import type { LevelMesh } from './level-mesh.ts';
import type { CollapseRecords, FacePoint } from './records.ts';
import { after } from './weld.ts';

/** Points of a level beside the points of the original that they stand for: what a level is fitted to. */
export interface Samples {
  count: number;
  /** The triangle of the level, and the weights of its first two corners. */
  triangle: Uint32Array;
  a: Float32Array;
  b: Float32Array;
  /** The face of the original, and the weights of its first two corners. */
  face: Uint32Array;
  u: Float32Array;
  v: Float32Array;
  /** Share of the surface, sum 1; all 0 where there is no surface to share. */
  share: Float64Array;
  /** Which part of the distance counts: `DIRECTION`. */
  direction: Uint8Array;
}

/**
 * In which direction the distance between the two points of a sample counts: along the normal of the original, across a line
 * in it, any, along the normal of the level.
 */
export const DIRECTION = { offOriginal: 0, acrossLine: 1, all: 2, offLevel: 3 } as const;

/** Room for `count` samples. */
export const newSamples = (count: number): Samples => ({
  count,
  triangle: new Uint32Array(count),
  a: new Float32Array(count),
  b: new Float32Array(count),
  face: new Uint32Array(count),
  u: new Float32Array(count),
  v: new Float32Array(count),
  share: new Float64Array(count),
  direction: new Uint8Array(count),
});

/** Scales the shares to a sum of 1. Where no point counts, none does: a fit then leaves everything where it is. */
export function evenOut(samples: Samples): Samples {
  let sum = 0;
  for (let s = 0; s < samples.count; s++) sum += samples.share[s];
  if (sum > 0) for (let s = 0; s < samples.count; s++) samples.share[s] /= sum;
  return samples;
}

/** Several sets as one. */
export function joinSamples(sets: readonly Samples[]): Samples {
  const out = newSamples(sets.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const set of sets) {
    for (const name of ['triangle', 'a', 'b', 'face', 'u', 'v', 'share', 'direction'] as const)
      out[name].set(set[name], at);
    at += set.count;
  }
  return out;
}

/** Sides of a level's triangle are cut into at least and at most as many pieces; else the middles of its sides will do. */
const FEWEST_PIECES = 2;
const MOST_PIECES = 16;
/** Points keep off the sides by this share of a triangle: on a line they would fall on either side of it. */
const INWARDS = 1e-3;

/** A grid in a triangle: its points by two weights, and its small triangles by three points. */
export interface TriangleGrid {
  a: Float64Array;
  b: Float64Array;
  pieces: Uint16Array;
}

/** The middles of the sides, kept off them: where quadratic functions are integrated exactly. */
const MIDDLES: TriangleGrid = {
  a: Float64Array.of(0.5 - INWARDS / 6, 0.5 - INWARDS / 6, INWARDS / 3),
  b: Float64Array.of(0.5 - INWARDS / 6, INWARDS / 3, 0.5 - INWARDS / 6),
  pieces: Uint16Array.of(0, 1, 2),
};

/** The grid for a level of so many triangles, so that there are about `wanted` points in all. */
export function gridFor(triangles: number, wanted: number): TriangleGrid {
  const d = Math.min(MOST_PIECES, Math.round(Math.sqrt((2 * wanted) / triangles)) - 1);
  if (d < FEWEST_PIECES) return MIDDLES;
  const a: number[] = [];
  const b: number[] = [];
  const pieces: number[] = [];
  const row = (i: number): number => i * (d + 1) - (i * (i - 1)) / 2; // where row i begins: d + 1 − i points in it
  for (let i = 0; i <= d; i++) {
    for (let j = 0; i + j <= d; j++) {
      a.push((1 - INWARDS) * (i / d) + INWARDS / 3);
      b.push((1 - INWARDS) * (j / d) + INWARDS / 3);
      if (i + j < d) pieces.push(row(i) + j, row(i + 1) + j, row(i) + j + 1);
      if (i + j + 1 < d) pieces.push(row(i + 1) + j, row(i + 1) + j + 1, row(i) + j + 1);
    }
  }
  return { a: Float64Array.from(a), b: Float64Array.from(b), pieces: Uint16Array.from(pieces) };
}

/**
 * A grid on every triangle of a level, carried to the original. A point's share is a third of the area that the small
 * triangles around it have there (`positions`: 3N, `triangles`: 3F of the original). About `wanted` points in all.
 */
export function carriedSamples(
  level: LevelMesh,
  records: CollapseRecords,
  triangles: Uint32Array,
  positions: ArrayLike<number>,
  wanted: number,
): Samples {
  const grid = gridFor(level.faces.length, wanted);
  const per = grid.a.length;
  const out = newSamples(per * level.faces.length);
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  const points = new Float64Array(3 * per);
  for (let t = 0; t < level.faces.length; t++) {
    for (let q = 0; q < per; q++) {
      const s = per * t + q;
      out.triangle[s] = t;
      out.a[s] = grid.a[q];
      out.b[s] = grid.b[q];
      records.carry(level.last, level.faces[t], grid.a[q], grid.b[q], 1 - grid.a[q] - grid.b[q], at);
      out.face[s] = at.face;
      out.u[s] = at.u;
      out.v[s] = at.v;
      pointOfFace(points, 3 * q, positions, triangles, at.face, at.u, at.v);
    }
    spreadAreas(out.share, per * t, points, grid.pieces);
  }
  return evenOut(out);
}

/** Gives every point of a grid a third of the area of the small triangles around it; shares begin at `o`. */
export function spreadAreas(share: Float64Array, o: number, points: Float64Array, pieces: Uint16Array): void {
  for (let q = 0; q < pieces.length; q += 3) {
    const third = area(points, 3 * pieces[q], 3 * pieces[q + 1], 3 * pieces[q + 2]) / 3;
    for (let c = q; c < q + 3; c++) share[o + pieces[c]] += third;
  }
}

/** out at `o` = the point of a face with weights u, v, 1 − u − v. */
export function pointOfFace(
  out: Float64Array,
  o: number,
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  face: number,
  u: number,
  v: number,
): void {
  const i = 3 * triangles[3 * face];
  const j = 3 * triangles[3 * face + 1];
  const k = 3 * triangles[3 * face + 2];
  const w = 1 - u - v;
  out[o] = u * positions[i] + v * positions[j] + w * positions[k];
  out[o + 1] = u * positions[i + 1] + v * positions[j + 1] + w * positions[k + 1];
  out[o + 2] = u * positions[i + 2] + v * positions[j + 2] + w * positions[k + 2];
}

function area(p: Float64Array, a: number, b: number, c: number): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
}

/** Points on every side of a level that is a line. */
const POINTS_PER_SIDE = 6;

/**
 * Points along the lines of a level, carried to the lines of the original, so that a fit does not let seams and borders
 * slide over the surface. A side counts `weight` times the square of its length, as in the collapses.
 */
export function lineSamples(
  level: LevelMesh,
  records: CollapseRecords,
  triangles: Uint32Array,
  positions: ArrayLike<number>,
  weight: number,
): Samples {
  const isLine = lineSides(level);
  const sides = Uint32Array.from(isLine.keys()).filter((c) => isLine[c] === 1);
  const out = newSamples(POINTS_PER_SIDE * sides.length);
  out.direction.fill(DIRECTION.acrossLine);
  const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
  const points = new Float64Array(3 * POINTS_PER_SIDE);
  let surface = 0;
  for (let f = 0; f < triangles.length; f += 3) surface += faceArea(positions, triangles, f);
  sides.forEach((c, side) => {
    const t = Math.floor(c / 3);
    let length = 0;
    for (let q = 0; q < POINTS_PER_SIDE; q++) {
      const s = POINTS_PER_SIDE * side + q;
      const along = (q + 0.5) / POINTS_PER_SIDE;
      corner.fill(INWARDS / 3);
      corner[c % 3] += (1 - INWARDS) * (1 - along);
      corner[(c + 1) % 3] += (1 - INWARDS) * along;
      out.triangle[s] = t;
      out.a[s] = corner[0];
      out.b[s] = corner[1];
      records.carry(level.last, level.faces[t], corner[0], corner[1], corner[2], at);
      out.face[s] = at.face;
      out.u[s] = at.u;
      out.v[s] = at.v;
      pointOfFace(points, 3 * q, positions, triangles, at.face, at.u, at.v);
      if (q > 0) length += Math.hypot(...[0, 1, 2].map((k) => points[3 * q + k] - points[3 * q - 3 + k]));
    }
    length *= POINTS_PER_SIDE / (POINTS_PER_SIDE - 1);
    const share = surface > 0 ? (weight * length * length) / (POINTS_PER_SIDE * surface) : 0;
    out.share.fill(share, POINTS_PER_SIDE * side, POINTS_PER_SIDE * (side + 1));
  });
  return out;
}

const corner = new Float64Array(3);

/** 3f: 1 where the side that begins at a corner is a border of the level or lies between two wedges. */
export const lineSides = ({ triangles, corners }: LevelMesh): Uint8Array =>
  openSides(triangles, (c, d) => corners[c] !== corners[after(d)] || corners[after(c)] !== corners[d]);

/** 3F: 1 where the side that begins at a corner has no face of the same chart (F) across it. */
export const chartSides = (triangles: Uint32Array, chartOf: Uint32Array): Uint8Array =>
  openSides(triangles, (c, d) => chartOf[Math.floor(c / 3)] !== chartOf[Math.floor(d / 3)]);

/** 3F: 1 for sides without another face, or parted from it (c, d: the corners where the side begins in both). */
function openSides(triangles: Uint32Array, isParted: (c: number, d: number) => boolean): Uint8Array {
  const vertices = triangles.reduce((most, v) => Math.max(most, v + 1), 0);
  const { edgeOf, corners } = meshEdges(triangles, vertices);
  const { offsets, items } = corners;
  return Uint8Array.from(triangles, (_, c) => {
    const [start, end] = [offsets[edgeOf[c]], offsets[edgeOf[c] + 1]];
    return end - start !== 2 || isParted(c, items[start] === c ? items[start + 1] : items[start]) ? 1 : 0;
  });
}
