import type { SkinnedModel } from '../../model/skinned-model.ts';
import { deformingJoints } from '../../skin/range-of-motion.ts';
import type { BlendSample } from './columns.ts';

/**
 * Mohr & Gleicher 2003, "Building efficient, accurate character skins from examples", as Kavan 2009, §2 and Figure 7
 * compare with it: at every joint one bone that turns half-way between the two bones it connects. Its weights are then
 * those of any blend bone.
 */
export function halfWayBones(model: SkinnedModel): BlendSample[] {
  const { parents } = model.skeleton;
  const pairs = overlappingPairs(model);
  return deformingJoints(model).flatMap((j): BlendSample[] => {
    // Bones that no vertex follows may stand between.
    for (let above = parents[j]; above >= 0; above = parents[above]) {
      if (pairs.has(key(above, j))) return [{ masters: [above, j], u: Float64Array.of(0.5, 0.5) }];
    }
    return [];
  });
}

const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** The pairs of bones that some vertex follows. */
function overlappingPairs({ weights: { joints, weights, influences } }: SkinnedModel): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i < joints.length; i += influences) {
    for (let s = i; s < i + influences && weights[s] > 0; s++) {
      for (let t = i; t < s; t++) pairs.add(key(joints[s], joints[t]));
    }
  }
  return pairs;
}
