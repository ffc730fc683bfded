import { transformPoint34 } from '../math/matrix34.ts';
import { quaternionFromRotation } from '../math/quaternion.ts';
import { polar3 } from '../math/svd3.ts';
import type { LightPoses } from '../model/light-poses.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { BoneGroups } from './bone-groups.ts';

/** What tells poses of a model apart: where each bone's part of the surface is, and how it is turned. G bones. */
export interface PoseFeatures {
  /** 3G: the centroids, posed. */
  centroids: Float64Array;
  /** 4G: rotations, x y z w. */
  rotations: Float64Array;
}

export const newFeatures = (groups: number): PoseFeatures => ({
  centroids: new Float64Array(3 * groups),
  rotations: new Float64Array(4 * groups),
});

const linear = new Float64Array(9);
const rotation = new Float64Array(9);
const stretch = new Float64Array(9);

/** The rotation of a bone's matrix (12B, bone j) without what it scales and shears: 9 numbers, row-major. */
export function boneRotation(out: Float64Array, o: number, transforms: ArrayLike<number>, bone: number): void {
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) linear[3 * r + c] = transforms[MATRIX_STRIDE * bone + 4 * r + c];
  }
  polar3(rotation, stretch, linear);
  for (let c = 0; c < 9; c++) out[o + c] = rotation[c];
}

/** Allocates nothing. */
export function featuresOf(
  { bones, centroids }: Pick<BoneGroups, 'bones' | 'centroids'>,
  transforms: Float32Array,
  out: PoseFeatures,
): PoseFeatures {
  for (let g = 0; g < bones.length; g++) {
    transformPoint34(out.centroids, 3 * g, transforms, MATRIX_STRIDE * bones[g], centroids, 3 * g);
    boneRotation(rotation, 0, transforms, bones[g]);
    quaternionFromRotation(out.rotations, 4 * g, rotation, 0, 3);
  }
  return out;
}

const LARGEST = 32767;

/** Poses in 16 bits, centroids from their mean: 14 bytes per pose and bone. */
export function storePoses(groups: BoneGroups, poses: readonly Float32Array[]): LightPoses {
  const g = groups.bones.length;
  const features = newFeatures(g);
  const offsets = new Float64Array(3 * g * poses.length);
  const rotations = new Int16Array(4 * g * poses.length);
  poses.forEach((transforms, p) => {
    featuresOf(groups, transforms, features);
    for (let c = 0; c < 3; c++) {
      let mean = 0;
      for (let at = c; at < 3 * g; at += 3) mean += features.centroids[at] / g;
      for (let at = c; at < 3 * g; at += 3) offsets[3 * g * p + at] = features.centroids[at] - mean;
    }
    for (let at = 0; at < 4 * g; at++) rotations[4 * g * p + at] = Math.round(LARGEST * features.rotations[at]);
  });
  const step = offsets.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / LARGEST;
  // A single bone lies where its mean is.
  const centroids = Int16Array.from(offsets, (x) => (step > 0 ? Math.round(x / step) : 0));
  return { count: poses.length, centroids, step, rotations };
}

/** A stored pose. */
export function storedPose({ centroids, step, rotations }: LightPoses, p: number, out: PoseFeatures): PoseFeatures {
  const g = out.centroids.length / 3;
  for (let at = 0; at < 3 * g; at++) out.centroids[at] = step * centroids[3 * g * p + at];
  for (let b = 0; b < g; b++) {
    const from = 4 * (g * p + b);
    const length = Math.hypot(rotations[from], rotations[from + 1], rotations[from + 2], rotations[from + 3]);
    for (let c = 0; c < 4; c++) out.rotations[4 * b + c] = length > 0 ? rotations[from + c] / length : Number(c === 3);
  }
  return out;
}
