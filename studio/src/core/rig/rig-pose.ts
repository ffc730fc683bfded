import { boneCount, MATRIX_STRIDE, type Skeleton } from '../../../../src/index.ts';
import { identity34, invert34, multiply34 } from '../../../../src/math/matrix34.ts';
import { composeTrs } from '../../../../src/math/trs.ts';

/** Degrees about a joint's own axes: about x, then y, then z. */
export type Angles = readonly [x: number, y: number, z: number];

/** Turns of joints by hand. */
export type JointTurns = ReadonlyMap<number, Angles>;

export const NO_TURN: Angles = [0, 0, 0];

/** The same turns with one joint changed. Joints that do not turn are left out. */
export function withTurn(turns: JointTurns, joint: number, angles: Angles): JointTurns {
  const all = new Map(turns);
  if (angles.every((angle) => angle === 0)) all.delete(joint);
  else all.set(joint, angles);
  return all;
}

/** Bind poses: bone → mesh, 12B. A bone whose inverse bind matrix cannot be inverted stands at the origin. */
export function bindMatrices({ inverseBind }: Skeleton): Float64Array {
  const out = Float64Array.from(identity34(inverseBind.length / MATRIX_STRIDE));
  for (let m = 0; m < out.length; m += MATRIX_STRIDE) invert34(out, m, inverseBind, m);
  return out;
}

/** 3B: where the joints are in a pose of 12B transforms (rest → pose). */
export function jointPositions(bind: Float64Array, transforms: ArrayLike<number>): Float32Array {
  const out = new Float32Array(bind.length / 4);
  for (let j = 0; j < out.length / 3; j++) {
    const m = MATRIX_STRIDE * j;
    for (let r = 0; r < 3; r++) {
      const row = m + 4 * r;
      out[3 * j + r] =
        transforms[row] * bind[m + 3] +
        transforms[row + 1] * bind[m + 7] +
        transforms[row + 2] * bind[m + 11] +
        transforms[row + 3];
    }
  }
  return out;
}

/**
 * Turns joints on top of a pose, in place. With W the world matrix of a joint and R its turn, everything below it moves by
 * D = D(parent)·W·R·W⁻¹, and each transform T (rest → pose) becomes D·T: only matrices are needed, no local poses.
 */
export function turnJoints(transforms: Float32Array, skeleton: Skeleton, bind: Float64Array, turns: JointTurns): void {
  if (turns.size === 0) return;
  const bones = boneCount(skeleton);
  const moves = Float64Array.from(identity34(bones));
  const [world, inverse, turn] = [new Float64Array(12), new Float64Array(12), new Float64Array(12)];
  for (let j = 0; j < bones; j++) {
    const m = MATRIX_STRIDE * j;
    const parent = skeleton.parents[j];
    if (parent >= 0) moves.copyWithin(m, MATRIX_STRIDE * parent, MATRIX_STRIDE * (parent + 1));
    const angles = turns.get(j);
    multiply34(world, 0, transforms, m, bind, m);
    if (angles && invert34(inverse, 0, world, 0)) {
      composeTrs(turn, 0, [0, 0, 0, ...quaternionOf(angles), 1, 1, 1], 0);
      multiply34(turn, 0, world, 0, turn, 0);
      multiply34(turn, 0, turn, 0, inverse, 0);
      multiply34(moves, m, moves, m, turn, 0);
    }
  }
  for (let m = 0; m < transforms.length; m += MATRIX_STRIDE) multiply34(transforms, m, moves, m, transforms, m);
}

/** Turns about x, then y, then z. */
export function quaternionOf([x, y, z]: Angles): [number, number, number, number] {
  const half = Math.PI / 360;
  const [cx, cy, cz] = [Math.cos(x * half), Math.cos(y * half), Math.cos(z * half)];
  const [sx, sy, sz] = [Math.sin(x * half), Math.sin(y * half), Math.sin(z * half)];
  return [
    sx * cy * cz - cx * sy * sz,
    cx * sy * cz + sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ];
}
