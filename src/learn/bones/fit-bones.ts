import { PliantError } from '../../error.ts';
import { IDENTITY34 } from '../../math/matrix34.ts';
import { polar3 } from '../../math/svd3.ts';
import { vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import { type LearnGiven, requireRigid } from '../given.ts';
import { type Bones, boneCentroids, clusterBones } from './cluster-bones.ts';
import { nearBones, vertexWeights } from './weights.ts';

/**
 * Bones and weights that suit each other: faces are clustered, weights solved, and then, in rounds, each bone is moved to
 * where the others leave it most to explain (Le and Deng 2012, §4.2), and weights are solved anew. Two rounds take a third
 * off the error of the clusters' own transforms; a third round gains 2 %.
 */
const ROUNDS = 2;

/** Keeps a bone that few vertices follow from turning about them at will: the share of its inertia that holds its rotation. */
const HOLD = 1e-3;

/** Of the inertia about the origin: what rounding leaves of that about a single vertex. */
const NO_INERTIA = 1e-9;

export async function fitBones(
  examples: Examples,
  wanted: number,
  run: RunOptions = {},
): Promise<{ transforms: Float64Array; weights: SkinWeights }> {
  const bones = await clusterBones(examples, wanted, run);
  const near = nearBones(examples, bones);
  let weights = await vertexWeights(examples, bones, run, near);
  for (let round = 0; round < ROUNDS; round++) {
    await moveBones(examples, bones, weights, run);
    weights = await vertexWeights(examples, bones, run, near);
  }
  return { transforms: bones.transforms, weights };
}

/** Bones that were given, or that the examples ask for. */
export async function bonesOf(
  examples: Examples,
  wanted: number,
  given: LearnGiven['bones'],
  run: RunOptions,
): Promise<{ count: number; transforms: Float64Array; skin: SkinWeights; centroids: Float64Array }> {
  const { rest, poses } = examples;
  if (given) validateWeights(given.weights, vertexCount(rest), 65536, 'learn');
  const { transforms, weights: skin } = given
    ? { weights: given.weights, transforms: given.transforms ?? (await bonesFor(examples, given.weights, run)) }
    : await fitBones(examples, wanted, run);
  const count = transforms.length / (MATRIX_STRIDE * poses.length);
  if (!Number.isInteger(count)) {
    const cause = `given transforms (got ${transforms.length} numbers for ${poses.length} examples)`;
    throw new PliantError('bad-input', 'learn', cause);
  }
  if (given) {
    validateWeights(skin, vertexCount(rest), count, 'learn');
    requireRigid(transforms);
  }
  return { count, transforms, skin, centroids: boneCentroids(rest.positions, skin, count) };
}

/** E·B·12: rigid bones for weights that are given, each first on its own, then moved as above. */
export async function bonesFor(examples: Examples, skin: SkinWeights, run: RunOptions = {}): Promise<Float64Array> {
  const { rest, poses } = examples;
  const count = skin.joints.reduce((most, b) => Math.max(most, b), 0) + 1;
  const slots = slotsOf(skin, count);
  const transforms = new Float64Array(MATRIX_STRIDE * count * poses.length);
  const wish = new Float64Array(rest.positions.length);
  poses.forEach((pose, k) => {
    const motions = transforms.subarray(MATRIX_STRIDE * k * count, MATRIX_STRIDE * (k + 1) * count);
    for (let b = 0; b < count; b++) {
      motions.set(IDENTITY34, MATRIX_STRIDE * b);
      for (const s of slots[b]) {
        const i = 3 * Math.floor(s / skin.influences);
        for (let c = i; c < i + 3; c++) wish[c] = skin.weights[s] * pose[c];
      }
      moveBone({ left: wish, v: rest.positions, skin, slots, motions }, b);
    }
  });
  for (let round = 0; round <= ROUNDS; round++) await moveBones(examples, { count, transforms }, skin, run);
  return transforms;
}

/** Every bone in every example, one after the other: the rigid motion of Σ w²|R v + t − y/w|², y what the others leave. */
async function moveBones(
  { rest, poses }: Examples,
  { count, transforms }: Pick<Bones, 'count' | 'transforms'>,
  skin: SkinWeights,
  run: RunOptions = {},
): Promise<void> {
  const slots = slotsOf(skin, count);
  const left = new Float64Array(3 * vertexCount(rest));
  for (let k = 0; k < poses.length; k++) {
    await checkpoint(run, 'learn', k, poses.length, 'moving bones');
    const motions = transforms.subarray(MATRIX_STRIDE * k * count, MATRIX_STRIDE * (k + 1) * count);
    const example: Example = { left, v: rest.positions, skin, slots, motions };
    left.set(poses[k]);
    for (let b = 0; b < count; b++) addMoved(example, b, -1);
    for (let b = 0; b < count; b++) {
      addMoved(example, b, 1);
      moveBone(example, b);
      addMoved(example, b, -1);
    }
  }
}

/** Per bone: where in `skin` it is mentioned with a weight. */
function slotsOf({ joints, weights }: SkinWeights, bones: number): number[][] {
  const slots: number[][] = Array.from({ length: bones }, () => []);
  for (let s = 0; s < weights.length; s++) if (weights[s] > 0) slots[joints[s]].push(s);
  return slots;
}

/** One example while its bones are moved. */
interface Example {
  /** 3N: what the bones have not explained yet. */
  left: Float64Array;
  /** 3N: the rest pose. */
  v: Float32Array;
  skin: SkinWeights;
  /** Of `slotsOf`. */
  slots: readonly (readonly number[])[];
  /** 12B. */
  motions: Float64Array;
}

/** left += sign·w·(R v + t) at the vertices of bone b. */
function addMoved({ left, v, skin, slots, motions: m }: Example, b: number, sign: number): void {
  const { influences, weights } = skin;
  const o = MATRIX_STRIDE * b;
  for (const s of slots[b]) {
    const i = 3 * Math.floor(s / influences);
    const w = sign * weights[s];
    left[i] += w * (m[o] * v[i] + m[o + 1] * v[i + 1] + m[o + 2] * v[i + 2] + m[o + 3]);
    left[i + 1] += w * (m[o + 4] * v[i] + m[o + 5] * v[i + 1] + m[o + 6] * v[i + 2] + m[o + 7]);
    left[i + 2] += w * (m[o + 8] * v[i] + m[o + 9] * v[i + 1] + m[o + 10] * v[i + 2] + m[o + 11]);
  }
}

const product = new Float64Array(9);
const rotation = new Float64Array(9);
const stretch = new Float64Array(9);
const rests = new Float64Array(3);
const wishes = new Float64Array(3);

/** Bone b by orthogonal Procrustes of its vertices, weighted w², against left/w. */
function moveBone({ left, v, skin, slots, motions: m }: Example, b: number): void {
  const { influences, weights } = skin;
  let mass = 0;
  let inertia = 0;
  product.fill(0);
  rests.fill(0);
  wishes.fill(0);
  for (const s of slots[b]) {
    const i = 3 * Math.floor(s / influences);
    const w = weights[s];
    mass += w * w;
    for (let r = 0; r < 3; r++) {
      const wish = w * left[i + r];
      rests[r] += w * w * v[i + r];
      wishes[r] += wish;
      inertia += w * w * v[i + r] * v[i + r];
      for (let c = 0; c < 3; c++) product[3 * r + c] += wish * v[i + c];
    }
  }
  if (!(mass > 0)) return; // no vertex follows it
  const aboutOrigin = inertia;
  for (let r = 0; r < 3; r++) inertia -= (rests[r] * rests[r]) / mass;
  // Vertices on one spot say nothing about a rotation: what is left of their inertia is rounding, and the bone's stays.
  const turns = inertia > NO_INERTIA * aboutOrigin;
  const o = MATRIX_STRIDE * b;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const held = m[o + 4 * r + c];
      if (turns) product[3 * r + c] += HOLD * inertia * held - (wishes[r] * rests[c]) / mass;
      else rotation[3 * r + c] = held;
    }
  }
  if (turns) polar3(rotation, stretch, product);
  for (let r = 0; r < 3; r++) {
    let t = wishes[r];
    for (let c = 0; c < 3; c++) {
      m[o + 4 * r + c] = rotation[3 * r + c];
      t -= rotation[3 * r + c] * rests[c];
    }
    m[o + 4 * r + 3] = t / mass;
  }
}
