import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { faceNormal } from '../mesh/triangle.ts';
import { gridFor, pointOfFace } from './samples.ts';

/**
 * A fit lowers a sum, and may throw single vertices off for it, or turn faces over. A vertex with a face around it that is
 * farther from the original than the surfaces were anywhere before, in any pose, or that is turned over, goes half the way
 * back to where it was, and at last all of it. In the default pose alone a flat side that bends later would have no room.
 */

/** Halvings of the way; the last one goes all the way back. */
const STEPS = 3;

/** What a guard needs to know about a fit. */
export interface Guarded {
  /** Positions of the level (3n) in the default pose, as they are now. */
  positions(): Float32Array;
  /** Takes vertex i back to a share of the way that it was moved. */
  stepBack(i: number, share: number): void;
}

/** How a level was before the fit. */
export interface Unfitted {
  /** 3n, in the default pose. */
  positions: Float32Array;
  /** The largest distance between it and the original. */
  distance: number;
}

/** A level and the original in the poses after the default one. */
interface OtherPoses {
  /** K × 3n, K × 3N. */
  level: readonly ArrayLike<number>[];
  original: readonly Float32Array[];
}

/** Points of the original that are looked at in other poses. */
const POINTS = 2000;

/** Remembers a level (3f triangles, 3n positions) before its fit. */
export function unfittedLevel(
  triangles: Uint32Array,
  positions: Float32Array,
  original: Bvh,
  others: OtherPoses = { level: [], original: [] },
): Unfitted {
  const level = buildBvh(positions, triangles);
  const { corners } = original;
  let distance = 0;
  for (let c = 0; c < corners.length; c += 3) {
    nearestOnSurface(level, corners[c], corners[c + 1], corners[c + 2], found);
    distance = Math.max(distance, found.distance);
  }
  for (const d of distancesAround(triangles, positions, original)) distance = Math.max(distance, d);
  others.level.forEach((pose, p) => {
    refitBvh(level, Float32Array.from(pose));
    const there = others.original[p];
    const step = 3 * Math.ceil(there.length / 3 / POINTS);
    for (let i = 0; i < there.length; i += step) {
      nearestOnSurface(level, there[i], there[i + 1], there[i + 2], found);
      distance = Math.max(distance, found.distance);
    }
  });
  return { positions, distance };
}

/** Takes vertices back. Returns how many. */
export function guardVertices(triangles: Uint32Array, original: Bvh, unfitted: Unfitted, fit: Guarded): number {
  const back = new Set<number>();
  for (let step = 1; step <= STEPS; step++) {
    const positions = fit.positions();
    const distances = distancesAround(triangles, positions, original);
    const turned = turnedAround(triangles, positions, unfitted.positions);
    let changed = 0;
    for (let i = 0; i < distances.length; i++) {
      if (!(distances[i] > unfitted.distance) && turned[i] === 0) continue;
      fit.stepBack(i, step === STEPS ? 0 : 0.5);
      back.add(i);
      changed++;
    }
    if (changed === 0) break;
  }
  return back.size;
}

/** A fit of frames, each by itself. */
export interface GuardedFrames {
  /** K × 3n: positions of the level as they are now. */
  poses(): readonly ArrayLike<number>[];
  /** How far vertex i of frame p is from where it was, which is on the original. */
  movedIn(p: number, i: number): number;
  /** Takes vertex i of frame p back to a share of the way that it was moved. */
  stepBackIn(p: number, i: number, share: number): void;
}

/**
 * The same in the frames after the first: what is nearest there says little about a frame in which things are elsewhere, and no
 * bones hold it together. Only vertices that were moved farther than the limit are looked at, with the middles of their
 * faces. `original`: K × 3N, with triangles 3F. Returns how many went back, over all frames.
 */
export function guardFrames(
  triangles: Uint32Array,
  original: { triangles: Uint32Array; poses: readonly Float32Array[] },
  { distance }: Unfitted,
  fit: GuardedFrames,
): number {
  let bvh: Bvh | undefined;
  let count = 0;
  for (let p = 1; p < original.poses.length; p++) {
    const back = new Set<number>();
    for (let step = 1; step <= STEPS; step++) {
      const positions = fit.poses()[p];
      const moved = Uint8Array.from({ length: positions.length / 3 }, (_, i) => (fit.movedIn(p, i) > distance ? 1 : 0));
      if (!moved.includes(1)) break;
      if (step === 1) {
        bvh ??= buildBvh(original.poses[0], original.triangles);
        refitBvh(bvh, original.poses[p]);
      }
      const far = farVertices(triangles, positions, bvh!, moved, distance);
      for (const i of far) {
        fit.stepBackIn(p, i, step === STEPS ? 0 : 0.5);
        back.add(i);
      }
      if (far.size === 0) break;
    }
    count += back.size;
  }
  return count;
}

/** Of the vertices that were moved (n: 1) those that are farther than `distance` from the original, or have a face whose middle is. */
function farVertices(
  triangles: Uint32Array,
  positions: ArrayLike<number>,
  original: Bvh,
  moved: Uint8Array,
  distance: number,
): Set<number> {
  const far = new Set<number>();
  const isFar = (x: number, y: number, z: number): boolean => {
    nearestOnSurface(original, x, y, z, found);
    return found.distance > distance;
  };
  for (let i = 0; i < moved.length; i++) {
    if (moved[i] === 1 && isFar(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2])) far.add(i);
  }
  const point = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.subarray(t, t + 3).filter((i) => moved[i] === 1);
    if (corners.length === 0) continue;
    pointOfFace(point, 0, positions, triangles, t / 3, 1 / 3, 1 / 3);
    if (isFar(point[0], point[1], point[2])) for (const i of corners) far.add(i);
  }
  return far;
}

/** n: 1 for the vertices of faces that look the other way than they did. */
function turnedAround(triangles: Uint32Array, positions: Float32Array, before: Float32Array): Uint8Array {
  const turned = new Uint8Array(positions.length / 3);
  for (let t = 0; t < triangles.length; t += 3) {
    if (faceNormal(normal, positions, triangles, t) === 0 || faceNormal(normalBefore, before, triangles, t) === 0)
      continue;
    const dot = normal[0] * normalBefore[0] + normal[1] * normalBefore[1] + normal[2] * normalBefore[2];
    if (dot < 0) for (let c = t; c < t + 3; c++) turned[triangles[c]] = 1;
  }
  return turned;
}

/** n: the largest distance to the original of some points in the faces (3f) around each vertex. */
function distancesAround(triangles: Uint32Array, positions: Float32Array, original: Bvh): Float64Array {
  const worst = new Float64Array(positions.length / 3);
  const grid = gridFor(1, 5);
  const point = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    let most = 0;
    for (let q = 0; q < grid.a.length; q++) {
      pointOfFace(point, 0, positions, triangles, t / 3, grid.a[q], grid.b[q]);
      nearestOnSurface(original, point[0], point[1], point[2], found);
      if (found.distance > most) most = found.distance;
    }
    for (let c = t; c < t + 3; c++) if (most > worst[triangles[c]]) worst[triangles[c]] = most;
  }
  return worst;
}

const found = surfacePoint();
const normal = new Float64Array(3);
const normalBefore = new Float64Array(3);
