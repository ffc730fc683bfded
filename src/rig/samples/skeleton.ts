import { invert34 } from '../../math/matrix34.ts';
import { multiplyQuaternions, quaternionFromAxisAngle, quaternionFromRotation } from '../../math/quaternion.ts';
import { forwardKinematics, skinTransforms } from '../../math/trs.ts';
import { cross3, type Vector } from '../../math/vector.ts';
import { steadyTimes } from '../../model/sequence.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';

/** One bone as it is drawn: from `head` to `tail`, bending towards `front`. */
export interface BoneSketch {
  name: string;
  /** Name of the parent, which comes earlier in the list; none for a root. */
  parent?: string;
  head: Vector;
  tail: Vector;
  /** Roughly the direction to which a positive `flex` turns the tail. */
  front: Vector;
}

/** How a bone is rotated from its rest pose, degrees, about its own axes: x flexes, z spreads, y twists. */
export type BoneTurn = readonly [flex?: number, spread?: number, twist?: number];

/** A skeleton in its rest pose. Each bone's y axis runs from head to tail, its z axis points to the front. */
export function skeletonOf(bones: readonly BoneSketch[]): Skeleton {
  const b = bones.length;
  const names = bones.map((bone) => bone.name);
  const parents = Int32Array.from(bones, (bone) => (bone.parent === undefined ? -1 : names.indexOf(bone.parent)));
  const worlds = new Float64Array(MATRIX_STRIDE * b);
  const inverseBind = new Float32Array(MATRIX_STRIDE * b);
  const restLocals = new Float32Array(LOCAL_STRIDE * b);
  for (let j = 0; j < b; j++) {
    const m = restWorld(bones[j]);
    worlds.set(m, MATRIX_STRIDE * j);
    const parent = parents[j];
    const local = parent < 0 ? m : relativeTo(worlds.subarray(MATRIX_STRIDE * parent, MATRIX_STRIDE * (parent + 1)), m);
    const rotation = [0, 0, 0, 1];
    quaternionFromRotation(rotation, 0, local, 0, 4);
    restLocals.set([local[3], local[7], local[11], ...rotation, 1, 1, 1], LOCAL_STRIDE * j);
  }
  // From the rounded locals, so that world · inverseBind is the identity to the last bit that float32 has.
  forwardKinematics(worlds, parents, restLocals);
  for (let o = 0; o < worlds.length; o += MATRIX_STRIDE) invert34(inverseBind, o, worlds, o);
  return { names, parents, restLocals, inverseBind };
}

/**
 * A clip of `frames` frames. `turns` says how bone j is turned at a time (s), `root` where the first bone has moved to,
 * in metres from its rest, given that frame's world matrices (12B) of the turned bones.
 */
export function clipOf(
  skeleton: Skeleton,
  name: string,
  frames: number,
  framesPerSecond: number,
  turns: (time: number, name: string) => BoneTurn,
  root: (time: number, worlds: Float64Array) => Vector = () => [0, 0, 0],
): Clip {
  const { names, parents, restLocals, inverseBind } = skeleton;
  const times = steadyTimes(frames, framesPerSecond);
  const locals = new Float32Array(frames * restLocals.length);
  const worlds = new Float64Array(MATRIX_STRIDE * names.length);
  for (let k = 0; k < frames; k++) {
    const pose = locals.subarray(k * restLocals.length, (k + 1) * restLocals.length);
    pose.set(restLocals);
    for (let j = 0; j < names.length; j++) turnBone(pose, LOCAL_STRIDE * j + 3, turns(times[k], names[j]));
    forwardKinematics(worlds, parents, pose);
    const move = root(times[k], worlds);
    for (let c = 0; c < 3; c++) pose[c] += move[c];
  }
  return { name, times, locals, transforms: skinTransforms(parents, inverseBind, locals) };
}

/** Clips in which every bone but the first is rotated evenly, to `turn` in the last frame. */
export function evenClips(
  skeleton: Skeleton,
  ends: readonly { name: string; turn: BoneTurn }[],
  frames: number,
  framesPerSecond: number,
): Clip[] {
  const seconds = Math.max(1, frames - 1) / framesPerSecond;
  return ends.map(({ name, turn: [flex = 0, spread = 0, twist = 0] }) =>
    clipOf(skeleton, name, frames, framesPerSecond, (time, bone) => {
      const part = bone === skeleton.names[0] ? 0 : time / seconds;
      return [part * flex, part * spread, part * twist];
    }),
  );
}

/** q ← q · Rx(flex) · Rz(spread) · Ry(twist): the twist first, about the bone itself. */
function turnBone(q: Float32Array, o: number, [flex = 0, spread = 0, twist = 0]: BoneTurn): void {
  const radians = Math.PI / 180;
  const turn = [0, 0, 0, 1];
  quaternionFromAxisAngle(turn, 0, 1, 0, 0, flex * radians);
  multiplyQuaternions(q, o, q, o, turn, 0);
  quaternionFromAxisAngle(turn, 0, 0, 0, 1, spread * radians);
  multiplyQuaternions(q, o, q, o, turn, 0);
  quaternionFromAxisAngle(turn, 0, 0, 1, 0, twist * radians);
  multiplyQuaternions(q, o, q, o, turn, 0);
}

function restWorld({ head, tail, front }: BoneSketch): number[] {
  const y = unit([tail[0] - head[0], tail[1] - head[1], tail[2] - head[2]]);
  const x = unit(cross3(y, front));
  const z = cross3(x, y);
  return [0, 1, 2].flatMap((c) => [x[c], y[c], z[c], head[c]]);
}

/** parent⁻¹ · m, for a parent that is a rotation and a translation. */
function relativeTo(parent: Float64Array, m: readonly number[]): number[] {
  const out: number[] = [];
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 4; c++) {
      let sum = 0;
      for (let q = 0; q < 3; q++) sum += parent[4 * q + r] * (m[4 * q + c] - (c === 3 ? parent[4 * q + 3] : 0));
      out.push(sum);
    }
  }
  return out;
}

function unit(a: Vector): Vector {
  const length = Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return [a[0] / length, a[1] / length, a[2] / length];
}
