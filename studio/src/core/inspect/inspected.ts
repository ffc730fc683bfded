import type { SkinnedModel } from '../../../../src/index.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import type { FitEntry } from '../fit/fit-results.ts';
import { type JointTree, treeOf } from '../rig/joint-tree.ts';

/** The inspected models: those of the selected result, or of the file. */
export const inspectedModels = (doc: Doc): readonly SkinnedModel[] => doc.fit.value?.data.models ?? doc.models.value;

/** Their joints; those of the motions if there is no skin. */
export function inspectedJoints({ fit, rig, operator, content }: Doc): JointTree {
  if (fit.value) return treeOf(fit.value.data.models);
  return content.models.length > 0 ? rig.jointsFor(operator.value) : treeOf(content.motions);
}

/** Deselects a joint that does not exist: turned joints belong to the rigs, painted ones to the inspected models. */
export function lookAtOwnJoint(doc: Doc): void {
  const { paint, joint, rig } = doc;
  const turned = doc.turning.value;
  if (!turned && paint.value !== 'influence') return;
  const { names } = turned ? rig.joints.value : inspectedJoints(doc);
  if ((joint.value ?? 0) >= names.length) doc.letGo();
}

/** `Fitted, 30 bones`; `Result 2, 30 bones` if there are several. */
export const resultName = (doc: Doc, { id, data }: FitEntry): string =>
  `${doc.fits.value.length > 1 ? `Result ${id}` : 'Fitted'}, ${plural(data.bones, 'bone')}`;
