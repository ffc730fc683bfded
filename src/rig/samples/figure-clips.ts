import { type Clip, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { FIGURE_BONES } from './figure-body.ts';
import { type BoneTurn, clipOf } from './skeleton.ts';

/**
 * Rotations by bone. A name without a side stands for both; spread and twist are mirrored on the right, so that the same
 * numbers mean the same movement: arms up, thumbs out.
 */
export type Pose = Readonly<Record<string, BoneTurn>>;

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

/** Elbows bent, leaning forward: the swing of arms and legs of a run. */
const running = (right: readonly number[], left: readonly number[], swing: number): Pose => ({
  ...stride(right, left, swing),
  'upperArm.L': [swing, -34],
  'upperArm.R': [-swing, -34],
  'foreArm.L': [84],
  'foreArm.R': [84],
  hand: [12],
  hips: [6, 0, swing * 0.25],
  spine: [7],
  neck: [-8],
});
const LANDING = running([34, -24, 4, 6], [-14, -78, -22, 20], 42);
const DRIVING = running([-2, -22, 2, 14], [58, -92, -2, 0], 8);

/** One stride of a run on the spot, knees high. */
const RUN: readonly Pose[] = [LANDING, DRIVING, mirrored(LANDING), mirrored(DRIVING)];

/** Knees soft, arms low. */
const READY: Pose = { upperArm: [8, -24], foreArm: [34], thigh: [16, 3], shin: [-30], foot: [14] };

/** Weight on the left leg, the right one reaches to the side, arms open. */
const SIDE_STEP: Pose = {
  'thigh.L': [22, 2],
  'shin.L': [-40],
  'foot.L': [18],
  'thigh.R': [4, 30],
  'foot.R': [-18],
  'upperArm.L': [30, 30],
  'upperArm.R': [10, 42],
  foreArm: [18],
  hips: [0, -4, -14],
  spine: [4, -6],
  chest: [0, -6, 12],
  head: [0, 6, 10],
};

/** The right leg kicks forward, arms against it. */
const KICK: Pose = {
  'thigh.L': [6],
  'shin.L': [-12],
  'foot.L': [6],
  'thigh.R': [74, 4],
  'shin.R': [-14],
  'foot.R': [-34],
  'upperArm.L': [62, -6],
  'upperArm.R': [-34, -10],
  foreArm: [24],
  spine: [-6],
  chest: [4, 0, 14],
};

/** On the left leg, the right foot at its knee, arms round overhead. */
const SPIN: Pose = {
  'foot.L': [-26],
  'toes.L': [24],
  'thigh.R': [52, 38],
  'shin.R': [-104],
  'foot.R': [-30],
  shoulder: [0, 20],
  upperArm: [24, 84, 20],
  foreArm: [52],
};

/** Deep in the knees, leaning, arms behind. */
const DIP: Pose = {
  thigh: [58, 12],
  shin: [-84],
  foot: [26],
  hips: [16],
  spine: [14],
  neck: [-14],
  upperArm: [-34, 6],
  foreArm: [14],
};

/** Steps to both sides, a kick, a turn on one leg, and a dip out of which it rises. */
const DANCE: readonly Pose[] = [READY, SIDE_STEP, READY, mirrored(SIDE_STEP), KICK, READY, SPIN, SPIN, SPIN, DIP];
const DANCE_FLOOR: readonly Standing[] = [
  [0, 0, 0],
  [0.22, 0, 0],
  [0.04, 0, 10],
  [-0.2, 0, 0],
  [0, 0.06, 0],
  [0, 0, -24],
  [0, 0, 80],
  [0, 0, 210],
  [0, 0, 330],
  [0, 0.05, 364],
];

/** Walks on the spot, and turns around its axis in two halves. */
const TURN: readonly Pose[] = [...WALK, ...WALK, ...WALK];
const TURN_FLOOR: readonly Standing[] = [0, 0, 40, 105, 165, 182, 180, 180, 220, 285, 345, 362].map((facing) => [
  0,
  0,
  facing,
]);

/** The same pose with left and right exchanged. */
export function mirrored(pose: Pose): Pose {
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

/** Where the hips are over the floor, m, and where they face, degrees; a full turn more is the same. */
export type Standing = readonly [x: number, z: number, facing: number];

export interface FigureMotion {
  name: string;
  poses: readonly Pose[];
  /** One per pose [default the origin, facing +z]. */
  floor?: readonly Standing[];
  /** Seconds from one pose to the next; after the last comes the first again. */
  interval: number;
  /** Height of a jump in each interval, m; 0 keeps the lowest foot on the floor. */
  jump: number;
}

export const FIGURE_MOTIONS: readonly FigureMotion[] = [
  { name: 'exercise', poses: EXERCISE, interval: 0.5, jump: 0 },
  { name: 'jumping-jacks', poses: JUMPING_JACKS, interval: 0.25, jump: 0.09 },
  { name: 'walk', poses: WALK, interval: 0.25, jump: 0 },
  { name: 'dance', poses: DANCE, floor: DANCE_FLOOR, interval: 0.45, jump: 0 },
  { name: 'turn', poses: TURN, floor: TURN_FLOOR, interval: 0.25, jump: 0 },
  { name: 'run', poses: RUN, interval: 0.18, jump: 0.05 },
];

/** `strength` multiplies how far legs, hips and back turn. */
export function figureClip(
  skeleton: Skeleton,
  motion: FigureMotion,
  frames: number,
  framesPerSecond: number,
  strength = 1,
): Clip {
  const { poses, floor, interval, jump } = motion;
  const standing = (time: number): Standing =>
    floor ? splined((k) => standingAt(floor, k), time / interval) : [0, 0, 0];
  const turns = (time: number, name: string): BoneTurn => {
    const s = STRENGTHENED.test(name) ? strength : 1;
    const [flex, spread, twist] = splined((k) => turnOf(at(poses, k), name), time / interval);
    return [s * flex, s * spread, s * twist + (name === 'hips' ? standing(time)[2] : 0)];
  };
  return clipOf(skeleton, motion.name, frames, framesPerSecond, turns, (time, worlds) => {
    // In the air between two landings: a parabola over the odd poses, which are the open ones.
    const phase = (time / interval) % 2;
    const lift = jump * Math.max(0, 1 - 4 * ((phase - 1) / 1.2) ** 2);
    const [x, z] = standing(time);
    return [x, lift - lowestSole(skeleton, worlds), z];
  });
}

/** Bones that a stronger motion turns farther; arms would hit the body. */
const STRENGTHENED = /^(hips|spine|chest|thigh|shin|foot)/;

/** Item k of a list that goes round. */
const at = <T>(items: readonly T[], k: number): T => items[((k % items.length) + items.length) % items.length];

/** Key k of a list that goes round, with all full turns made until then. */
function standingAt(floor: readonly Standing[], k: number): Standing {
  const turns = Math.round((floor[floor.length - 1][2] - floor[0][2]) / 360);
  const [x, z, facing] = at(floor, k);
  return [x, z, facing + 360 * turns * Math.floor(k / floor.length)];
}

/** Three numbers at position s (key 1 at s = 1), along a Catmull–Rom spline. */
function splined(key: (k: number) => BoneTurn, s: number): [number, number, number] {
  const first = Math.floor(s);
  const t = s - first;
  const points = [-1, 0, 1, 2].map((d) => key(first + d));
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
