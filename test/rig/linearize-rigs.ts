import { identity34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import { steadyTimes } from '../../src/model/sequence.ts';
import { type Clip, LOCAL_STRIDE } from '../../src/model/skeleton.ts';
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
