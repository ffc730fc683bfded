import { LOCAL_STRIDE, type Skeleton, type SkinnedModel } from '../../../../src/index.ts';

/**
 * The joints of several parts. A file is read into one skeleton per part, although parts may share nodes: bones with the
 * same name, rest pose and parents are one joint here.
 */
export interface JointTree {
  /** One per joint; never empty. */
  names: readonly string[];
  /** Joint → its parent, which comes first; −1 for a root. */
  parents: Int32Array;
  /** Skeleton → the joint of each of its B bones. */
  jointsOf: ReadonlyMap<Skeleton, Int32Array>;
}

/** Joints are numbered in order of appearance: those of the first skeleton like its bones. */
export function jointTree(skeletons: Iterable<Skeleton>): JointTree {
  const names: string[] = [];
  const parents: number[] = [];
  const jointsOf = new Map<Skeleton, Int32Array>();
  const known = new Map<string, number>();
  for (const skeleton of skeletons) {
    if (jointsOf.has(skeleton)) continue;
    const joints = new Int32Array(skeleton.parents.length);
    const taken = new Set<number>();
    const find = (j: number, above: number): number => {
      const rest = skeleton.restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1)).join();
      // Bones of one skeleton are different joints, even if they look the same.
      for (let twin = 0; ; twin++) {
        const key = [above, rest, twin, skeleton.names[j]].join(' ');
        const joint = known.get(key) ?? names.length;
        if (taken.has(joint)) continue;
        known.set(key, joint);
        return joint;
      }
    };
    skeleton.parents.forEach((parent, j) => {
      const above = parent < 0 ? -1 : joints[parent];
      const joint = find(j, above);
      taken.add(joint);
      joints[j] = joint;
      if (joint < names.length) return;
      names.push(skeleton.names[j] || `joint ${joint}`);
      parents.push(above);
    });
    jointsOf.set(skeleton, joints);
  }
  return { names, parents: Int32Array.from(parents), jointsOf };
}

/** The bone of a skeleton for a joint, or −1. */
export const boneOf = ({ jointsOf }: JointTree, skeleton: Skeleton, joint: number): number =>
  jointsOf.get(skeleton)?.indexOf(joint) ?? -1;

/** Joints of models or motions, cached: these never change. */
export function treeOf(of: readonly { skeleton: Skeleton }[]): JointTree {
  const tree = trees.get(of) ?? jointTree(of.map(({ skeleton }) => skeleton));
  trees.set(of, tree);
  return tree;
}
const trees = new WeakMap<object, JointTree>();

/**
 * A joint that is worth turning first: the first that hangs on another and that vertices follow. Bones that were fitted
 * hang on nothing, and none is worth more than the others: there a person picks one.
 */
export function firstJoint(models: readonly SkinnedModel[]): number | undefined {
  if (models.length === 0) return undefined;
  const [{ skeleton, weights }] = models;
  const followed = new Set(weights.joints.filter((_, slot) => weights.weights[slot] > 0));
  const first = skeleton.parents.findIndex((parent, j) => parent >= 0 && followed.has(j));
  return first < 0 ? undefined : first;
}
