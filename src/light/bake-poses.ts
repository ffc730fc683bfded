import { invert34, multiply34 } from '../math/matrix34.ts';
import { type Random, seededRandom } from '../math/rng.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { choosePoses, type PartPose, type Pose } from '../skin/choose-poses.ts';

/**
 * The poses that are traced. One half shows what the clips do, as far from each other as can be; the other half is mixed:
 * each limb as in some moment of some clip, regardless of the others. Clips rarely show an arm before the body together
 * with a raised leg; motions that were not baked do.
 */

/** The name of poses that are mixed. */
export const MIXED_POSE = 'mixed';

/** Moments of clips, per pose, that limbs are taken from; never more than `choosePoses` finds quickly. */
const POOL = 8;
const LARGEST_POOL = 1000;

/** `count` poses of models of one file, of the clips and mixed ones in turn: any first part of them is varied as well. */
export function bakePoses(models: readonly SkinnedModel[], count: number, seed: number): Pose[] {
  const shown = Math.ceil(count / 2);
  const pool = choosePoses(models, { poses: Math.min(LARGEST_POOL, POOL * shown), held: 0, seed }).poses;
  const limbs = limbsOf(models);
  const random = seededRandom(seed);
  // Without motion all poses of the pool are traced, and mixing them gives nothing new.
  const isStill = pool.length < 3;
  const poses: Pose[] = [];
  for (let p = 0; p < (isStill ? pool.length : count); p++) {
    const next = p % 2 === 0 || isStill ? pool[isStill ? p : p / 2] : undefined;
    poses.push(next ?? mixedPose(models, pool, limbs, random));
  }
  return poses;
}

/** Bones of a limb, a chain below a branching joint, in all models of the file. */
interface Limbs {
  count: number;
  /** Per model, B: bone → limb. */
  of: Uint32Array[];
}

function limbsOf(models: readonly SkinnedModel[]): Limbs {
  // Models of one file often share nodes, whose limbs must move alike.
  const keyOf = (m: number, j: number): string => {
    const { origin } = models[m];
    const node = j < 0 ? undefined : origin?.bones[j];
    return j < 0 ? 'none' : node === undefined ? `${m}:${j}` : `node ${node}`;
  };
  const children = new Map<string, Set<string>>();
  models.forEach(({ skeleton: { parents } }, m) => {
    parents.forEach((parent, j) => {
      const above = keyOf(m, parent);
      const known = children.get(above);
      if (known) known.add(keyOf(m, j));
      else children.set(above, new Set([keyOf(m, j)]));
    });
  });
  const limbOf = new Map<string, number>();
  let count = 0;
  const of = models.map(({ skeleton: { parents } }, m) =>
    Uint32Array.from(parents, (parent, j) => {
      const key = keyOf(m, j);
      const above = keyOf(m, parent);
      const isChain = parent >= 0 && children.get(above)!.size === 1;
      const limb = limbOf.get(key) ?? (isChain ? limbOf.get(above)! : count++);
      limbOf.set(key, limb);
      return limb;
    }),
  );
  return { count, of };
}

function mixedPose(models: readonly SkinnedModel[], pool: readonly Pose[], limbs: Limbs, random: Random): Pose {
  const moments = Array.from({ length: limbs.count }, () => pool[Math.floor(random() * pool.length)]);
  const base = pool[Math.floor(random() * pool.length)];
  const parts = models.map(({ skeleton: { parents } }, m): PartPose => {
    const transforms = new Float32Array(base.parts[m].transforms.length);
    const undo = new Float64Array(MATRIX_STRIDE);
    const step = new Float64Array(MATRIX_STRIDE);
    parents.forEach((parent, j) => {
      // A bone's matrix seen from its parent's is that of its local pose, between the two inverse bind matrices, which
      // do not depend on the pose: as it is in the limb's moment, on top of wherever the parent went.
      const from = moments[limbs.of[m][j]].parts[m].transforms;
      const at = MATRIX_STRIDE * j;
      if (parent < 0 || !invert34(undo, 0, from, MATRIX_STRIDE * parent)) {
        transforms.set(from.subarray(at, at + MATRIX_STRIDE), at);
        return;
      }
      multiply34(step, 0, undo, 0, from, at);
      multiply34(transforms, at, transforms, MATRIX_STRIDE * parent, step, 0);
    });
    const { morphWeights } = base.parts[m];
    return { transforms, ...(morphWeights && { morphWeights }) };
  });
  return { name: MIXED_POSE, time: 0, parts };
}
