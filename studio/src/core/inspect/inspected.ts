import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import type { FitEntry } from '../fit/fit-results.ts';
import { type JointTree, treeOf } from '../rig/joint-tree.ts';

/** The models whose skin is looked at: those of the result that is selected, or of the file. */
export const inspectedModels = (doc: Doc): readonly SkinnedModel[] => doc.fit.value?.data.models ?? doc.models.value;

/** Their joints; those of what only moves where there is no skin. */
export function inspectedJoints({ fit, rig, operator, content }: Doc): JointTree {
  if (fit.value) return treeOf(fit.value.data.models);
  return content.models.length > 0 ? rig.jointsFor(operator.value) : treeOf(content.motions);
}

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
