import type { SkinnedModel, SkinWeights } from '../../../../src/index.ts';
import { type Colour, oklch } from '../../../../src/report/colors.ts';
import type { JointTree } from '../rig/joint-tree.ts';

/** Golden angle, in degrees: hues of neighbouring numbers lie far apart. */
const GOLDEN = 137.508;

/** A colour per number, with neighbours far apart. */
const numberColour = (j: number): Colour => oklch(j % 2 === 0 ? 0.74 : 0.6, 0.12, (j * GOLDEN) % 360);

/** 3N linear RGB by a number of each vertex. */
export function numberColours(numbers: ArrayLike<number>): Float32Array {
  const known = new Map<number, Colour>();
  const colours = new Float32Array(3 * numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const colour = known.get(numbers[i]) ?? numberColour(numbers[i]);
    known.set(numbers[i], colour);
    colours.set(colour, 3 * i);
  }
  return colours;
}

/** N: the heaviest bone of each vertex. */
export const heaviestBones = ({ joints, influences }: SkinWeights): Uint16Array =>
  joints.filter((_, slot) => slot % influences === 0);

/** N: weight of a joint at each vertex, 0…1. */
export function jointInfluence({ joints, weights, influences }: SkinWeights, joint: number): Float32Array {
  const out = new Float32Array(joints.length / influences);
  joints.forEach((j, slot) => {
    if (j === joint) out[Math.floor(slot / influences)] += weights[slot];
  });
  return out;
}

/** Number of vertices with a positive weight, per joint. */
export function verticesOfJoints(models: readonly SkinnedModel[], { names, jointsOf }: JointTree): Uint32Array {
  const out = new Uint32Array(names.length);
  for (const { skeleton, weights } of models) {
    const joints = jointsOf.get(skeleton)!;
    weights.joints.forEach((j, slot) => {
      if (weights.weights[slot] > 0) out[joints[j]]++;
    });
  }
  return out;
}
