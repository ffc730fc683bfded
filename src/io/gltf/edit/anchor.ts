import type { GLTF } from '@gltf-transform/core';
import { IDENTITY34, invert34, multiply34, transformPoint34 } from '../../../math/matrix34.ts';
import { multiplyQuaternions, quaternionFromRotation } from '../../../math/quaternion.ts';
import { composeTrs, skinTransforms } from '../../../math/trs.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../../model/skeleton.ts';
import type { SkinnedModel } from '../../../model/skinned-model.ts';
import { localsOfTransforms } from '../../glb/clips.ts';

/**
 * Blender binds a mesh anew when it imports it: a joint below another one as the inverse bind matrices say, seen from that
 * one; a joint below anything else as it stands at rest. With R the rest pose of a joint, which has no scales, and B its
 * inverse bind matrix, R·B must be one motion of the mesh for all joints. Where the file's rest pose is not its bind pose,
 * bones that were added beside the topmost joint would break that: they are put below an anchor, which stands and is bound
 * as that joint, and never moves.
 */

const NAME = 'blend bones';

/** How much R·B may differ, in relation to its largest number. */
const SAME = 1e-4;

/** A model of a file with an anchor for the bones that were added, if they need one. */
export function anchored(model: SkinnedModel, operation: string): SkinnedModel {
  const { parents } = model.skeleton;
  const { bones, source, node } = model.origin!;
  const { nodes = [], skins = [] } = source.json as unknown as GLTF.IGLTF;
  const joints = new Set(skins[nodes[node].skin ?? -1]?.joints);
  const given = bones.length;
  const isJoint = (j: number): boolean => joints.has(bones[j]);
  const top = bones.findIndex((_, j) => isJoint(j));
  const root = parents.slice(given).find((parent) => parent < given && !isJoint(parent));
  if (top < 0 || root === undefined) return model;
  const stand = standing(model.skeleton, top, root);
  if (!stand) return model;
  const motion = bound(model.skeleton, top, stand);
  const largest = motion.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const isAlike = (_: number, j: number): boolean => {
    if (j < given || parents[j] !== root) return true;
    const other = bound(model.skeleton, j, standing(model.skeleton, j, root)!);
    return other.every((x, c) => Math.abs(x - motion[c]) <= SAME * largest);
  };
  return parents.every(isAlike) ? model : withAnchor(model, { given, root, top, stand }, operation);
}

/** 12: where a bone stands at rest, seen from one above it (−1: the scene) and without scales. Undefined if that is not above it. */
function standing({ parents, restLocals }: Skeleton, bone: number, root: number): Float64Array | undefined {
  const out = Float64Array.from(IDENTITY34);
  const local = new Float64Array(MATRIX_STRIDE);
  let j = bone;
  for (; j >= 0 && j !== root; j = parents[j]) {
    const at = LOCAL_STRIDE * j;
    composeTrs(local, 0, [...restLocals.subarray(at, at + 7), 1, 1, 1], 0);
    multiply34(out, 0, local, 0, out, 0);
  }
  return j === root ? out : undefined;
}

/** R·B. */
function bound({ inverseBind }: Skeleton, bone: number, stand: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  multiply34(out, 0, stand, 0, inverseBind, MATRIX_STRIDE * bone);
  return out;
}

/** The bone before which the anchor comes, what it hangs from, the joint that it is like, and where that stands. */
interface Anchor {
  given: number;
  root: number;
  top: number;
  stand: Float64Array;
}

/** The model with the anchor in front of the bones that were added, which hang from it. Every pose stays the same. */
function withAnchor(model: SkinnedModel, anchor: Anchor, operation: string): SkinnedModel {
  const { skeleton, weights, blendBones } = model;
  const { given, root, top } = anchor;
  const moved = (j: number): number => (j >= given ? j + 1 : j);
  const parentOf = (parent: number, j: number): number => (j >= given && parent === root ? given : moved(parent));
  const parents = Int32Array.from(inserted([...skeleton.parents].map(parentOf), 1, given, [root]));
  const topBind = skeleton.inverseBind.slice(MATRIX_STRIDE * top, MATRIX_STRIDE * (top + 1));
  const inverseBind = Float32Array.from(inserted(skeleton.inverseBind, MATRIX_STRIDE, given, topBind));
  const locals = (all: Float32Array) => anchoredLocals(all, skeleton.parents, anchor);
  return {
    ...model,
    weights: { ...weights, joints: weights.joints.map(moved) },
    skeleton: {
      ...skeleton,
      names: [...skeleton.names.slice(0, given), NAME, ...skeleton.names.slice(given)],
      parents,
      inverseBind,
      restLocals: locals(skeleton.restLocals),
    },
    clips: model.clips.map((clip) => {
      const own = locals(clip.locals ?? localsOfTransforms(model, clip, operation));
      return { ...clip, locals: own, transforms: skinTransforms(parents, inverseBind, own) };
    }),
    ...(blendBones && {
      blendBones: { ...blendBones, bones: blendBones.bones.map((each) => ({ ...each, bone: moved(each.bone) })) },
    }),
  };
}

/** 10·(B + 1)·P: local poses with that of the anchor, and those of the bones that hang from it as seen from there. */
function anchoredLocals(all: Float32Array, parents: Int32Array, { given, root, stand }: Anchor): Float32Array {
  const from = Float64Array.of(stand[3], stand[7], stand[11], 0, 0, 0, 1, 1, 1, 1);
  quaternionFromRotation(from, 3, stand, 0, 4);
  const back = new Float64Array(MATRIX_STRIDE);
  invert34(back, 0, stand, 0);
  const turnedBack = Float64Array.of(-from[3], -from[4], -from[5], from[6]);
  const stride = LOCAL_STRIDE * parents.length;
  const out = new Float32Array((all.length / stride) * (stride + LOCAL_STRIDE));
  for (let k = 0; k < all.length / stride; k++) {
    const frame = all.slice(stride * k, stride * (k + 1));
    for (let j = given; j < parents.length; j++) {
      if (parents[j] !== root) continue;
      const at = LOCAL_STRIDE * j;
      transformPoint34(frame, at, back, 0, frame.slice(at, at + 3), 0);
      multiplyQuaternions(frame, at + 3, turnedBack, 0, frame.slice(at + 3, at + 7), 0);
    }
    out.set(inserted(frame, LOCAL_STRIDE, given, from), (stride + LOCAL_STRIDE) * k);
  }
  return out;
}

/** Rows of `stride` numbers with another one before row `j`. */
const inserted = (rows: ArrayLike<number>, stride: number, j: number, row: ArrayLike<number>): number[] => {
  const all = Array.from(rows);
  return [...all.slice(0, stride * j), ...Array.from(row), ...all.slice(stride * j)];
};
