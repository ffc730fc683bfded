import { followedBones } from '../../model/influences.ts';
import { LOCAL_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';

/** How much the scales along the axes of a bone may differ and still be one. */
const ONE_SCALE = 1e-4;

/**
 * The armature: the lowest bone above all that vertices follow, or the topmost of these. A bone that stretches, at rest or
 * in a clip, is passed over: blend bones below it would be sheared.
 */
export function skeletonRoot({ skeleton, weights, clips }: SkinnedModel): number {
  const { parents, restLocals } = skeleton;
  const followed = followedBones(weights);
  const below = Int32Array.from(parents, (_, j) => (followed.has(j) ? 1 : 0));
  for (let j = parents.length - 1; j >= 0; j--) if (parents[j] >= 0) below[parents[j]] += below[j];
  let root = below.lastIndexOf(followed.size);
  if (followed.has(root) && parents[root] >= 0) root = parents[root];
  const poses = [restLocals, ...clips.flatMap(({ locals }) => locals ?? [])];
  const stride = LOCAL_STRIDE * parents.length;
  const stretches = (j: number): boolean =>
    poses.some((locals) => {
      for (let at = LOCAL_STRIDE * j + 7; at < locals.length; at += stride) {
        const [x, y, z] = locals.subarray(at, at + 3);
        if (!(Math.max(Math.abs(x - y), Math.abs(y - z)) <= ONE_SCALE * x)) return true;
      }
      return false;
    });
  // A bone above that stretches shears all below it.
  for (let j = root; j >= 0; j = parents[j]) if (stretches(j)) root = parents[j];
  return root;
}
