import { boneCount, type Skeleton } from '../../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Content } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import type { FitEntry } from '../fit/fit-results.ts';
import { type JointTree, jointTree } from '../rig/joint-tree.ts';

/** The models whose skin is looked at: those of the result that is selected, or of the file. */
export const inspectedModels = (doc: Doc): readonly SkinnedModel[] => doc.fit.value?.data.models ?? doc.models.value;

/** Their joints; those of what only moves where there is no skin. */
export function inspectedJoints({ fit, rig, operator, content }: Doc): JointTree {
  if (fit.value) return treeOf(fit.value.data.models);
  return content.models.length > 0 ? rig.jointsFor(operator.value) : treeOf(content.motions);
}

/** The joints of what stays as it is. */
function treeOf(of: readonly { skeleton: Skeleton }[]): JointTree {
  const tree = trees.get(of) ?? jointTree(of.map(({ skeleton }) => skeleton));
  trees.set(of, tree);
  return tree;
}
const trees = new WeakMap<object, JointTree>();

/** Lets go of a joint that is not there: one that is turned is a joint of the rigs, one that is painted of what is inspected. */
export function lookAtOwnJoint(doc: Doc): void {
  const { panel, paint, joint, rig } = doc;
  const turned = panel.value === 'rig';
  if (!turned && paint.value !== 'influence') return;
  const { names } = turned ? rig.joints.value : inspectedJoints(doc);
  if ((joint.value ?? 0) >= names.length) doc.letGo();
}

/** `Fitted, 30 bones`, with its number where there are several. */
export const resultName = (doc: Doc, { id, data }: FitEntry): string =>
  `${doc.fits.value.length > 1 ? `Result ${id}` : 'Fitted'}, ${plural(data.bones, 'bone')}`;

/** As many joints as the rigs have, what moves, or one of the results. */
export function mostJoints({ content, fits, rig }: Doc): number {
  const trees = [rig.jointsFor('linearized'), treeOf(content.motions)];
  const bones = fits.value.map(({ data }) => boneCount(data.merged.skeleton));
  return Math.max(1, ...trees.map(({ names }) => names.length), ...bones);
}

/**
 * A joint that is worth turning first: the first that hangs on another and that vertices follow. Bones that were fitted
 * hang on nothing, and none is worth more than the others: there a person picks one.
 */
export function firstJoint({ models }: Content): number | undefined {
  if (models.length === 0) return undefined;
  const [{ skeleton, weights }] = models;
  const followed = new Set(weights.joints.filter((_, slot) => weights.weights[slot] > 0));
  const first = skeleton.parents.findIndex((parent, j) => parent >= 0 && followed.has(j));
  return first < 0 ? undefined : first;
}
