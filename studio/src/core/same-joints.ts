import { LOCAL_STRIDE, type Skeleton } from '../../../src/model/skeleton.ts';

/**
 * B: for each bone of a skeleton the one of `other` that is the same node of the file, −1 where there is none. A file is
 * read into a skeleton for each part, although parts may hang on the same nodes: those have one name, one rest pose and
 * parents that are the same.
 */
export function sameJoints(skeleton: Skeleton, other: Skeleton): Int32Array {
  if (skeleton === other) return Int32Array.from(other.parents.keys());
  const keyOf = ({ names, restLocals }: Skeleton, j: number, parent: number): string =>
    [parent, ...restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1)), names[j]].join(' ');
  const known = new Map(Array.from(other.parents, (parent, j) => [keyOf(other, j, parent), j]));
  const same = new Int32Array(skeleton.parents.length).fill(-1);
  skeleton.parents.forEach((parent, j) => {
    if (parent >= 0 && same[parent] < 0) return;
    same[j] = known.get(keyOf(skeleton, j, parent < 0 ? -1 : same[parent])) ?? -1;
  });
  return same;
}
