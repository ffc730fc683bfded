/**
 * A motion of the figure that is not among its clips. The scenes of cloth report on it: no setting may be chosen on it, and nobody
 * sees it before all is chosen.
 */
import { type FigureMotion, mirrored, type Pose, type Standing } from './figure-clips.ts';

/** Low, leaning, fists before the chest. */
const GATHERED: Pose = {
  thigh: [40, 5],
  shin: [-64],
  foot: [24],
  hips: [10],
  spine: [16],
  neck: [-12],
  upperArm: [48, -12],
  foreArm: [78],
};

/** The right knee bent in front, the left leg stretched behind, chest and arms against it. */
const LUNGE: Pose = {
  'thigh.R': [66, 6],
  'shin.R': [-72],
  'foot.R': [6],
  'thigh.L': [-24, 4],
  'shin.L': [-28],
  'foot.L': [-18],
  'toes.L': [26],
  hips: [8, 0, -10],
  spine: [8],
  chest: [0, 0, 16],
  'upperArm.L': [48, -20],
  'upperArm.R': [-32, -18],
  foreArm: [46],
};

/** On the left leg, the right knee up, arms out. */
const KNEE_UP: Pose = {
  'thigh.L': [4],
  'shin.L': [-8],
  'foot.L': [4],
  'thigh.R': [84, 12],
  'shin.R': [-98],
  'foot.R': [-22],
  shoulder: [0, 8],
  upperArm: [6, 50],
  foreArm: [26],
  spine: [-5],
  chest: [0, 0, -12],
};

/** Deep over the left knee, out to the side, the right leg stretched. */
const SIDE_LUNGE: Pose = {
  'thigh.L': [52, 26],
  'shin.L': [-74],
  'foot.L': [22],
  'thigh.R': [6, 36],
  'foot.R': [-16],
  hips: [12, -5, 14],
  spine: [10, 8],
  neck: [-10],
  'upperArm.L': [52, 14],
  'upperArm.R': [20, 34],
  foreArm: [34],
};

const POSES: readonly Pose[] = [
  GATHERED,
  LUNGE,
  KNEE_UP,
  mirrored(LUNGE),
  GATHERED,
  SIDE_LUNGE,
  mirrored(KNEE_UP),
  mirrored(SIDE_LUNGE),
  GATHERED,
];

/** Forth and back, and once around to the right, most of it on one leg. */
const FLOOR: readonly Standing[] = [
  [0, 0, 0],
  [0.04, 0.26, -8],
  [0.02, 0.3, -95],
  [-0.2, 0.26, -170],
  [-0.1, 0.2, -180],
  [0.12, 0.16, -186],
  [0.06, 0.1, -270],
  [-0.1, 0.04, -345],
  [0, 0, -358],
];

export const LUNGES: FigureMotion = { name: 'lunges', poses: POSES, floor: FLOOR, interval: 1 / 3, jump: 0 };
