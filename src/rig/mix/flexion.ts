import { PliantError } from '../../error.ts';
import { multiplyQuaternions, quaternionFromAxisAngle } from '../../math/quaternion.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { skinTransforms } from '../../math/trs.ts';
import { choiceOption, numberOption, type OptionsOf, resolveOptions } from '../../model/options.ts';
import { steadyTimes } from '../../model/sequence.ts';
import { type Clip, LOCAL_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';

/** How one joint is bent while the others rest. */
export const FLEXION_OPTIONS = {
  axis: choiceOption(
    'auto',
    ['auto', 'x', 'y', 'z'],
    'local axis of the joint to bend about; auto: the one that the clips use most',
  ),
  fromAngle: numberOption(
    0,
    { min: -Math.PI, max: Math.PI, unit: 'radians' },
    'angle of the first pose, from the rest pose',
  ),
  toAngle: numberOption(
    (150 * Math.PI) / 180,
    { min: -Math.PI, max: Math.PI, unit: 'radians' },
    'angle of the last pose',
  ),
} as const;

/** How a joint bends. */
export type FlexionOptions = OptionsOf<typeof FLEXION_OPTIONS>;

/** A clip in which one joint, a bone by name, bends in place at even steps. */
export function flexionClip(
  model: SkinnedModel,
  joint: string,
  options: Partial<FlexionOptions> = {},
  poses = 24,
): Clip {
  const { axis, fromAngle, toAngle } = resolveOptions(FLEXION_OPTIONS, options, 'flexionClip');
  const { names, parents, inverseBind, restLocals } = model.skeleton;
  const j = names.indexOf(joint);
  if (j < 0) {
    const cause = `${model.name} has no such joint (got ${joint}, expected ${names.join(', ')})`;
    throw new PliantError('not-found', 'flexionClip', cause);
  }
  if (fromAngle === toAngle) {
    throw new PliantError(
      'bad-option',
      'flexionClip',
      `fromAngle and toAngle are equal (got ${Number(((180 * toAngle) / Math.PI).toFixed(3))}°, expected a range)`,
    );
  }
  const [x, y, z] = axis === 'auto' ? mainAxis(model, j) : AXES[axis];
  const locals = new Float32Array(restLocals.length * poses);
  const turn = new Float64Array(4);
  for (let k = 0; k < poses; k++) {
    const angle = fromAngle + ((toAngle - fromAngle) * k) / Math.max(1, poses - 1);
    locals.set(restLocals, k * restLocals.length);
    quaternionFromAxisAngle(turn, 0, x, y, z, angle);
    const q = k * restLocals.length + LOCAL_STRIDE * j + 3;
    multiplyQuaternions(locals, q, locals, q, turn, 0);
  }
  return { name: joint, times: steadyTimes(poses), locals, transforms: skinTransforms(parents, inverseBind, locals) };
}

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;

/** A joint that turns by less, radians root mean square, says nothing about its axis. */
const HARDLY = 0.02;

/**
 * The axis, in the bone's own frame, about which the clips turn it most: the first principal direction of the rotation
 * vectors from its rest pose, towards the side that it turns to.
 */
function mainAxis(model: SkinnedModel, j: number): number[] {
  const { names, restLocals } = model.skeleton;
  const moments = new Float64Array(9);
  const mean = [0, 0, 0];
  let count = 0;
  const q = new Float64Array(4);
  const back = Float64Array.from(restLocals.subarray(LOCAL_STRIDE * j + 3, LOCAL_STRIDE * j + 7));
  for (let c = 0; c < 3; c++) back[c] = -back[c];
  for (const { locals = new Float32Array(0) } of model.clips) {
    for (let o = LOCAL_STRIDE * j + 3; o < locals.length; o += restLocals.length) {
      multiplyQuaternions(q, 0, back, 0, locals, o);
      const side = q[3] < 0 ? -1 : 1;
      const sin = Math.hypot(q[0], q[1], q[2]);
      const scale = sin < 1e-12 ? 0 : (side * 2 * Math.atan2(sin, side * q[3])) / sin;
      const vector = [scale * q[0], scale * q[1], scale * q[2]];
      count++;
      for (let r = 0; r < 3; r++) {
        mean[r] += vector[r];
        for (let c = 0; c < 3; c++) moments[3 * r + c] += vector[r] * vector[c];
      }
    }
  }
  const { values, vectors } = symmetricEigen(moments, 3);
  if (!(Math.sqrt(values[0] / count) > HARDLY)) {
    const cause = `the clips of ${model.name} hardly rotate ${names[j]}, so its axis is unclear (got auto, expected x, y or z)`;
    throw new PliantError('bad-option', 'flexionClip', cause);
  }
  const along = mean[0] * vectors[0] + mean[1] * vectors[1] + mean[2] * vectors[2];
  return [0, 1, 2].map((c) => (along < 0 ? -1 : 1) * vectors[c]);
}
