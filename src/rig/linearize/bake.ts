import { localsOfTransforms } from '../../io/glb/clips.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { quaternionFromRotation } from '../../math/quaternion.ts';
import { IDENTITY3 } from '../../math/svd3.ts';
import { trackSvd } from '../../math/tracked-svd.ts';
import { interpolateTrs, skinTransforms } from '../../math/trs.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import {
  boneCount,
  type Clip,
  clipFrame,
  frameKeys,
  LOCAL_STRIDE,
  MATRIX_STRIDE,
  type Skeleton,
} from '../../model/skeleton.ts';
import type { BlendBones, BlendOperator, SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { BonePose, continuousSigns } from '../../skin/bones.ts';
import { ClipSampler, restClip } from '../../skin/poses.ts';
import { type BlendSample, influencesOf } from './columns.ts';

/**
 * Blend bones as joints outside the hierarchy, with their motion in every clip, so that any player of linear blending
 * shows them. A rigid one (dqs, dib) is one node; one that stretches (sdqs) is two, as U·Σ and Vᵀ of its singular value
 * decomposition. Each turns about a pivot amid the vertices that follow it, which keeps what players interpolate small.
 */
export interface Baking {
  operator: BlendOperator;
  antipodality: boolean;
  bones: readonly BlendSample[];
  /** 3 per blend bone: pivots in the rest pose. */
  pivots: Float64Array;
}

const nodesPerBone = (operator: BlendOperator): number => (operator === 'sdqs' ? 2 : 1);

/** The bone that vertices of blend bone k follow, in a skeleton of `masters` bones to which blend bones were added. */
export const followedNode = (operator: BlendOperator, masters: number, k: number): number =>
  masters + nodesPerBone(operator) * (k + 1) - 1;

/** The skeleton with the blend bones behind its own, in the pose in which the rest pose has them. */
export function bakeSkeleton(skeleton: Skeleton, baking: Baking): Skeleton {
  const { bones, pivots, operator } = baking;
  const masters = boneCount(skeleton);
  const per = nodesPerBone(operator);
  const total = masters + per * bones.length;
  const inverseBind = new Float32Array(MATRIX_STRIDE * total);
  inverseBind.set(skeleton.inverseBind);
  const parents = new Int32Array(total).fill(-1);
  parents.set(skeleton.parents);
  const names = [...skeleton.names];
  for (let k = 0; k < bones.length; k++) {
    const [x, y, z] = pivots.subarray(3 * k, 3 * k + 3);
    const name = `blend ${k + 1}: ${bones[k].masters.map((j) => skeleton.names[j]).join(' + ')}`;
    for (let node = masters + per * k; node < masters + per * (k + 1); node++) {
      inverseBind.set([1, 0, 0, -x, 0, 1, 0, -y, 0, 0, 1, -z], MATRIX_STRIDE * node);
    }
    if (per === 2) {
      names.push(`${name} (stretch)`);
      parents[masters + 2 * k + 1] = masters + 2 * k;
    }
    names.push(name);
  }
  const rest = restClip(skeleton, 'rest');
  const restLocals = blendLocals(skeleton, { ...rest, locals: skeleton.restLocals }, baking, diagonalOf(pivots) || 1);
  return { names, parents, inverseBind, restLocals };
}

/** A clip on the baked skeleton. */
export function bakeClip(model: SkinnedModel, baked: Skeleton, clip: Clip, baking: Baking): Clip {
  const locals = blendLocals(model.skeleton, clip, baking, diagonalOf(model.mesh.positions) || 1);
  return { ...clip, locals, transforms: skinTransforms(baked.parents, baked.inverseBind, locals) };
}

/** 10·B'·P: the local poses of a clip with those of the blend bones. `size`: the model's, for what counts as rounding. */
function blendLocals(skeleton: Skeleton, clip: Clip, baking: Baking, size: number): Float32Array {
  const { operator, antipodality, bones, pivots } = baking;
  const masters = boneCount(skeleton);
  const frames = clip.times.length;
  const per = nodesPerBone(operator);
  const total = masters + per * bones.length;
  const out = new Float32Array(LOCAL_STRIDE * total * frames);
  for (let k = 0; k < frames; k++) {
    const own = clip.locals!.subarray(LOCAL_STRIDE * masters * k, LOCAL_STRIDE * masters * (k + 1));
    out.set(own, LOCAL_STRIDE * total * k);
  }
  const signs = antipodality ? undefined : continuousSigns(clip.transforms, masters);
  const pose = new BonePose(skeleton);
  const phi = new Float64Array(MATRIX_STRIDE * bones.length * frames);
  const influences = bones.map(influencesOf);
  for (let k = 0; k < frames; k++) {
    pose.set(clipFrame(clip, k), signs?.subarray(masters * k, masters * (k + 1)));
    influences.forEach((at, b) => {
      const o = MATRIX_STRIDE * (k * bones.length + b);
      BLENDS[operator](phi.subarray(o, o + MATRIX_STRIDE), at, pose, antipodality);
    });
  }

  const linear = new Float64Array(9 * frames);
  for (let b = 0; b < bones.length; b++) {
    for (let k = 0; k < frames; k++) {
      const m = MATRIX_STRIDE * (k * bones.length + b);
      const at = LOCAL_STRIDE * (total * k + masters + per * b);
      transformPoint34(out, at, phi, m, pivots, 3 * b);
      out.set([0, 0, 0, 1, 1, 1, 1], at + 3);
      if (per === 1) quaternionFromRotation(out, at + 3, phi, m, 4);
      for (let c = 0; c < 9; c++) linear[9 * k + c] = phi[m + 4 * Math.floor(c / 3) + (c % 3)];
    }
    if (per === 1) continue;
    const { u, s, v } = trackSvd(linear, { kind: 'affine' }, IDENTITY3, AXES_TOLERANCE * size);
    for (let k = 0; k < frames; k++) {
      const at = LOCAL_STRIDE * (total * k + masters + 2 * b);
      out.set(u.subarray(4 * k, 4 * k + 4), at + 3);
      out.set(s.subarray(3 * k, 3 * k + 3), at + 7);
      const [x, y, z, w] = v.subarray(4 * k, 4 * k + 4);
      out.set([0, 0, 0, -x, -y, -z, w, 1, 1, 1], at + LOCAL_STRIDE);
    }
  }
  return out;
}

/** How far axes of equal stretches may be turned to follow each other, as a fraction of the model. */
const AXES_TOLERANCE = 1e-6;

/** The clip with local poses, which blend bones are to be interpolated beside. */
export const withLocals = (model: SkinnedModel, clip: Clip): Clip =>
  clip.locals ? clip : { ...clip, locals: localsOfTransforms(model, clip, 'linearize') };

/** The clip with each interval between keys cut into `parts`: the same motion and frames, with more keys. */
export function splitKeys(skeleton: Skeleton, clip: Clip, parts: number): Clip {
  if (parts === 1) return clip;
  const p = clip.times.length;
  const times = Float64Array.from({ length: (p - 1) * parts + 1 }, (_, f) => {
    const [k, t] = [Math.floor(f / parts), (f % parts) / parts];
    return t === 0 ? clip.times[k] : clip.times[k] + t * (clip.times[k + 1] - clip.times[k]);
  });
  return { ...atTimes(skeleton, clip, times), frames: frameKeys(clip).map((key) => key * parts) };
}

/** Times at a steady rate from the first key to the last, which is kept. */
export function steadyKeys({ times }: Clip, framesPerSecond: number): Float64Array {
  const [start, end] = [times[0], times[times.length - 1]];
  const steps = Math.ceil((end - start) * framesPerSecond - 1e-6);
  return Float64Array.from({ length: steps + 1 }, (_, k) => (k === steps ? end : start + k / framesPerSecond));
}

/** The clip with keys at other times within it. */
export function atTimes(skeleton: Skeleton, clip: Clip, times: Float64Array): Clip {
  const stride = LOCAL_STRIDE * boneCount(skeleton);
  const locals = new Float32Array(stride * times.length);
  let k = 0;
  times.forEach((time, f) => {
    while (k + 2 < clip.times.length && clip.times[k + 1] <= time) k++;
    const next = Math.min(k + 1, clip.times.length - 1);
    const span = clip.times[next] - clip.times[k];
    const t = span > 0 ? Math.min(1, Math.max(0, (time - clip.times[k]) / span)) : 0;
    for (let at = 0; at < stride; at += LOCAL_STRIDE) {
      interpolateTrs(locals, stride * f + at, clip.locals!, stride * k + at, clip.locals!, stride * next + at, t);
    }
  });
  const out: Clip = {
    name: clip.name,
    times,
    locals,
    transforms: skinTransforms(skeleton.parents, skeleton.inverseBind, locals),
  };
  if (clip.morphWeights) {
    const sampler = new ClipSampler(skeleton, clip);
    const morphs = clip.morphWeights.length / clip.times.length;
    out.morphWeights = new Float32Array(morphs * times.length);
    times.forEach((time, f) => {
      sampler.morphWeightsAt(time, out.morphWeights!.subarray(morphs * f, morphs * (f + 1)));
    });
  }
  return out;
}

/** The mean of the vertices that follow each blend bone, by weight; the origin for one that none follows. */
export function pivotsOf(positions: Float32Array, skin: SkinWeights, nodes: readonly number[]): Float64Array {
  const out = new Float64Array(3 * nodes.length);
  const totals = new Float64Array(nodes.length);
  const blendOf = new Map(nodes.map((node, k) => [node, k]));
  for (let s = 0; s < skin.joints.length; s++) {
    const k = blendOf.get(skin.joints[s]);
    if (k === undefined || !(skin.weights[s] > 0)) continue;
    const i = Math.floor(s / skin.influences);
    for (let c = 0; c < 3; c++) out[3 * k + c] += skin.weights[s] * positions[3 * i + c];
    totals[k] += skin.weights[s];
  }
  return out.map((x, c) => (totals[Math.floor(c / 3)] > 0 ? x / totals[Math.floor(c / 3)] : 0));
}

/** Blend bones as the model has them. */
export function blendBonesOf({ operator, antipodality, bones }: Baking, masters: number): BlendBones {
  return {
    operator,
    antipodality,
    bones: bones.map((bone, k) => {
      const { joints, weights } = influencesOf(bone);
      return {
        bone: followedNode(operator, masters, k),
        masters: Uint16Array.from(joints),
        weights: Float32Array.from(weights),
      };
    }),
  };
}
