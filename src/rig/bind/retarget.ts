import { PliantError } from '../../error.ts';
import { invert34, multiply34, transformPoint34, translation34 } from '../../math/matrix34.ts';
import { multiplyQuaternions, normalizeQuaternion } from '../../math/quaternion.ts';
import { composeTrs, decomposeTrs, skinTransforms, worldMatrices } from '../../math/trs.ts';
import {
  boneCount,
  type Clip,
  clipFrame,
  clipFrameCount,
  LOCAL_STRIDE,
  MATRIX_STRIDE,
  type Skeleton,
} from '../../model/skeleton.ts';
import { bindMatrices } from './bone-segments.ts';
import { type RestPoses, stanceOf, turnedRest, turnsToSourceRest } from './rest-poses.ts';

/**
 * A clip of one skeleton on another. Bones of the target that have a source are first brought into the source's rest pose
 * (`turnsToSourceRest`), then turn in the world by as much as the source has turned from it:
 * R(k) = R_s(k)·R_s(rest)⁻¹·C·R(rest). The others keep their pose relative to their parents. How the frames of the bones lie
 * does not matter.
 *
 * The topmost of these bones also moves: along the ground from where the rig stands, by the source's way since its first
 * frame; and up and down so that its height over the feet follows the source's. A source whose rest pose reaches below the
 * ground (y = 0), as in motion capture with hips at the origin, is lifted to stand on it. Ways are scaled by the length of
 * the legs. y is up.
 */
export interface Retargeted {
  clip: Clip;
  /** Of the way of the root. */
  scale: number;
}

/**
 * Plays a clip of another skeleton.
 *
 * @param sourceOf B of the target: bone → bone of the source, −1 for none (`matchBones`). At least one.
 */
export function retargetClip(source: Skeleton, clip: Clip, target: Skeleton, sourceOf: Int32Array): Retargeted {
  const operation = 'retarget';
  const root = sourceOf.findIndex((s) => s >= 0);
  if (root < 0)
    throw new PliantError('bad-input', operation, `no bone of the rig matches a joint of clip "${clip.name}"`);
  const bones = boneCount(target);
  const poses: RestPoses = {
    parents: target.parents,
    target: worldMatrices(target.parents, target.restLocals),
    source: worldMatrices(source.parents, source.restLocals),
    sourceOf,
  };
  const { low, sourceLow, scale } = stanceOf(poses, root);
  const lift = Math.max(0, -lowest(poses.source));
  const stand = translation34(poses.target, root);

  // (1) R_s(rest)⁻¹·C·R(rest) per bone of the target.
  const turnFromRest = new Float64Array(4 * bones);
  const restTurns = turnedRest(turnsToSourceRest(poses), rotations(poses.target));
  const sourceRestTurns = rotations(poses.source);
  for (let j = 0; j < bones; j++) {
    if (sourceOf[j] < 0) continue;
    const inverse = conjugate(sourceRestTurns, 4 * sourceOf[j]);
    multiplyQuaternions(turnFromRest, 4 * j, inverse, 0, restTurns, 4 * j);
  }

  // (2) Frame by frame, parents first.
  const frames = clipFrameCount(clip);
  const sourceBinds = bindMatrices(source, operation);
  const sourceWorlds = new Float64Array(sourceBinds.length);
  const locals = new Float32Array(LOCAL_STRIDE * bones * frames);
  const worlds = new Float64Array(MATRIX_STRIDE * bones);
  const turns = new Float64Array(4 * bones);
  const start = new Float64Array(3);
  for (let k = 0; k < frames; k++) {
    const skin = clipFrame(clip, k);
    for (let o = 0; o < sourceWorlds.length; o += MATRIX_STRIDE) multiply34(sourceWorlds, o, skin, o, sourceBinds, o);
    const sourceTurns = rotations(sourceWorlds);
    const at = translation34(sourceWorlds, sourceOf[root]);
    if (k === 0) start.set(at);
    const pose = locals.subarray(LOCAL_STRIDE * bones * k, LOCAL_STRIDE * bones * (k + 1));
    pose.set(target.restLocals);
    for (let j = 0; j < bones; j++) {
      const parent = target.parents[j];
      const l = LOCAL_STRIDE * j;
      if (sourceOf[j] >= 0) {
        multiplyQuaternions(turns, 4 * j, sourceTurns, 4 * sourceOf[j], turnFromRest, 4 * j);
        const local = parent < 0 ? [0, 0, 0, 1] : conjugate(turns, 4 * parent);
        multiplyQuaternions(local, 0, local, 0, turns, 4 * j);
        normalizeQuaternion(local);
        pose.set(local, l + 3);
      } else if (parent < 0) turns.set(pose.subarray(l + 3, l + 7), 4 * j);
      else multiplyQuaternions(turns, 4 * j, turns, 4 * parent, pose, l + 3);
      if (j === root) {
        const place = [
          stand[0] + scale * (at[0] - start[0]),
          low + scale * (at[1] - sourceLow - lift),
          stand[2] + scale * (at[2] - start[2]),
        ];
        pose.set(relativePlace(worlds, parent, place), l);
      }
      composeTrs(worlds, MATRIX_STRIDE * j, pose, l);
      if (parent >= 0) multiply34(worlds, MATRIX_STRIDE * j, worlds, MATRIX_STRIDE * parent, worlds, MATRIX_STRIDE * j);
    }
  }
  const transforms = skinTransforms(target.parents, target.inverseBind, locals);
  const { name, times, frames: own } = clip;
  return { clip: { name, times, locals, transforms, ...(own && { frames: own }) }, scale };
}

/** 4B: the rotations of B world matrices. */
function rotations(worlds: Float64Array): Float64Array {
  const out = new Float64Array(worlds.length / 3);
  const local = new Float64Array(LOCAL_STRIDE);
  for (let o = 0; o < worlds.length; o += MATRIX_STRIDE) {
    decomposeTrs(local, 0, worlds, o);
    out.set(local.subarray(3, 7), o / 3);
  }
  return out;
}

/** The inverse of a unit quaternion. */
const conjugate = (q: Float64Array, o: number): number[] => [-q[o], -q[o + 1], -q[o + 2], q[o + 3]];

/** Height of the lowest joint. */
function lowest(worlds: Float64Array): number {
  let least = Infinity;
  for (let o = 7; o < worlds.length; o += MATRIX_STRIDE) least = Math.min(least, worlds[o]);
  return least;
}

/** A place of the world as seen from the parent; −1 is the world itself. What a parent of scale 0 holds has no place. */
function relativePlace(worlds: Float64Array, parent: number, place: number[]): number[] {
  if (parent < 0) return place;
  const inverse = new Float64Array(MATRIX_STRIDE);
  const out = [0, 0, 0];
  if (invert34(inverse, 0, worlds, MATRIX_STRIDE * parent)) transformPoint34(out, 0, inverse, 0, place, 0);
  return out;
}
