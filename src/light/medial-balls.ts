/**
 * The largest ball below every vertex of a surface that touches it there and holds nothing of it: r = min_q |p − q|² / 2n·(p − q)
 * over vertices and centres of faces q that lie well below the tangent plane of p, centre p − r n (Ma, Bae and Choi 2012,
 * "3D medial axis point approximation using nearest neighbors and the normal field", without its iterations: a tree finds
 * the minimum itself).
 */
import { type Bvh, buildPointBvh, MAX_BVH_DEPTH } from '../mesh/bvh.ts';

/** A surface and its vertex normals, 3N each. */
export interface BallSurface {
  positions: ArrayLike<number>;
  triangles: Uint32Array;
  normals: ArrayLike<number>;
}

/** Points below the tangent plane by less than this share of their distance are of the same side: noise of the normals. */
const BELOW = 0.25;

/**
 * The radii of the balls of vertices `of`, none larger than `most`. Of a point that shares its place with others, only what
 * lies below counts.
 */
export function medialRadii(surface: BallSurface, of: Uint32Array, most: number): Float64Array {
  const tree = treeOf(surface);
  const { positions, normals } = surface;
  const radii = new Float64Array(of.length);
  let last = most;
  for (let q = 0; q < of.length; q++) {
    const o = 3 * of[q];
    // Mostly a neighbour of the vertex before. What is smaller than the guess is the minimum; else all is searched.
    const guess = Math.min(most, GUESS * last);
    last = touchingRadius(tree, positions, normals, o, guess);
    if (last === guess && guess < most) last = touchingRadius(tree, positions, normals, o, most);
    radii[q] = last;
  }
  return radii;
}

/** How much larger than the ball before a ball is expected to be at most. */
const GUESS = 2;

/** Vertices that faces use, and the centres of the faces. */
function treeOf({ positions, triangles }: BallSurface): Bvh {
  const n = positions.length / 3;
  const faces = triangles.length / 3;
  const points = new Float32Array(3 * (n + faces));
  points.set(positions);
  for (let f = 0; f < faces; f++) {
    for (let c = 0; c < 3; c++) {
      const sum =
        positions[3 * triangles[3 * f] + c] +
        positions[3 * triangles[3 * f + 1] + c] +
        positions[3 * triangles[3 * f + 2] + c];
      points[3 * (n + f) + c] = sum / 3;
    }
  }
  return buildPointBvh(
    points,
    Uint32Array.from({ length: n + faces }, (_, q) => q),
  );
}

const stack = new Uint32Array(2 * MAX_BVH_DEPTH);

/** Whatever is not within the smallest ball so far cannot make it smaller. */
function touchingRadius(
  { boxes, right, start, count, corners }: Bvh,
  positions: ArrayLike<number>,
  normals: ArrayLike<number>,
  at: number,
  most: number,
): number {
  const [px, py, pz] = [positions[at], positions[at + 1], positions[at + 2]];
  const [nx, ny, nz] = [normals[at], normals[at + 1], normals[at + 2]];
  let radius = most;
  let depth = 1;
  stack[0] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    const o = 6 * node;
    const cx = px - radius * nx;
    const cy = py - radius * ny;
    const cz = pz - radius * nz;
    const dx = Math.max(boxes[o] - cx, 0, cx - boxes[o + 3]);
    const dy = Math.max(boxes[o + 1] - cy, 0, cy - boxes[o + 4]);
    const dz = Math.max(boxes[o + 2] - cz, 0, cz - boxes[o + 5]);
    if (dx * dx + dy * dy + dz * dz >= radius * radius) continue;
    if (right[node] !== 0) {
      // The child nearer to the vertex first: its points make the ball small soon.
      const left = o + 6;
      const other = 6 * right[node];
      const toLeft = middleDistance(boxes, left, px, py, pz);
      const toRight = middleDistance(boxes, other, px, py, pz);
      stack[depth++] = toLeft < toRight ? right[node] : node + 1;
      stack[depth++] = toLeft < toRight ? node + 1 : right[node];
      continue;
    }
    for (let q = 9 * start[node]; q < 9 * (start[node] + count[node]); q += 9) {
      const x = px - corners[q];
      const y = py - corners[q + 1];
      const z = pz - corners[q + 2];
      const below = nx * x + ny * y + nz * z;
      if (below <= 0) continue;
      const square = x * x + y * y + z * z;
      if (below * below <= BELOW * BELOW * square) continue;
      if (square < 2 * below * radius) radius = square / (2 * below);
    }
  }
  return radius;
}

/** Squared distance to the middle of the box at `o`. */
function middleDistance(boxes: Float32Array, o: number, x: number, y: number, z: number): number {
  const dx = (boxes[o] + boxes[o + 3]) / 2 - x;
  const dy = (boxes[o + 1] + boxes[o + 4]) / 2 - y;
  const dz = (boxes[o + 2] + boxes[o + 5]) / 2 - z;
  return dx * dx + dy * dy + dz * dz;
}
