import { MATRIX_STRIDE, transformPoint34 } from '../math/matrix34.ts';
import { polar3 } from '../math/svd3.ts';
import type { Mesh } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { type Clip, clipFrame } from '../model/skeleton.ts';
import type { BoneCapsule } from './capsules.ts';

/** A body that moves cloth: its surface frame by frame and, where it is a rig, its bones. */
export interface BodyMotion {
  /** Frames in metres, y up, at a steady rate. */
  sequence: MeshSequence;
  rig?: {
    capsules: readonly BoneCapsule[];
    /** B. */
    names: readonly string[];
    /** Its transforms have the frames of the sequence. */
    clip: Clip;
  };
}

/** What a garment has to know of a body beforehand. */
export interface Wearer {
  sequence: Pick<MeshSequence, 'rest'>;
  rig?: { capsules: readonly BoneCapsule[] };
}

/** A body at one time. */
export interface BodyFrame {
  /** 3M. */
  positions: Float32Array;
  /** 12B, rest → pose. */
  transforms?: Float32Array;
}

/** What follows a body within a frame. */
export interface Mover {
  /** Begins a frame: the body goes on to `next` from where it is. */
  next(frame: BodyFrame): void;
  /** Moves to `t` in 0…1 of the frame. */
  moveTo(t: number): void;
}

async function readBodyFrame({ sequence, rig }: BodyMotion, k: number): Promise<BodyFrame> {
  return { positions: await sequence.readFrame(k), ...(rig && { transforms: clipFrame(rig.clip, k).slice() }) };
}

/** A body at its rest pose, the one that garments are modelled on, moved as a whole to where its motion starts. */
export interface BodyStart extends BodyFrame {
  /** 12: the rigid motion with the least squares that moved it. */
  place: Float32Array;
  /** The first frame of the motion. */
  first: BodyFrame;
}

export const startOf = async (body: BodyMotion): Promise<BodyStart> =>
  startAt(body.sequence.rest.positions, await readBodyFrame(body, 0));

/** Where a body starts whose rest positions are `rest` (3M), if `first` is its first frame. */
export function startAt(rest: Float32Array, first: BodyFrame): BodyStart {
  const place = Float32Array.from(rigidBetween(rest, first.positions, someOf(rest, Infinity)));
  const start = { place, first, positions: movedBy(place, rest) };
  if (!first.transforms) return start;
  const transforms = new Float32Array(first.transforms.length);
  for (let o = 0; o < transforms.length; o += MATRIX_STRIDE) transforms.set(place, o);
  return { ...start, transforms };
}

/** So many points tell how a body moves as a whole. */
const SAMPLES = 200;

/** Some of the points (3M), evenly, each of which counts as much. */
export function someOf({ length }: Float32Array, most = SAMPLES): Weighted {
  const m = length / 3;
  const count = Math.min(most, m);
  return {
    items: Uint32Array.from({ length: count }, (_, q) => Math.floor((q * m) / count)),
    weights: new Float64Array(count).fill(1 / count),
  };
}

/** From its start a body goes to the pose of its first frame in half of `settling` ≥ 1 frames, and waits there. */
export function* settlingFrames(start: BodyStart, settling: number): Generator<BodyFrame> {
  for (let k = 1; k <= settling; k++) yield blendFrames(start, start.first, Math.min(1, (2 * k) / settling));
}

/** The frames of settling, which are counted up to 0; then follows the body's motion from frame 1 on. */
export async function* bodyFrames(
  body: BodyMotion,
  start: BodyStart,
  settling: number,
): AsyncGenerator<{ k: number; frame: BodyFrame }> {
  let k = 1 - settling;
  for (const frame of settlingFrames(start, settling)) yield { k: k++, frame };
  for (; k < body.sequence.frameCount; k++) yield { k, frame: await readBodyFrame(body, k) };
}

function blendFrames(a: BodyFrame, b: BodyFrame, t: number): BodyFrame {
  const blend = (from: Float32Array, to: Float32Array) => from.map((x, c) => x + t * (to[c] - x));
  return {
    positions: blend(a.positions, b.positions),
    ...(a.transforms && b.transforms && { transforms: blend(a.transforms, b.transforms) }),
  };
}

export const movedMesh = (matrix: Float32Array, mesh: Mesh): Mesh => ({
  ...mesh,
  positions: movedBy(matrix, mesh.positions),
});

function movedBy(m: Float32Array, points: Float32Array): Float32Array {
  const out = new Float32Array(points.length);
  for (let o = 0; o < points.length; o += 3) transformPoint34(out, o, m, 0, points, o);
  return out;
}

/** Some of the points, and how much each counts, sum 1. */
interface Weighted {
  items: Uint32Array;
  weights: Float64Array;
}

const covariance = new Float64Array(9);
const a = new Float64Array(3);
const b = new Float64Array(3);
const rotation = new Float64Array(9);
const symmetric = new Float64Array(9);
const matrix = new Float64Array(MATRIX_STRIDE);

/** The rigid motion that brings points `from` nearest to points `to` (Kabsch 1976), in an array that is used again (12). */
export function rigidBetween(from: Float32Array, to: Float32Array, { items, weights }: Weighted): Float64Array {
  // The middles, and Σ w y xᵀ, of which the middles' share is taken: relative to a point of each, so that no digits are lost.
  const o = 3 * items[0];
  let ax = 0;
  let ay = 0;
  let az = 0;
  let bx = 0;
  let by = 0;
  let bz = 0;
  covariance.fill(0);
  for (let q = 0; q < items.length; q++) {
    const i = 3 * items[q];
    const w = weights[q];
    const x = from[i] - from[o];
    const y = from[i + 1] - from[o + 1];
    const z = from[i + 2] - from[o + 2];
    const u = w * (to[i] - to[o]);
    const v = w * (to[i + 1] - to[o + 1]);
    const t = w * (to[i + 2] - to[o + 2]);
    ax += w * x;
    ay += w * y;
    az += w * z;
    bx += u;
    by += v;
    bz += t;
    covariance[0] += u * x;
    covariance[1] += u * y;
    covariance[2] += u * z;
    covariance[3] += v * x;
    covariance[4] += v * y;
    covariance[5] += v * z;
    covariance[6] += t * x;
    covariance[7] += t * y;
    covariance[8] += t * z;
  }
  covariance[0] -= bx * ax;
  covariance[1] -= bx * ay;
  covariance[2] -= bx * az;
  covariance[3] -= by * ax;
  covariance[4] -= by * ay;
  covariance[5] -= by * az;
  covariance[6] -= bz * ax;
  covariance[7] -= bz * ay;
  covariance[8] -= bz * az;
  a[0] = ax + from[o];
  a[1] = ay + from[o + 1];
  a[2] = az + from[o + 2];
  b[0] = bx + to[o];
  b[1] = by + to[o + 1];
  b[2] = bz + to[o + 2];
  polar3(rotation, symmetric, covariance);
  for (let c = 0; c < 3; c++) {
    const x = rotation[3 * c];
    const y = rotation[3 * c + 1];
    const z = rotation[3 * c + 2];
    matrix[4 * c] = x;
    matrix[4 * c + 1] = y;
    matrix[4 * c + 2] = z;
    matrix[4 * c + 3] = b[c] - x * a[0] - y * a[1] - z * a[2];
  }
  return matrix;
}

/** Moves points (3N) by a rigid motion (12), in place. */
export function movePoints(motion: Float64Array, x: Float64Array): void {
  for (let o = 0; o < x.length; o += 3) transformPoint34(x, o, motion, 0, x, o);
}

const moved = new Float64Array(3);

/** The farthest that a rigid motion (12) moves one of the points (3N). */
export function farthestWay(motion: Float64Array, x: Float64Array): number {
  let squared = 0;
  for (let o = 0; o < x.length; o += 3) {
    transformPoint34(moved, 0, motion, 0, x, o);
    squared = Math.max(squared, (moved[0] - x[o]) ** 2 + (moved[1] - x[o + 1]) ** 2 + (moved[2] - x[o + 2]) ** 2);
  }
  return Math.sqrt(squared);
}
