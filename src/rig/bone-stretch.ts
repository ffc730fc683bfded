import { followedBones } from '../model/influences.ts';
import { type Note, note } from '../model/note.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { BonePose } from '../skin/bones.ts';
import { stretchOf } from './place-at-rest.ts';

/** A bone that stretches, and by how much: the largest entry of |S − 1|. */
export interface BoneStretch {
  bone: number;
  /** Index of the pose. */
  pose: number;
  stretch: number;
}

/**
 * The bone that stretches most, of those that vertices follow, over poses (12B each). Operators on rigid motions leave
 * stretches out, and show something else than linear blending where there are some.
 */
export function farthestStretch(model: SkinnedModel, poses: readonly Float32Array[]): BoneStretch {
  const followed = [...followedBones(model.weights)].sort((a, b) => a - b);
  const bones = new BonePose(model.skeleton);
  const farthest: BoneStretch = { bone: 0, pose: 0, stretch: 0 };
  for (const [pose, transforms] of poses.entries()) {
    bones.set(transforms);
    for (const bone of followed) {
      const stretch = stretchOf(bones.stretches, MATRIX_STRIDE * bone);
      if (stretch > farthest.stretch) Object.assign(farthest, { bone, pose, stretch });
    }
  }
  return farthest;
}

/** Stretches below this are rounding, or too small to matter. */
const STRETCHED = 0.01;

/** Says that operators on rigid motions leave out the scale of bones, if any scales over the poses. */
export function scaleNotes(
  model: SkinnedModel,
  poses: readonly Float32Array[],
  labelOf: (pose: number) => string,
): Note[] {
  const { bone, pose, stretch } = farthestStretch(model, poses);
  if (stretch <= STRETCHED) return [];
  const data = { bone: model.skeleton.names[bone], percent: 100 * stretch, pose: labelOf(pose) };
  return [note('bones-scale', data, model.name)];
}
