import { PliantError } from '../../error.ts';
import { invert34, multiply34, transformPoint34, translation34 } from '../../math/matrix34.ts';
import { multiplyQuaternions, normalizeQuaternion } from '../../math/quaternion.ts';
import { composeTrs, decomposeTrs, skinTransforms, worldMatrices } from '../../math/trs.ts';
import { distance3 } from '../../math/vector.ts';
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
import { matchedParents, type RestPoses, sizeOf, stanceOf, turnedRest, turnsToSourceRest } from './rest-poses.ts';

/**
 * A clip of one skeleton on another. Bones of the target that have a source are first brought into the source's rest pose
 * (`turnsToSourceRest`), then turn in the world by as much as the source has turned from it:
 * R(k) = R_s(k)·R_s(rest)⁻¹·C·R(rest). The others keep their pose relative to their parents. How the frames of the bones lie
 * does not matter.
 *
 * The topmost of these bones that moves at all, mostly the hips, also moves along the ground from where the rig stands, by
 * the source's way since its first frame; and up and down so that its height over the feet follows the source's. A source
 * whose rest pose reaches below the ground (y = 0), as in motion capture with hips at the origin, is lifted to stand on it.
 * Below, bones whose joints leave their places under the source's parent leave theirs by as much. Ways are scaled by the
 * length of the legs. y is up.
 *
 * Between skeletons with the same rest pose clips stay as they are, unless they are captured.
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
 * @param captured Motion capture, whose clips have an origin of their own, apart from the rest pose.
 */
export function retargetClip(
  source: Skeleton,
  clip: Clip,
  target: Skeleton,
  sourceOf: Int32Array,
  captured = false,
): Retargeted {
  const operation = 'retarget';
  if (!sourceOf.some((s) => s >= 0))
    throw new PliantError('bad-input', operation, `no bone of the rig matches a joint of clip "${clip.name}"`);
  const bones = boneCount(target);
  const poses: RestPoses = {
    parents: target.parents,
    target: worldMatrices(target.parents, target.restLocals),
    source: worldMatrices(source.parents, source.restLocals),
    sourceOf,
  };
  const frames = clipFrameCount(clip);
  const sourceFrames = framesOf(source, clip, operation);
  const above = matchedParents(poses);
  const root = movingRoot(poses, above, sourceFrames);
  const leaves = leavingBones(poses, above, sourceFrames);
  const { low, sourceLow, scale } = stanceOf(poses, root);
  const stays = !captured && sameRest(poses);
  const lift = stays ? 0 : Math.max(0, -lowest(poses.source));
  const stand = translation34(poses.target, root);
  const start = translation34(stays ? poses.source : sourceFrames[0], sourceOf[root]);

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
  const locals = new Float32Array(LOCAL_STRIDE * bones * frames);
  const worlds = new Float64Array(MATRIX_STRIDE * bones);
  const turns = new Float64Array(4 * bones);
  for (const [k, sourceWorlds] of sourceFrames.entries()) {
    const sourceTurns = rotations(sourceWorlds);
    const at = translation34(sourceWorlds, sourceOf[root]);
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
      } else if (leaves[j]) {
        const way = wayFromPlace(poses, above[j], j, sourceWorlds);
        const place = [0, 0, 0];
        transformPoint34(place, 0, worlds, MATRIX_STRIDE * parent, pose, l);
        pose.set(
          relativePlace(
            worlds,
            parent,
            place.map((x, c) => x + scale * way[c]),
          ),
          l,
        );
      }
      composeTrs(worlds, MATRIX_STRIDE * j, pose, l);
      if (parent >= 0) multiply34(worlds, MATRIX_STRIDE * j, worlds, MATRIX_STRIDE * parent, worlds, MATRIX_STRIDE * j);
    }
  }
  const transforms = skinTransforms(target.parents, target.inverseBind, locals);
  const { name, times, frames: own } = clip;
  return { clip: { name, times, locals, transforms, ...(own && { frames: own }) }, scale };
}

/** Per frame of a clip the world matrices of its skeleton. */
function framesOf(skeleton: Skeleton, clip: Clip, operation: string): Float64Array[] {
  const binds = bindMatrices(skeleton, operation);
  return Array.from({ length: clipFrameCount(clip) }, (_, k) => {
    const skin = clipFrame(clip, k);
    const out = new Float64Array(binds.length);
    for (let o = 0; o < out.length; o += MATRIX_STRIDE) multiply34(out, o, skin, o, binds, o);
    return out;
  });
}

/** Parts of a skeleton's size: joints that leave their places by less stay. */
const LEAVES = 1e-5;

/** The topmost bone with a source, or the only one below it where it stays as it rests: nodes above the hips. */
function movingRoot({ source, sourceOf }: RestPoses, above: Int32Array, frames: readonly Float64Array[]): number {
  const near = LEAVES * sizeOf(source);
  const rests = (j: number): boolean => {
    const o = MATRIX_STRIDE * sourceOf[j];
    return frames.every((worlds) => {
      for (let c = 0; c < MATRIX_STRIDE; c++) {
        const most = c % 4 === 3 ? near : LEAVES * Math.hypot(source[o], source[o + 4], source[o + 8]);
        if (Math.abs(worlds[o + c] - source[o + c]) > most) return false;
      }
      return true;
    });
  };
  let root = sourceOf.findIndex((s) => s >= 0);
  for (;;) {
    const next = [...sourceOf.keys()].filter((j) => sourceOf[j] >= 0 && above[j] === root);
    if (next.length !== 1 || !rests(root)) return root;
    root = next[0];
  }
}

/** B: 1 for bones whose joints leave the place that they have under the next matched bone at rest. */
function leavingBones(poses: RestPoses, above: Int32Array, frames: readonly Float64Array[]): Uint8Array {
  const near = LEAVES * sizeOf(poses.source);
  return Uint8Array.from(poses.sourceOf, (s, j) =>
    Number(
      s >= 0 &&
        above[j] >= 0 &&
        frames.some((worlds) => Math.hypot(...wayFromPlace(poses, above[j], j, worlds)) > near),
    ),
  );
}

/** In the source's world: from where joint j would be, had it kept its rest place under `above`, to where it is. */
function wayFromPlace({ source, sourceOf }: RestPoses, above: number, j: number, worlds: Float64Array): number[] {
  const kept = relativePlace(source, sourceOf[above], translation34(source, sourceOf[j]));
  transformPoint34(kept, 0, worlds, MATRIX_STRIDE * sourceOf[above], kept, 0);
  return translation34(worlds, sourceOf[j]).map((x, c) => x - kept[c]);
}

/** True where every matched bone rests where its source does. */
function sameRest({ target, source, sourceOf }: RestPoses): boolean {
  const near = SAME * sizeOf(source);
  return sourceOf.every((s, j) => s < 0 || distance3(translation34(target, j), translation34(source, s)) <= near);
}

/** Parts of a skeleton's size: joints this near are at one place. */
const SAME = 1e-4;

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
