import { translation34 } from '../../math/matrix34.ts';
import { multiplyQuaternions } from '../../math/quaternion.ts';
import { cross3, distance3, type Vector } from '../../math/vector.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';

/**
 * How the rest pose of one skeleton differs from that of another: arms that hang, where those of motion capture are spread.
 * Worlds are 12B rest matrices, y up; `sourceOf` says which bone of the source a bone of the target is, −1 for none.
 */
export interface RestPoses {
  parents: Int32Array;
  target: Float64Array;
  source: Float64Array;
  sourceOf: Int32Array;
}

/** B: the next bone above that has a source, or −1. */
export function matchedParents({ parents, sourceOf }: RestPoses): Int32Array {
  const out = new Int32Array(parents.length).fill(-1);
  for (let j = 0; j < parents.length; j++) {
    const parent = parents[j];
    if (parent >= 0) out[j] = sourceOf[parent] >= 0 ? parent : out[parent];
  }
  return out;
}

/**
 * 4B quaternions: the turns that bring the target's bones from their rest pose into that of the source. A bone that leads to
 * one matched bone is turned, by the shortest way, to where the source's leads. Bones that lead to none or to several turn
 * with the matched bone above them. Feet do not turn: both skeletons stand on the ground.
 */
export function turnsToSourceRest(poses: RestPoses): Float64Array {
  const { target, source, sourceOf } = poses;
  const above = matchedParents(poses);
  const bones = sourceOf.length;
  const next = new Int32Array(bones).fill(-1); // the one matched bone below; −2 for several
  for (let j = 0; j < bones; j++)
    if (sourceOf[j] >= 0 && above[j] >= 0) next[above[j]] = next[above[j]] === -1 ? j : -2;

  const out = new Float64Array(4 * bones);
  for (let j = 0; j < bones; j++) {
    const inherited = above[j] < 0 ? [0, 0, 0, 1] : [...out.subarray(4 * above[j], 4 * above[j] + 4)];
    out.set(inherited, 4 * j);
    if (sourceOf[j] < 0 || next[j] < 0) continue;
    const to = direction(source, sourceOf[j], sourceOf[next[j]]);
    const from = direction(target, j, next[j]);
    if (!to || !from) continue;
    if (liesOnGround(target, j, from) && liesOnGround(source, sourceOf[j], to)) out.set([0, 0, 0, 1], 4 * j);
    else out.set(shortestTurn(from, to), 4 * j);
  }
  return out;
}

/** From joint a to joint b, at length 1; undefined when they coincide. */
function direction(worlds: Float64Array, a: number, b: number): Vector | undefined {
  const [p, q] = [translation34(worlds, a), translation34(worlds, b)];
  const d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const length = Math.hypot(...d);
  return length > 1e-6 * sizeOf(worlds) ? [d[0] / length, d[1] / length, d[2] / length] : undefined;
}

/** Joints below this part of a skeleton's height are at its feet; bones that fall less than this run along the ground. */
const FOOT_HEIGHT = 0.15;
const FOOT_FALL = 0.8;

function liesOnGround(worlds: Float64Array, j: number, along: Vector): boolean {
  const heights = Array.from({ length: worlds.length / MATRIX_STRIDE }, (_, b) => translation34(worlds, b)[1]);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  return heights[j] - low < FOOT_HEIGHT * (high - low) && Math.abs(along[1]) < FOOT_FALL;
}

/** The smallest rotation that takes the direction a to b. */
function shortestTurn(a: Vector, b: Vector): number[] {
  const w = 1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  // Opposite directions: half a turn about any axis across.
  if (w < 1e-9) {
    const across = Math.abs(a[0]) < 0.9 ? [0, a[2], -a[1]] : [-a[2], 0, a[0]];
    const length = Math.hypot(...across);
    return [...across.map((x) => x / length), 0];
  }
  const q = [...cross3(a, b), w];
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

/** Diagonal of the box of the joints. */
export function sizeOf(worlds: Float64Array): number {
  return diagonalOf(Array.from({ length: worlds.length / MATRIX_STRIDE }, (_, j) => translation34(worlds, j)).flat());
}

/** 4B: each bone's turn in the rest pose after `turns`: turn · rest. */
export function turnedRest(turns: Float64Array, rest: Float64Array): Float64Array {
  const out = new Float64Array(rest.length);
  for (let o = 0; o < rest.length; o += 4) multiplyQuaternions(out, o, turns, o, rest, o);
  return out;
}

/** How the root stands: heights of the lowest matched joint in both skeletons, and how much longer the way down to it is. */
export interface Stance {
  low: number;
  sourceLow: number;
  /** Target to source. */
  scale: number;
}

/** `root` is the topmost matched bone. Where nothing matched hangs below it, sizes are compared instead of legs. */
export function stanceOf(poses: RestPoses, root: number): Stance {
  const { target, source, sourceOf } = poses;
  const above = matchedParents(poses);
  const below = (j: number): boolean => j === root || (above[j] >= 0 && below(above[j]));
  let lowest = root;
  for (let j = 0; j < sourceOf.length; j++) {
    if (sourceOf[j] >= 0 && below(j) && translation34(target, j)[1] < translation34(target, lowest)[1]) lowest = j;
  }
  let [length, sourceLength] = [0, 0];
  for (let j = lowest; j !== root; j = above[j]) {
    length += distance3(translation34(target, j), translation34(target, above[j]));
    sourceLength += distance3(translation34(source, sourceOf[j]), translation34(source, sourceOf[above[j]]));
  }
  const [size, sourceSize] = [sizeOf(target), sizeOf(source)];
  const legs = length > 1e-3 * size && sourceLength > 1e-3 * sourceSize;
  return {
    low: translation34(target, lowest)[1],
    sourceLow: translation34(source, sourceOf[lowest])[1],
    scale: legs ? length / sourceLength : size > 0 && sourceSize > 0 ? size / sourceSize : 1,
  };
}
