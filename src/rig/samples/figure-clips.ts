import { type Clip, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { FIGURE_BONES } from './figure-body.ts';
import { type BoneTurn, clipOf } from './skeleton.ts';

/**
 * Turns by bone. A name without side stands for both; spread and twist are mirrored on the right, so that the same
 * numbers mean the same movement: arms up, thumbs out.
 */
type Pose = Readonly<Record<string, BoneTurn>>;

/** Two squats with raised arms, turns and bends: every joint moves, shoulders and wrists the most. */
const EXERCISE: readonly Pose[] = [
  {},
  {
    shoulder: { spread: 22 },
    upperArm: { spread: 100, twist: 40 },
    foreArm: { flex: 15 },
    hand: { flex: -60 },
    head: { flex: -15 },
  },
  {
    shoulder: { spread: 22 },
    upperArm: { spread: 100, twist: 70 },
    foreArm: { flex: 100, twist: 60 },
    hand: { flex: 70, spread: 15 },
  },
  {
    shoulder: { spread: 6 },
    upperArm: { spread: 42, twist: -30 },
    foreArm: { twist: -100 },
    hand: { flex: -65, spread: -20 },
  },
  {
    upperArm: { flex: 85, spread: 5 },
    foreArm: { flex: 125, twist: 80 },
    hand: { flex: 60 },
    spine: { flex: -8 },
    head: { flex: 12 },
  },
  {
    upperArm: { flex: 95 },
    hand: { flex: -40 },
    thigh: { flex: 92, spread: 10 },
    shin: { flex: -104 },
    foot: { flex: 14 },
    hips: { flex: 22 },
    spine: { flex: 12 },
    neck: { flex: -18 },
  },
  {
    shoulder: { spread: 10 },
    upperArm: { spread: 45 },
    'hand.L': { flex: 60 },
    'hand.R': { flex: -60 },
    spine: { twist: 24 },
    chest: { twist: 30 },
    neck: { twist: 22 },
    head: { twist: 22 },
  },
  {
    shoulder: { spread: 10 },
    upperArm: { spread: 45 },
    'hand.L': { flex: -60 },
    'hand.R': { flex: 60 },
    spine: { twist: -24 },
    chest: { twist: -30 },
    neck: { twist: -22 },
    head: { twist: -22 },
  },
  {
    'shoulder.L': { spread: 25 },
    'upperArm.L': { spread: 115 },
    'foreArm.L': { flex: 40 },
    'upperArm.R': { spread: -32 },
    'hand.R': { flex: -50 },
    spine: { spread: 14 },
    chest: { spread: 16 },
    neck: { spread: 10 },
  },
  {
    'shoulder.R': { spread: 25 },
    'upperArm.R': { spread: 115 },
    'foreArm.R': { flex: 40 },
    'upperArm.L': { spread: -32 },
    'hand.L': { flex: -50 },
    spine: { spread: -14 },
    chest: { spread: -16 },
    neck: { spread: -10 },
  },
  {
    upperArm: { flex: -35, spread: -25, twist: -40 },
    foreArm: { flex: 60, twist: -60 },
    hand: { flex: 45 },
    'thigh.L': { flex: 85 },
    'shin.L': { flex: -100 },
    'foot.L': { flex: -25 },
    'toes.L': { flex: 25 },
    chest: { flex: -6 },
  },
  {
    upperArm: { spread: -20 },
    foreArm: { flex: 30, twist: 90 },
    hand: { spread: 25 },
    'thigh.R': { flex: 85 },
    'shin.R': { flex: -100 },
    'foot.R': { flex: -25 },
    'toes.R': { flex: 25 },
    chest: { flex: 8 },
  },
];

/** Half-way between both, off the ground. */
const IN_THE_AIR: Pose = {
  shoulder: { spread: 10 },
  upperArm: { spread: 30 },
  foreArm: { flex: 15 },
  thigh: { spread: 9 },
  foot: { flex: -40 },
  toes: { flex: 10 },
};

/** Arms and legs together, arms and legs apart. */
const JUMPING_JACKS: readonly Pose[] = [
  {
    upperArm: { spread: -38 },
    foreArm: { flex: 10 },
    thigh: { flex: 24, spread: -4 },
    shin: { flex: -46 },
    foot: { flex: 22 },
  },
  IN_THE_AIR,
  {
    shoulder: { spread: 24 },
    upperArm: { spread: 105, twist: 40 },
    foreArm: { flex: 20 },
    thigh: { flex: 18, spread: 20 },
    shin: { flex: -32 },
    foot: { flex: 14 },
  },
  IN_THE_AIR,
];

/** One stride on the spot: right foot forward, passing, left foot forward, passing. */
const WALK: readonly Pose[] = [
  stride('R', { thigh: 26, shin: -6, foot: 8, toes: 12 }, { thigh: -16, shin: -14, foot: -8, toes: 28 }, 26),
  stride('R', { thigh: 8, shin: -12, foot: 4, toes: 0 }, { thigh: 22, shin: -62, foot: -6, toes: 0 }, 0),
  stride('L', { thigh: 26, shin: -6, foot: 8, toes: 12 }, { thigh: -16, shin: -14, foot: -8, toes: 28 }, 26),
  stride('L', { thigh: 8, shin: -12, foot: 4, toes: 0 }, { thigh: 22, shin: -62, foot: -6, toes: 0 }, 0),
];

interface Leg {
  thigh: number;
  shin: number;
  foot: number;
  toes: number;
}

/** A pose of the walk: the leg in front, the other one, and how far the opposite arm swings. */
function stride(front: 'L' | 'R', leading: Leg, trailing: Leg, swing: number): Pose {
  const back = front === 'L' ? 'R' : 'L';
  const pose: Record<string, BoneTurn> = {
    [`upperArm.${back}`]: { flex: swing, spread: -36 },
    [`upperArm.${front}`]: { flex: -swing, spread: -36 },
    [`foreArm.${back}`]: { flex: 22 + swing / 2 },
    [`foreArm.${front}`]: { flex: 16 },
    hips: { twist: (front === 'L' ? -1 : 1) * swing * 0.2 },
    chest: { twist: (front === 'L' ? 1 : -1) * swing * 0.4 },
    spine: { flex: 3 },
  };
  for (const [name, flex] of Object.entries(leading)) pose[`${name}.${front}`] = { flex };
  for (const [name, flex] of Object.entries(trailing)) pose[`${name}.${back}`] = { flex };
  return pose;
}

interface Motion {
  name: string;
  poses: readonly Pose[];
  /** Seconds from one pose to the next; after the last comes the first again. */
  interval: number;
  /** Height of a jump in each interval, m; 0 keeps the lowest foot on the floor. */
  jump: number;
}

export const FIGURE_MOTIONS: readonly Motion[] = [
  { name: 'exercise', poses: EXERCISE, interval: 0.5, jump: 0 },
  { name: 'jumping-jacks', poses: JUMPING_JACKS, interval: 0.25, jump: 0.09 },
  { name: 'walk', poses: WALK, interval: 0.25, jump: 0 },
];

export function figureClip(skeleton: Skeleton, motion: Motion, frames: number, framesPerSecond: number): Clip {
  const { poses, interval, jump } = motion;
  const turns = (time: number, name: string): BoneTurn => smoothTurn(poses, time / interval, name);
  return clipOf(skeleton, motion.name, frames, framesPerSecond, turns, (time, worlds) => {
    // In the air between two landings: a parabola over the odd poses, which are the open ones.
    const phase = (time / interval) % 2;
    const lift = jump * Math.max(0, 1 - 4 * ((phase - 1) / 1.2) ** 2);
    return [0, lift - lowestSole(skeleton, worlds), 0];
  });
}

/** The turn of one bone at position s (pose 1 at s = 1), along a Catmull–Rom spline that closes on itself. */
function smoothTurn(poses: readonly Pose[], s: number, name: string): BoneTurn {
  const first = Math.floor(s);
  const t = s - first;
  const points = [-1, 0, 1, 2].map((d) => turnOf(poses[(first + d + poses.length) % poses.length], name));
  const weights = [
    (-t + 2 * t * t - t * t * t) / 2,
    (2 - 5 * t * t + 3 * t * t * t) / 2,
    (t + 4 * t * t - 3 * t * t * t) / 2,
    (-t * t + t * t * t) / 2,
  ];
  const blend = (part: keyof BoneTurn) => points.reduce((sum, turn, p) => sum + weights[p] * (turn[part] ?? 0), 0);
  return { flex: blend('flex'), spread: blend('spread'), twist: blend('twist') };
}

function turnOf(pose: Pose, name: string): BoneTurn {
  const [both, side] = name.split('.');
  const turn = pose[name] ?? pose[both] ?? {};
  if (side !== 'R') return turn;
  return { flex: turn.flex, spread: -(turn.spread ?? 0), twist: -(turn.twist ?? 0) };
}

/** Points of the rest pose's soles and the bones that carry them. */
const SOLES = ['L', 'R'].flatMap((side) => {
  const x = side === 'L' ? 0.11 : -0.11;
  return [
    { bone: `foot.${side}`, point: [x, 0, -0.07] },
    { bone: `foot.${side}`, point: [x, 0, 0.1] },
    { bone: `toes.${side}`, point: [x, 0, 0.17] },
  ];
});

/** Height of the lowest point of the soles, given the bones' world matrices (12B). */
function lowestSole(skeleton: Skeleton, worlds: Float64Array): number {
  const heights = SOLES.map(({ bone, point }) => {
    const j = FIGURE_BONES.findIndex(({ name }) => name === bone);
    const bind = skeleton.inverseBind.subarray(MATRIX_STRIDE * j, MATRIX_STRIDE * (j + 1));
    const local = [0, 1, 2].map(
      (r) => bind[4 * r] * point[0] + bind[4 * r + 1] * point[1] + bind[4 * r + 2] * point[2] + bind[4 * r + 3],
    );
    const y = MATRIX_STRIDE * j + 4;
    return worlds[y] * local[0] + worlds[y + 1] * local[1] + worlds[y + 2] * local[2] + worlds[y + 3];
  });
  return Math.min(...heights);
}
