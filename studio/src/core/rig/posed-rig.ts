import { BlendBoneMatrices, ClipSampler } from '../../../../src/doors/skin.ts';
import {
  boneCount,
  type Clip,
  MATRIX_STRIDE,
  type Skeleton,
  type SkinnedModel,
  type Skinner,
} from '../../../../src/index.ts';
import { identity34, multiply34 } from '../../../../src/math/matrix34.ts';
import { bindMatrices, type JointTurns, jointPositions, turnJoints } from './rig-pose.ts';

/** A skeleton posed by a clip, with joints turned by hand on top. */
export class PosedRig {
  readonly skeleton: Skeleton;
  /** 12B, rest → pose. */
  readonly transforms: Float32Array;
  readonly morphWeights: Float32Array;
  readonly #bind: Float64Array;
  readonly #blendBones?: BlendBoneMatrices;
  readonly #clips: readonly Clip[];
  #sampler?: { clip: Clip; sampler: ClipSampler };

  constructor({ skeleton, clips, ...model }: Pick<SkinnedModel, 'skeleton' | 'clips'> & Partial<SkinnedModel>) {
    this.skeleton = skeleton;
    this.transforms = identity34(boneCount(skeleton));
    this.morphWeights = new Float32Array(model.morphs?.length ?? 0);
    this.#clips = clips;
    this.#bind = bindMatrices(skeleton);
    if (model.blendBones) this.#blendBones = new BlendBoneMatrices({ ...model, skeleton, clips } as SkinnedModel);
  }

  /** The pose of the clip of that name at `time`, or the bind pose when there is none. */
  pose(clipName: string, time: number, turns: JointTurns = new Map()): void {
    const clip = this.#clips.find(({ name }) => name === clipName);
    if (clip) {
      if (this.#sampler?.clip !== clip) this.#sampler = { clip, sampler: new ClipSampler(this.skeleton, clip) };
      this.#sampler.sampler.poseAt(time, this.transforms);
      this.#sampler.sampler.morphWeightsAt(time, this.morphWeights);
    } else {
      this.transforms.set(identity34(boneCount(this.skeleton)));
      this.morphWeights.fill(0);
    }
    if (turns.size === 0) return;
    turnJoints(this.transforms, this.skeleton, this.#bind, turns);
    this.#blendBones?.fill(this.transforms);
  }

  /** 3N: positions of its surface, by a skinner that overwrites them the next time. */
  skinned(skinner: Skinner): Float32Array {
    return skinner.pose(this.transforms, undefined, this.morphWeights).positions;
  }

  /** 12: current axes and place of a joint. */
  frame(j: number): Float64Array {
    const out = new Float64Array(MATRIX_STRIDE);
    multiply34(out, 0, this.transforms, MATRIX_STRIDE * j, this.#bind, MATRIX_STRIDE * j);
    return out;
  }

  /** 3B: positions of the joints. */
  joints(): Float32Array {
    return jointPositions(this.#bind, this.transforms);
  }
}
