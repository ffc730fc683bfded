import { localsOfTransforms } from '../../io/glb/clips.ts';
import { determinant34, IDENTITY34, invert34, multiply34, translation34 } from '../../math/matrix34.ts';
import { quaternionFromRotation } from '../../math/quaternion.ts';
import { IDENTITY3 } from '../../math/svd3.ts';
import { trackSvd } from '../../math/tracked-svd.ts';
import { interpolateTrs, skinTransforms, worldMatrices } from '../../math/trs.ts';
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
import type { BlendBones, BlendOperator, SkinnedModel } from '../../model/skinned-model.ts';
import { BLENDS } from '../../skin/blend-bones.ts';
import { BonePose, continuousSigns } from '../../skin/bones.ts';
import { ClipSampler, restClip } from '../../skin/poses.ts';
import { type BlendSample, influencesOf } from './columns.ts';

/**
 * Blend bones as joints below those that they follow (blend-parents.ts), with their motion in every clip, so that any
 * player of linear blending shows them. A rigid one (dqs, dib) is one node; one that stretches (sdqs) is two, as U·Σ and
 * Vᵀ of its singular value decomposition. Each turns about a pivot that keeps what players interpolate small (pivots.ts).
 *
 * With W the world matrix of the parent, of linear part A₀ in the bind pose, B = T(pivot)·A₀ is a blend bone in the bind
 * pose, and W⁻¹·Φ·B its local pose: in units of the parent, and rigid at rest, as armatures require.
 */
export interface Baking {
  operator: BlendOperator;
  antipodality: boolean;
  bones: readonly BlendSample[];
  /** 3 per blend bone: pivots in the rest pose. */
  pivots: Float64Array;
  /** The bone that each blend bone hangs from; −1 where there is none. */
  parents: Int32Array;
}

/** How much the scale of a parent may change and still be the same. */
const ONE_SCALE = 1e-4;

/** B of each blend bone, 12 numbers each. A parent that no vertex follows is bound as it stands at rest. */
function bindPoses(skeleton: Skeleton, { bones, parents, pivots }: Baking): Float64Array {
  const rest = worldMatrices(skeleton.parents, skeleton.restLocals);
  const out = new Float64Array(MATRIX_STRIDE * bones.length);
  bones.forEach(({ masters }, k) => {
    const [parent, at] = [parents[k], MATRIX_STRIDE * k];
    if (masters.includes(parent)) invert34(out, at, skeleton.inverseBind, MATRIX_STRIDE * parent);
    else out.set(parent < 0 ? IDENTITY34 : rest.subarray(MATRIX_STRIDE * parent, MATRIX_STRIDE * (parent + 1)), at);
    for (let c = 0; c < 3; c++) out[at + 4 * c + 3] = pivots[3 * k + c];
  });
  return out;
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
  const parents = new Int32Array(total);
  parents.set(skeleton.parents);
  const names = [...skeleton.names];
  const binds = bindPoses(skeleton, baking);
  for (let k = 0; k < bones.length; k++) {
    const name = `blend ${k + 1}: ${bones[k].masters.map((j) => skeleton.names[j]).join(' + ')}`;
    for (let node = masters + per * k; node < masters + per * (k + 1); node++) {
      invert34(inverseBind, MATRIX_STRIDE * node, binds, MATRIX_STRIDE * k);
    }
    parents[masters + per * k] = baking.parents[k];
    if (per === 2) {
      names.push(`${name} (stretch)`);
      parents[masters + 2 * k + 1] = masters + 2 * k;
    }
    names.push(name);
  }
  const rest = restClip(skeleton, 'rest');
  const restLocals = blendLocals(skeleton, { ...rest, locals: skeleton.restLocals }, baking, diagonalOf(pivots) || 1);
  return { ...skeleton, names, parents, inverseBind, restLocals };
}

/** A clip on the baked skeleton. */
export function bakeClip(model: SkinnedModel, baked: Skeleton, clip: Clip, baking: Baking): Clip {
  const locals = blendLocals(model.skeleton, clip, baking, diagonalOf(model.mesh.positions) || 1);
  return { ...clip, locals, transforms: skinTransforms(baked.parents, baked.inverseBind, locals) };
}

/** 10·B'·P: the local poses of a clip with those of the blend bones. `size`: the model's, for what counts as rounding. */
function blendLocals(skeleton: Skeleton, clip: Clip, baking: Baking, size: number): Float32Array {
  const { operator, antipodality, bones, parents } = baking;
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
  const local = new Float64Array(MATRIX_STRIDE * bones.length * frames);
  const phi = new Float64Array(MATRIX_STRIDE);
  const back = new Float64Array(MATRIX_STRIDE);
  const scales = new Float64Array(bones.length * frames).fill(1);
  const binds = bindPoses(skeleton, baking);
  const influences = bones.map(influencesOf);
  for (let k = 0; k < frames; k++) {
    const worlds = worldMatrices(skeleton.parents, clip.locals!, LOCAL_STRIDE * masters * k);
    pose.set(clipFrame(clip, k), signs?.subarray(masters * k, masters * (k + 1)));
    influences.forEach((at, b) => {
      const o = MATRIX_STRIDE * (k * bones.length + b);
      BLENDS[operator](phi, at, pose, antipodality);
      multiply34(local, o, phi, 0, binds, MATRIX_STRIDE * b);
      if (parents[b] < 0) return;
      const world = MATRIX_STRIDE * parents[b];
      invert34(back, 0, worlds, world);
      multiply34(local, o, back, 0, local, o);
      const scale = Math.cbrt(determinant34(binds, MATRIX_STRIDE * b) / determinant34(worlds, world));
      if (Math.abs(scale - 1) > ONE_SCALE) scales[k * bones.length + b] = scale;
    });
  }

  const linear = new Float64Array(9 * frames);
  for (let b = 0; b < bones.length; b++) {
    for (let k = 0; k < frames; k++) {
      const m = MATRIX_STRIDE * (k * bones.length + b);
      const at = LOCAL_STRIDE * (total * k + masters + per * b);
      const scale = scales[k * bones.length + b];
      out.set([...translation34(local, k * bones.length + b), 0, 0, 0, 1, scale, scale, scale], at);
      for (let c = 0; c < 9; c++) linear[9 * k + c] = local[m + 4 * Math.floor(c / 3) + (c % 3)] / scale;
      if (per === 1) quaternionFromRotation(out, at + 3, linear, 9 * k, 3);
    }
    if (per === 1) continue;
    const { u, s, v } = trackSvd(linear, { kind: 'affine' }, IDENTITY3, AXES_TOLERANCE * size);
    for (let k = 0; k < frames; k++) {
      const at = LOCAL_STRIDE * (total * k + masters + 2 * b);
      out.set(u.subarray(4 * k, 4 * k + 4), at + 3);
      for (let c = 0; c < 3; c++) out[at + 7 + c] *= s[3 * k + c];
      const [x, y, z, w] = v.subarray(4 * k, 4 * k + 4);
      out.set([0, 0, 0, -x, -y, -z, w, 1, 1, 1], at + LOCAL_STRIDE);
    }
  }
  return out;
}

/** How far axes of equal stretches may be turned to follow each other, as a fraction of the model. */
const AXES_TOLERANCE = 1e-6;

/** The clip with local poses, next to which blend bones are interpolated. */
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
