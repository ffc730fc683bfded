import { identity34, invert34, multiply34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { composeTrs, decomposeTrs, skinTransforms } from '../../src/math/trs.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { type Clip, LOCAL_STRIDE, type Skeleton } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { type LinearizeResult, type LinearizeRun, linearize } from '../../src/rig/linearize/linearize.ts';
import type { LinearizeOptions } from '../../src/rig/linearize/linearize-options.ts';
import { makeSample } from '../../src/samples.ts';

/** A sample rig of few vertices and frames. */
export async function smallSample(
  name: 'box' | 'tube' | 'figure',
  resolution: number,
  frames = 12,
): Promise<SkinnedModel> {
  return (await makeSample(name, { resolution, frames })).model!;
}

/** A clip in which the local pose of every frame is the rest pose, changed by `change`. */
export function clipOf(
  { skeleton }: SkinnedModel,
  name: string,
  frames: number,
  change: (locals: Float32Array, k: number) => void,
): Clip {
  const locals = new Float32Array(frames * skeleton.restLocals.length);
  for (let k = 0; k < frames; k++) {
    const frame = locals.subarray(k * skeleton.restLocals.length, (k + 1) * skeleton.restLocals.length);
    frame.set(skeleton.restLocals);
    change(frame, k);
  }
  const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
  return { name, times: steadyTimes(frames), locals, transforms };
}

/** Puts a turn about the bone's own y axis, its length, into a local pose. */
export function twist(locals: Float32Array, bone: number, angle: number): void {
  quaternionFromAxisAngle(locals, LOCAL_STRIDE * bone + 3, 0, 1, 0, angle);
}

/** Table 2 of Kavan 2009: three vertices between two bones, of which the second twists by 180°. */
export function printedExample(): SkinnedModel {
  const model: SkinnedModel = {
    name: 'example',
    mesh: {
      positions: Float32Array.from([0, -0.5, 1, 0, 0, 1, 0, 0.5, 1]),
      triangles: Uint32Array.from([0, 1, 2]),
    },
    weights: {
      influences: 2,
      joints: Uint16Array.from([0, 1, 0, 1, 1, 0]),
      weights: Float32Array.from([0.75, 0.25, 0.5, 0.5, 0.75, 0.25]),
    },
    skeleton: {
      names: ['lower', 'upper'],
      parents: Int32Array.from([-1, 0]),
      restLocals: Float32Array.from([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
      inverseBind: identity34(2),
    },
    clips: [],
    operator: 'lbs',
  };
  model.clips = [clipOf(model, 'twist', 1, (locals) => twist(locals, 1, Math.PI * 0.999))];
  return model;
}

/** The result for a rig, valid. */
export async function linearized(
  model: SkinnedModel,
  options: Partial<LinearizeOptions> & LinearizeRun,
): Promise<LinearizeResult> {
  const result = await linearize(model, options);
  validateModel(result.model);
  return result;
}

/** The same rig below a node that turns it to y up and takes centimetres to metres, as exporters put it. */
export function belowArmature(model: SkinnedModel): SkinnedModel {
  const { skeleton, clips, weights } = model;
  const armature = [1, 2, 3, -Math.SQRT1_2, 0, 0, Math.SQRT1_2, 0.01, 0.01, 0.01];
  const world = new Float64Array(12);
  composeTrs(world, 0, armature, 0);
  const back = new Float64Array(12);
  invert34(back, 0, world, 0);
  const below = (locals: Float32Array): Float32Array => {
    const stride = skeleton.restLocals.length;
    const frames = Array.from({ length: locals.length / stride }, (_, k) => {
      const frame = locals.slice(k * stride, (k + 1) * stride);
      skeleton.parents.forEach((parent, j) => {
        if (parent >= 0) return;
        const root = new Float64Array(12);
        composeTrs(root, 0, frame, LOCAL_STRIDE * j);
        multiply34(root, 0, back, 0, root, 0);
        decomposeTrs(frame, LOCAL_STRIDE * j, root, 0);
      });
      return [...armature, ...frame];
    });
    return Float32Array.from(frames.flat());
  };
  const wrapped: Skeleton = {
    names: ['Armature', ...skeleton.names],
    parents: Int32Array.from([-1, ...skeleton.parents.map((parent) => parent + 1)]),
    restLocals: below(skeleton.restLocals),
    inverseBind: Float32Array.from([...back, ...skeleton.inverseBind]),
  };
  return {
    ...model,
    skeleton: wrapped,
    weights: { ...weights, joints: weights.joints.map((j, s) => (weights.weights[s] > 0 ? j + 1 : 0)) },
    clips: clips.map((clip) => {
      const locals = below(clip.locals!);
      return { ...clip, locals, transforms: skinTransforms(wrapped.parents, wrapped.inverseBind, locals) };
    }),
  };
}
