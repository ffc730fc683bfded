import { followedBones } from '../../model/influences.ts';
import { LOCAL_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { type BlendSample, influencesOf } from './columns.ts';

/** How much the scales along the axes of a bone may differ and still be one. */
const ONE_SCALE = 1e-4;

/**
 * What each blend bone hangs from: the master that it follows most. Seen from there it turns by a part of what its joint
 * turns, so that players which average two clips come close to what it is between them; seen from the root it would go
 * straight through the body. Bones below one that stretches, at rest or in a clip, would be sheared: they hang from the
 * armature, or from what does not stretch above it; −1 where there is none.
 */
export function blendParents({ skeleton, weights, clips }: SkinnedModel, bones: readonly BlendSample[]): Int32Array {
  const poses = [skeleton.restLocals, ...clips.flatMap(({ locals }) => locals ?? [])];
  const sheared = shearedBones(skeleton, poses);
  let root = armature(skeleton, followedBones(weights));
  while (root >= 0 && sheared[root]) root = skeleton.parents[root];
  return Int32Array.from(bones, (bone) => {
    const [master] = influencesOf(bone).joints;
    return sheared[master] ? root : master;
  });
}

/** The lowest bone above all that vertices follow, or the topmost of these. */
function armature({ parents }: Skeleton, followed: ReadonlySet<number>): number {
  const below = Int32Array.from(parents, (_, j) => (followed.has(j) ? 1 : 0));
  for (let j = parents.length - 1; j >= 0; j--) if (parents[j] >= 0) below[parents[j]] += below[j];
  const root = below.lastIndexOf(followed.size);
  return followed.has(root) && parents[root] >= 0 ? parents[root] : root;
}

/** B: 1 for bones that stretch, or are below one that does. */
function shearedBones({ parents }: Skeleton, poses: readonly Float32Array[]): Uint8Array {
  const out = new Uint8Array(parents.length);
  for (const locals of poses) {
    for (let at = 0; at < locals.length; at += LOCAL_STRIDE) {
      const [x, y, z] = locals.subarray(at + 7, at + LOCAL_STRIDE);
      const isOne = Math.max(Math.abs(x - y), Math.abs(y - z)) <= ONE_SCALE * x;
      if (!isOne) out[(at / LOCAL_STRIDE) % parents.length] = 1;
    }
  }
  parents.forEach((parent, j) => {
    if (parent >= 0 && out[parent]) out[j] = 1;
  });
  return out;
}
