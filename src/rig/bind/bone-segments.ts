import { PliantError } from '../../error.ts';
import { invert34, translation34 } from '../../math/matrix34.ts';
import { distance3, type Vector } from '../../math/vector.ts';
import { boneCount, END_MARKER, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { chainSiblings } from './flat-chains.ts';

/**
 * Bones as segments, for distances (the lecture on geometric surface deformation, "Cylindrical distance"): a bone runs
 * from its joint to the joint of each child, so that one with several children has several segments. A bone without
 * length is a point. In skeletons that lie flat the next joint of a chain counts as a child (flat-chains.ts).
 */
export interface BoneSegments {
  /** D: the bones that vertices may follow. Columns of weights are in this order. */
  bones: Int32Array;
  /** S: segment → its column. Every column has at least one. */
  columnOf: Int32Array;
  /** 6S: both ends of each segment. */
  ends: Float64Array;
}

/** A leaf without a marker goes on for this part of its parent's length, unless more is known. */
const STUB = 0.5;

/** How well bones must agree on one local axis to their children for it to be the axis of leaves as well. */
const AXIS_AGREEMENT = 0.95;

/** 12B: bone space → mesh space in the bind pose. */
export function bindMatrices(skeleton: Skeleton, operation: string): Float64Array {
  const out = new Float64Array(skeleton.inverseBind.length);
  for (let o = 0; o < out.length; o += MATRIX_STRIDE) {
    if (!invert34(out, o, skeleton.inverseBind, o)) {
      const name = skeleton.names[o / MATRIX_STRIDE];
      throw new PliantError('bad-input', operation, `bone "${name}" has a singular bind matrix (expected a joint)`);
    }
  }
  return out;
}

/** The fourth joint of a finger, in skeletons as Mixamo's: its tip. */
const FINGER_TIP = /Hand(?:Thumb|Index|Middle|Ring|Pinky)4$/;

/** True for leaves that are nothing but the end of their parent. */
export function isEndMarker({ names, parents, ends }: Skeleton, j: number): boolean {
  if (ends?.includes(j)) return true;
  return parents[j] >= 0 && (END_MARKER.test(names[j]) || FINGER_TIP.test(names[j])) && !parents.includes(j);
}

/** How far a leaf without a marker goes on: from its joint along a direction of length 1, and the length of its parent. */
export type LeafLength = (joint: Vector, along: Vector, parentLength: number) => number;

/**
 * The segments of the bones that `deforms` allows (all by default); markers of ends never count. Throws `bad-input` when
 * none is left.
 */
export function boneSegments(
  skeleton: Skeleton,
  operation: string,
  deforms: (bone: number) => boolean = () => true,
  leafLength: LeafLength = (_joint, _along, parentLength) => STUB * parentLength,
): BoneSegments {
  const b = boneCount(skeleton);
  const binds = bindMatrices(skeleton, operation);
  const joints = Array.from({ length: b }, (_, j) => translation34(binds, j));
  const children: number[][] = joints.map(() => []);
  skeleton.parents.forEach((parent, j) => {
    if (parent >= 0) children[parent].push(j);
  });
  chainSiblings(joints, skeleton.parents, children, binds);
  const leafAxis = commonAxis(joints, children, binds);

  const bones: number[] = [];
  const columnOf: number[] = [];
  const ends: number[] = [];
  for (let j = 0; j < b; j++) {
    if (!deforms(j) || isEndMarker(skeleton, j)) continue;
    const tails = children[j].length > 0 ? children[j].map((child) => joints[child]) : [leafTail(j)];
    const long = tails.filter((tail) => distance3(joints[j], tail) > 0);
    for (const tail of long.length > 0 ? long : [joints[j]]) {
      columnOf.push(bones.length);
      ends.push(...joints[j], ...tail);
    }
    bones.push(j);
  }
  if (bones.length === 0) {
    throw new PliantError('bad-input', operation, `no bone to bind to (got ${b} bones, expected at least one joint)`);
  }
  return { bones: Int32Array.from(bones), columnOf: Int32Array.from(columnOf), ends: Float64Array.from(ends) };

  /** Along the axis that bones of this skeleton have in common, else straight on from the parent. */
  function leafTail(j: number): [number, number, number] {
    const head = joints[j];
    const before = jointBefore(j);
    if (before < 0) return head;
    const along = leafAxis ? turned(binds, j, leafAxis) : unit(joints[before], head);
    const length = leafLength(head, along, distance3(joints[before], head));
    return [head[0] + length * along[0], head[1] + length * along[1], head[2] + length * along[2]];
  }

  /** The joint that a leaf goes on from: of its chain, or the first one above that is elsewhere, −1 if there is none. */
  function jointBefore(j: number): number {
    const sibling = children.findIndex((list, k) => list.includes(j) && skeleton.parents[j] !== k);
    let before = sibling >= 0 ? sibling : skeleton.parents[j];
    while (before >= 0 && distance3(joints[before], joints[j]) === 0) before = skeleton.parents[before];
    return before;
  }
}

/** The direction from a to b; 0 when they coincide. */
function unit(a: Vector, b: Vector): Vector {
  const length = distance3(a, b) || 1;
  return [(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length];
}

/** A direction of bone j's own frame, in mesh space and at length 1. */
function turned(binds: Float64Array, j: number, axis: Vector): Vector {
  const o = MATRIX_STRIDE * j;
  const row = (r: number): number => binds[o + r] * axis[0] + binds[o + r + 1] * axis[1] + binds[o + r + 2] * axis[2];
  return unit([0, 0, 0], [row(0), row(4), row(8)]);
}

/**
 * The axis of their own frames along which bones with one child run, or undefined when they do not agree: modelling programs
 * let all bones run along +y or +x, motion capture leaves the frames unturned.
 */
function commonAxis(joints: readonly Vector[], children: readonly number[][], binds: Float64Array): Vector | undefined {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  const inverse = new Float64Array(MATRIX_STRIDE);
  children.forEach((list, j) => {
    if (list.length !== 1 || distance3(joints[j], joints[list[0]]) === 0) return;
    if (!invert34(inverse, 0, binds, MATRIX_STRIDE * j)) return;
    const along = turned(inverse, 0, unit(joints[j], joints[list[0]]));
    for (let c = 0; c < 3; c++) sum[c] += along[c];
    count++;
  });
  const length = Math.hypot(...sum);
  return count > 1 && length > AXIS_AGREEMENT * count ? [sum[0] / length, sum[1] / length, sum[2] / length] : undefined;
}
