import { type FlexionOptions, flexionClip } from '../src/doors/skin.ts';
import { type MixOptions, type MixResult, type RectangleRig, readAsset, type SkinnedModel } from '../src/index.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { deformationMeter } from '../src/rig/mix/deformation.ts';
import { bendPoses } from '../src/rig/mix/experiment.ts';
import { mix } from '../src/rig/mix/mix.ts';
import { posePairs } from '../src/rig/mix/pose-pairs.ts';
import { bendAngles, bendingRectangle } from '../src/rig/mix/rectangle.ts';
import { makeSample } from '../src/samples.ts';

/** Joints that bend alone, and what a mix solved for that motion does to the volume. */
export interface JointCase {
  /** As people say: "elbow". */
  name: string;
  joint: string;
  axis: FlexionOptions['axis'];
  /** Degrees from the rest pose. */
  bend: number;
}

/** Solved mix against dual quaternions: at most this much of their volume error. */
export const VOLUME_MUST = 0.75;
export const VOLUME_AIM = 0.5;

export const FIGURE_JOINTS: readonly JointCase[] = [
  { name: 'elbow', joint: 'foreArm.L', axis: 'x', bend: 150 },
  { name: 'knee', joint: 'shin.L', axis: 'auto', bend: 130 },
];

/** The axes are those about which its walk turns them. */
export const CESIUM_MAN_JOINTS: readonly JointCase[] = [
  { name: 'left elbow', joint: 'Skeleton_arm_joint_L__3_', axis: 'auto', bend: 130 },
  { name: 'right elbow', joint: 'Skeleton_arm_joint_R__2_', axis: 'auto', bend: 130 },
  { name: 'left knee', joint: 'leg_joint_L_2', axis: 'auto', bend: 130 },
  { name: 'right knee', joint: 'leg_joint_R_2', axis: 'auto', bend: 130 },
];

/** Of generated characters, whose joints lie in the middle of their limbs. */
export const CHARACTER_JOINTS: readonly JointCase[] = [
  { name: 'elbow', joint: 'mixamorig:LeftForeArm', axis: 'x', bend: 130 },
  { name: 'knee', joint: 'mixamorig:LeftLeg', axis: 'x', bend: -130 },
];

export const figureRig = async (vertices = 5000): Promise<SkinnedModel> =>
  (await makeSample('figure', { resolution: vertices, frames: 48 })).model!;

export const cesiumMan = async (file: string): Promise<SkinnedModel> => (await readAsset(nodeFiles, [file])).models[0];

/** A mix for joints that bend, each in a motion of its own; for the rig's clips where none are named. */
export function mixJoints(
  model: SkinnedModel,
  cases: readonly JointCase[],
  options: Partial<MixOptions> = {},
): Promise<MixResult> {
  const motions = cases.map(({ joint, axis, bend }) =>
    flexionClip(model, joint, { axis, toAngle: (bend * Math.PI) / 180 }),
  );
  return mix(model, { ...(motions.length > 0 && { given: { motions } }), ...options });
}

/** Solved over dual quaternions. */
export function ratios({ solved, rivals }: MixResult): Record<'volume' | 'surface' | 'localRms' | 'inverted', number> {
  const dqs = rivals.find(({ name }) => name === 'DQS')!;
  return {
    volume: solved.totalErrorPercent! / dqs.totalErrorPercent!,
    surface: solved.surfaceErrorPercent / dqs.surfaceErrorPercent,
    localRms: solved.localRms / dqs.localRms,
    inverted: solved.inverted / dqs.inverted,
  };
}

/** Largest distance of dual quaternions' signed area from that of the rectangle at rest, 20, over bends of 0 to 180°. */
export async function dqsAreaError(
  rig: RectangleRig,
  columns: number,
  rows: number,
  fallOff = 1.25,
  step = 5,
): Promise<number> {
  const model = bendingRectangle({ rig, columns, rows, fallOff, angles: bendAngles(step) });
  const pairs = await posePairs(model, bendPoses(model));
  const meter = deformationMeter(model.mesh);
  const dqs = new Float64Array(columns * rows).fill(1);
  return Math.max(...pairs.map((pair) => Math.abs(meter(pair, dqs).signedArea - 20)));
}
