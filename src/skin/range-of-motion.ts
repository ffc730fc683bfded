import { invert34, multiply34, translation34 } from '../math/matrix34.ts';
import { multiplyQuaternions, quaternionFromAxisAngle, slerp } from '../math/quaternion.ts';
import { seededRandom } from '../math/rng.ts';
import { composeTrs, decomposeTrs, skinTransforms, worldMatrices } from '../math/trs.ts';
import { cross3 } from '../math/vector.ts';
import { integerOption, numberOption, type OptionsOf, resolveOptions, seedOption } from '../model/options.ts';
import { steadyTimes } from '../model/sequence.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { type ImpliedParents, impliedParents } from './implied-parents.ts';

/**
 * A clip that takes every joint of a rig through its motions, for whatever has to be learned from poses when no clip
 * shows them all. All joints move at once, each through the same balanced set of turns in its own order, so that a
 * dozen poses show every joint bent to all sides and twisted both ways, in ever other company. Joints move what hangs from
 * them, also where only the weights say what does (`impliedParents`).
 */
export const RANGE_OF_MOTION_OPTIONS = {
  poses: integerOption(12, { min: 1, max: 10_000 }, 'number of poses'),
  bend: numberOption(
    (75 * Math.PI) / 180,
    { min: 0, max: Math.PI, unit: 'radians' },
    'how far joints bend, about the axes across their bone',
  ),
  twist: numberOption(
    Math.PI / 3,
    { min: 0, max: Math.PI, unit: 'radians' },
    'how far joints twist, about the axis along their bone',
  ),
  seed: seedOption('random seed of the order of rotations'),
} as const;

/** Options of `rangeOfMotion`. */
export type RangeOfMotionOptions = OptionsOf<typeof RANGE_OF_MOTION_OPTIONS>;

/**
 * Turns of a joint as fractions of its range: bend, bend across, twist. The ends of every axis, then corners that share
 * the range among the axes: 14 directions, which a dozen poses nearly exhaust.
 */
const TURNS: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
  [0.6, 0.6, 0.6],
  [-0.6, 0.6, -0.6],
  [0.6, -0.6, -0.6],
  [-0.6, -0.6, 0.6],
  [0.6, 0, -0.6],
  [-0.6, 0, 0.6],
];

/** Frames from one pose to the next, through the rest pose: joints never turn far between two keys. */
const STEPS = 4;

/** A clip that turns every joint, and the frames of it that are poses. */
export interface RangeOfMotion {
  /** Swings from the rest pose to each pose and back. */
  clip: Clip;
  /** The frames of the clip that are the poses. */
  poses: number[];
  /** The bones that move. */
  joints: number[];
}

/** The clip at 24 frames per second. `only`: bones to move [default every joint that vertices on both sides follow]. */
export function rangeOfMotion(
  model: SkinnedModel,
  options: Partial<RangeOfMotionOptions> & { only?: readonly number[] } = {},
): RangeOfMotion {
  const settings = resolveOptions(RANGE_OF_MOTION_OPTIONS, options, 'rangeOfMotion');
  const { parents, restLocals, inverseBind } = model.skeleton;
  const bones = parents.length;
  const implied = impliedParents(model);
  const joints = options.only ? [...options.only] : deformingJoints(model, implied.parents);
  const worlds = worldMatrices(parents, restLocals);
  const axes = joints.map((j) => boneAxes(implied.parents, worlds, j));
  const orders = joints.map((_, n) => shuffled(settings.poses, settings.seed + 7919 * n));

  const frames = 2 * STEPS * settings.poses + 1;
  const locals = new Float32Array(LOCAL_STRIDE * bones * frames);
  const turn = new Float64Array(4);
  const still = Float64Array.of(0, 0, 0, 1);
  for (let k = 0; k < frames; k++) {
    const frame = LOCAL_STRIDE * bones * k;
    locals.set(restLocals, frame);
    const pose = Math.min(settings.poses - 1, Math.floor(k / (2 * STEPS)));
    const way = 1 - Math.abs(k - 2 * STEPS * pose - STEPS) / STEPS;
    joints.forEach((j, n) => {
      turnOf(turn, axes[n], TURNS[orders[n][pose] % TURNS.length], settings);
      slerp(turn, 0, still, 0, turn, 0, way);
      const q = frame + LOCAL_STRIDE * j + 3;
      multiplyQuaternions(locals, q, locals, q, turn, 0);
    });
    hang(locals.subarray(frame, frame + LOCAL_STRIDE * bones), restLocals, implied);
  }
  const clip: Clip = {
    name: 'range of motion',
    times: steadyTimes(frames),
    locals,
    transforms: skinTransforms(parents, inverseBind, locals),
  };
  return { clip, poses: Array.from({ length: settings.poses }, (_, p) => (2 * p + 1) * STEPS), joints };
}

/**
 * Bones that vertices follow together with others. The topmost of them moves everything and stays; where there are several,
 * as in skeletons whose bones have no parents, the one with the most weight does.
 */
export function deformingJoints({ skeleton, weights }: SkinnedModel, parents: Int32Array = skeleton.parents): number[] {
  const { joints, weights: w, influences } = weights;
  const shares = new Uint8Array(skeleton.parents.length);
  const totals = new Float64Array(skeleton.parents.length);
  for (let i = 0; i < joints.length; i += influences) {
    for (let s = i; s < i + influences; s++) {
      if (w[s] > 0 && w[s] < 1) shares[joints[s]] = 1;
      totals[joints[s]] += w[s];
    }
  }
  const isTop = (j: number): boolean => {
    for (let above = parents[j]; above >= 0; above = parents[above]) if (shares[above]) return false;
    return true;
  };
  const sharing = [...shares.keys()].filter((j) => shares[j] === 1);
  const tops = sharing.filter(isTop);
  const still = tops.reduce((most, j) => (totals[j] > totals[most] ? j : most), tops[0]);
  return sharing.filter((j) => j !== still);
}

/** Takes along what hangs from a joint beside it: L_j ← L_p·L_p(rest)⁻¹·L_j, all relative to the parent of both. */
function hang(pose: Float32Array, restLocals: Float32Array, { parents, hung }: ImpliedParents): void {
  const [moved, rest, own] = [0, 1, 2].map(() => new Float64Array(MATRIX_STRIDE));
  for (const j of hung) {
    const l = LOCAL_STRIDE * j;
    composeTrs(moved, 0, pose, LOCAL_STRIDE * parents[j]);
    composeTrs(rest, 0, restLocals, LOCAL_STRIDE * parents[j]);
    if (!invert34(rest, 0, rest, 0)) continue;
    composeTrs(own, 0, pose, l);
    multiply34(moved, 0, moved, 0, rest, 0);
    multiply34(own, 0, moved, 0, own, 0);
    decomposeTrs(pose, l, own, 0);
  }
}

/** In a bone's own frame: two axes across it and the one along it, 9 numbers. Along: to its children, else from its parent. */
function boneAxes(parents: Int32Array, worlds: Float64Array, j: number): Float64Array {
  const here = translation34(worlds, j);
  const along = [0, 0, 0];
  for (let child = 0; child < parents.length; child++) {
    if (parents[child] !== j) continue;
    translation34(worlds, child).forEach((x, c) => {
      along[c] += x - here[c];
    });
  }
  if (Math.hypot(...along) < 1e-9 && parents[j] >= 0) {
    translation34(worlds, parents[j]).forEach((x, c) => {
      along[c] = here[c] - x;
    });
  }
  // Into the bone's frame, whose axes are the columns of its world matrix.
  const local = [0, 1, 2].map((c) => {
    const m = MATRIX_STRIDE * j + c;
    const column = [worlds[m], worlds[m + 4], worlds[m + 8]];
    return column.reduce((sum, x, r) => sum + x * along[r], 0) / (Math.hypot(...column) || 1);
  });
  const length = Math.hypot(...local);
  const y = length > 0 ? local.map((x) => x / length) : [0, 1, 0];
  const least = [0, 1, 2].reduce((best, c) => (Math.abs(y[c]) < Math.abs(y[best]) ? c : best));
  const helper = [0, 1, 2].map((c) => (c === least ? 1 : 0));
  const raw = cross3(y, helper);
  const x = raw.map((v) => v / Math.hypot(...raw));
  return Float64Array.from([...x, ...cross3(x, y), ...y]);
}

/** out = bend · bend across · twist: the twist first. */
function turnOf(
  out: Float64Array,
  axes: Float64Array,
  [a, b, t]: readonly [number, number, number],
  { bend, twist }: RangeOfMotionOptions,
): void {
  const part = new Float64Array(4);
  quaternionFromAxisAngle(out, 0, axes[0], axes[1], axes[2], a * bend);
  quaternionFromAxisAngle(part, 0, axes[3], axes[4], axes[5], b * bend);
  multiplyQuaternions(out, 0, out, 0, part, 0);
  quaternionFromAxisAngle(part, 0, axes[6], axes[7], axes[8], t * twist);
  multiplyQuaternions(out, 0, out, 0, part, 0);
}

/** 0 … n − 1 in a seeded order. */
function shuffled(n: number, seed: number): number[] {
  const random = seededRandom(seed);
  const out = Array.from({ length: n }, (_, c) => c);
  for (let c = n - 1; c > 0; c--) {
    const d = Math.floor(random() * (c + 1));
    [out[c], out[d]] = [out[d], out[c]];
  }
  return out;
}
