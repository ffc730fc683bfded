/**
 * A mannequin of 1.75 m in A-pose, y up, feet on the floor, facing +z: the bones it stands on and the limbs whose smooth
 * union is its surface. One side is drawn, the left at +x; the right is its mirror image.
 */
import { boundsOf } from '../../mesh/bounds.ts';
import {
  type ImplicitFunction,
  type Limb,
  limbFunction,
  mirrored,
  type Point,
  smoothUnion,
} from '../../mesh/implicit/implicit.ts';
import { polygonize } from '../../mesh/implicit/polygonize.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { BoneSketch } from './skeleton.ts';

const SHOULDER: Point = [0.17, 1.4, -0.015];
const ELBOW: Point = [0.375, 1.205, -0.02];
const WRIST: Point = [0.55, 1.035, 0];
const FINGERTIPS: Point = [0.675, 0.915, 0.01];
const HIP: Point = [0.09, 0.93, 0];
const KNEE: Point = [0.1, 0.5, 0.01];
const ANKLE: Point = [0.105, 0.085, -0.02];
const BALL: Point = [0.115, 0.03, 0.1];
const TOE: Point = [0.118, 0.028, 0.165];

const FORWARD: Point = [0, 0, 1];
const UP: Point = [0, 1, 0];
/** From the back of the left hand to its palm. */
const PALM: Point = [-0.68, -0.73, 0];

type FigureBone = BoneSketch & {
  /** Half thickness of the body around the bone, m. */
  radius: number;
};

const MIDDLE: readonly FigureBone[] = [
  { name: 'hips', head: [0, 0.95, 0], tail: [0, 1.06, 0], front: FORWARD, radius: 0.13 },
  { name: 'spine', parent: 'hips', head: [0, 1.06, 0], tail: [0, 1.2, -0.01], front: FORWARD, radius: 0.12 },
  { name: 'chest', parent: 'spine', head: [0, 1.2, -0.01], tail: [0, 1.45, -0.015], front: FORWARD, radius: 0.13 },
  { name: 'neck', parent: 'chest', head: [0, 1.45, -0.015], tail: [0, 1.555, 0], front: FORWARD, radius: 0.055 },
  { name: 'head', parent: 'neck', head: [0, 1.555, 0], tail: [0, 1.75, 0.01], front: FORWARD, radius: 0.09 },
];

const LEFT: readonly FigureBone[] = [
  { name: 'shoulder', parent: 'chest', head: [0.03, 1.415, -0.01], tail: SHOULDER, front: FORWARD, radius: 0.06 },
  { name: 'upperArm', parent: 'shoulder', head: SHOULDER, tail: ELBOW, front: FORWARD, radius: 0.055 },
  { name: 'foreArm', parent: 'upperArm', head: ELBOW, tail: WRIST, front: FORWARD, radius: 0.042 },
  { name: 'hand', parent: 'foreArm', head: WRIST, tail: FINGERTIPS, front: PALM, radius: 0.035 },
  { name: 'thigh', parent: 'hips', head: HIP, tail: KNEE, front: FORWARD, radius: 0.08 },
  { name: 'shin', parent: 'thigh', head: KNEE, tail: ANKLE, front: FORWARD, radius: 0.055 },
  { name: 'foot', parent: 'shin', head: ANKLE, tail: BALL, front: UP, radius: 0.045 },
  { name: 'toes', parent: 'foot', head: BALL, tail: TOE, front: UP, radius: 0.035 },
];

const mirror = ([x, y, z]: Point): Point => [-x, y, z];

/** The bones of one side, '.L' or '.R'. */
function sideBones(side: 'L' | 'R'): FigureBone[] {
  const place = side === 'L' ? (p: Point) => p : mirror;
  return LEFT.map((bone) => ({
    ...bone,
    name: `${bone.name}.${side}`,
    parent: LEFT.some(({ name }) => name === bone.parent) ? `${bone.parent}.${side}` : bone.parent,
    head: place(bone.head),
    tail: place(bone.tail),
    front: place(bone.front),
  }));
}

export const FIGURE_BONES: readonly FigureBone[] = [...MIDDLE, ...sideBones('L'), ...sideBones('R')];

const TORSO: readonly Limb[] = [
  { a: [-0.05, 0.95, -0.005], b: [0.05, 0.95, -0.005], ra: 0.12, rb: 0.12, squash: [1, 1, 0.9] }, // pelvis
  { a: [0, 1.02, 0], b: [0, 1.14, 0], ra: 0.125, rb: 0.122, squash: [1.08, 1, 0.8] }, // belly
  { a: [0, 1.16, 0], b: [0, 1.32, -0.01], ra: 0.13, rb: 0.145, squash: [1.12, 1, 0.78] }, // ribs
  { a: [-0.12, 1.395, -0.02], b: [0.12, 1.395, -0.02], ra: 0.066, rb: 0.066 }, // shoulder girdle
  { a: [0, 1.42, -0.02], b: [0, 1.55, 0], ra: 0.062, rb: 0.053 }, // neck
  { a: [0, 1.652, 0.005], b: [0, 1.652, 0.005], ra: 0.102, rb: 0.102, squash: [0.78, 1, 0.95] }, // skull
  { a: [0, 1.61, 0.03], b: [0, 1.57, 0.055], ra: 0.058, rb: 0.04 }, // jaw
];

const LEFT_SIDE: readonly Limb[] = [
  { a: [0.07, 1.3, 0.06], b: [0.1, 1.31, 0.05], ra: 0.058, rb: 0.05 }, // breast
  { a: [0.085, 1.31, -0.07], b: [0.1, 1.36, -0.06], ra: 0.06, rb: 0.05 }, // shoulder blade
  { a: [0.075, 0.925, -0.06], b: [0.085, 0.9, -0.055], ra: 0.085, rb: 0.08 }, // buttock
  { a: SHOULDER, b: SHOULDER, ra: 0.066, rb: 0.066 },
  { a: [0.185, 1.385, -0.015], b: ELBOW, ra: 0.055, rb: 0.036 },
  { a: ELBOW, b: [0.42, 1.16, -0.012], ra: 0.036, rb: 0.042 },
  { a: [0.42, 1.16, -0.012], b: WRIST, ra: 0.042, rb: 0.027 },
  { a: [0.092, 0.9, 0.005], b: KNEE, ra: 0.094, rb: 0.049 },
  { a: KNEE, b: ANKLE, ra: 0.048, rb: 0.033 },
  { a: [0.103, 0.4, -0.022], b: [0.104, 0.3, -0.025], ra: 0.041, rb: 0.036 }, // calf
  { a: [0.105, 0.045, -0.045], b: [0.11, 0.05, 0.03], ra: 0.04, rb: 0.042 }, // heel and instep
  { a: [0.108, 0.06, 0.02], b: BALL, ra: 0.042, rb: 0.034, squash: [1.15, 1, 1] },
  { a: BALL, b: TOE, ra: 0.035, rb: 0.028, squash: [1.35, 0.9, 1] },
];

/** Four fingers close together, a palm, a thumb: thicker than life, so that 5,000 vertices can show them. */
const LEFT_HAND: readonly Limb[] = [
  { a: WRIST, b: [0.6, 0.987, 0.028], ra: 0.028, rb: 0.022 },
  { a: WRIST, b: [0.6, 0.987, -0.02], ra: 0.028, rb: 0.022 },
  { a: [0.6, 0.987, 0.026], b: [0.658, 0.93, 0.028], ra: 0.022, rb: 0.017 },
  { a: [0.6, 0.987, 0.004], b: [0.668, 0.92, 0.008], ra: 0.022, rb: 0.017 },
  { a: [0.6, 0.987, -0.02], b: [0.656, 0.932, -0.014], ra: 0.022, rb: 0.017 },
  { a: [0.572, 1.01, 0.03], b: [0.59, 0.98, 0.07], ra: 0.022, rb: 0.017 }, // thumb
];

/** How widely parts melt into each other, m. */
const BODY_BLEND = 0.04;
const HAND_BLEND = 0.02;
/** Enough room around the limbs' axes. */
const MARGIN = 0.2;

const bothSides = (limbs: readonly Limb[]): Limb[] => [...limbs, ...limbs.map(mirrored)];

/** The body's surface with about `vertices` vertices, without normals, its soles on y = 0. */
export function figureSurface(vertices: number): Mesh {
  const hand = LEFT_HAND.map(limbFunction);
  const otherHand = LEFT_HAND.map(mirrored).map(limbFunction);
  const body: ImplicitFunction = smoothUnion(
    [
      ...[...TORSO, ...bothSides(LEFT_SIDE)].map(limbFunction),
      smoothUnion(hand, HAND_BLEND),
      smoothUnion(otherHand, HAND_BLEND),
    ],
    BODY_BLEND,
  );
  const ends = [...TORSO, ...bothSides(LEFT_SIDE), ...bothSides(LEFT_HAND)].flatMap(({ a, b }) => [...a, ...b]);
  const { min, max } = boundsOf(ends);
  for (let c = 0; c < 3; c++) {
    min[c] -= MARGIN;
    max[c] += MARGIN;
  }
  const mesh = polygonize(body, { min, max }, vertices);
  const floor = boundsOf(mesh.positions).min[1];
  for (let o = 1; o < mesh.positions.length; o += 3) mesh.positions[o] -= floor;
  return mesh;
}
