import { type Clip, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { FIGURE_BONES } from './figure-body.ts';
import { type BoneTurn, clipOf } from './skeleton.ts';

/**
 * Rotations by bone. A name without a side stands for both; spread and twist are mirrored on the right, so that the same
 * numbers mean the same movement: arms up, thumbs out.
 */
type Pose = Readonly<Record<string, BoneTurn>>;

const TWISTED: Pose = {
  shoulder: [0, 10],
  upperArm: [0, 45],
  'hand.L': [60],
  'hand.R': [-60],
  spine: [0, 0, 24],
  chest: [0, 0, 30],
  neck: [0, 0, 22],
  head: [0, 0, 22],
};

const LEANING: Pose = {
  'shoulder.L': [0, 25],
  'upperArm.L': [0, 115],
  'foreArm.L': [40],
  'upperArm.R': [0, -32],
  'hand.R': [-50],
  spine: [0, 14],
  chest: [0, 16],
  neck: [0, 10],
};

/** Two squats with raised arms, turns and bends: every joint moves, shoulders and wrists the most. */
const EXERCISE: readonly Pose[] = [
  {},
  { shoulder: [0, 22], upperArm: [0, 100, 40], foreArm: [15], hand: [-60], head: [-15] },
  { shoulder: [0, 22], upperArm: [0, 100, 70], foreArm: [100, 0, 60], hand: [70, 15] },
  { shoulder: [0, 6], upperArm: [0, 42, -30], foreArm: [0, 0, -100], hand: [-65, -20] },
  { upperArm: [85, 5], foreArm: [125, 0, 80], hand: [60], spine: [-8], head: [12] },
  { upperArm: [95], hand: [-40], thigh: [92, 10], shin: [-104], foot: [14], hips: [22], spine: [12], neck: [-18] },
  TWISTED,
  mirrored(TWISTED),
  LEANING,
  mirrored(LEANING),
  {
    upperArm: [-35, -25, -40],
    foreArm: [60, 0, -60],
    hand: [45],
    'thigh.L': [85],
    'shin.L': [-100],
    'foot.L': [-25],
    'toes.L': [25],
    chest: [-6],
  },
  {
    upperArm: [0, -20],
    foreArm: [30, 0, 90],
    hand: [0, 25],
    'thigh.R': [85],
    'shin.R': [-100],
    'foot.R': [-25],
    'toes.R': [25],
    chest: [8],
  },
];

/** Half-way between both, off the ground. */
const IN_THE_AIR: Pose = {
  shoulder: [0, 10],
  upperArm: [0, 30],
  foreArm: [15],
  thigh: [0, 9],
  foot: [-40],
  toes: [10],
};

/** Arms and legs together, arms and legs apart. */
const JUMPING_JACKS: readonly Pose[] = [
  { upperArm: [0, -38], foreArm: [10], thigh: [24, -4], shin: [-46], foot: [22] },
  IN_THE_AIR,
  { shoulder: [0, 24], upperArm: [0, 105, 40], foreArm: [20], thigh: [18, 20], shin: [-32], foot: [14] },
  IN_THE_AIR,
];

const CONTACT = stride([26, -6, 8, 12], [-16, -14, -8, 28], 26);
const PASSING = stride([8, -12, 4, 0], [22, -62, -6, 0], 0);

/** One stride on the spot: right foot forward, passing, left foot forward, passing. */
const WALK: readonly Pose[] = [CONTACT, PASSING, mirrored(CONTACT), mirrored(PASSING)];

/** A pose of the walk: the flexion of both legs, and how far the arms swing. */
function stride(right: readonly number[], left: readonly number[], swing: number): Pose {
  const leg = (side: string, flexion: readonly number[]) =>
    Object.fromEntries(['thigh', 'shin', 'foot', 'toes'].map((name, b) => [`${name}.${side}`, [flexion[b]] as const]));
  return {
    ...leg('R', right),
    ...leg('L', left),
    'upperArm.L': [swing, -36],
    'upperArm.R': [-swing, -36],
    'foreArm.L': [22 + swing / 2],
    'foreArm.R': [16],
    hips: [0, 0, swing * 0.2],
    chest: [0, 0, -swing * 0.4],
    spine: [3],
  };
}

/** The same pose with left and right exchanged. */
function mirrored(pose: Pose): Pose {
  const turns = Object.entries(pose).map(([name, turn]): [string, BoneTurn] => {
    const [both, side] = name.split('.');
    if (side) return [`${both}.${side === 'L' ? 'R' : 'L'}`, turn];
    return [name, FIGURE_BONES.some((bone) => bone.name === name) ? reflected(turn) : turn];
  });
  return Object.fromEntries(turns);
}

function reflected([flex = 0, spread = 0, twist = 0]: BoneTurn): BoneTurn {
  return [flex, -spread, -twist];
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
  const blend = (axis: number) => points.reduce((sum, turn, p) => sum + weights[p] * (turn[axis] ?? 0), 0);
  return [blend(0), blend(1), blend(2)];
}

function turnOf(pose: Pose, name: string): BoneTurn {
  const [both, side] = name.split('.');
  const turn = pose[name] ?? pose[both] ?? [];
  return side === 'R' ? reflected(turn) : turn;
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
