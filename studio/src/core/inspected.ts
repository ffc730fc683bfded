import { boneCount } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import type { Content } from './content.ts';
import type { Doc } from './doc.ts';
import type { FitEntry } from './fit-results.ts';

/** The models whose skin is looked at: those of the result that is selected, or of the file. They share one skeleton. */
export function inspectedModels(doc: Doc): readonly SkinnedModel[] {
  const fitted = doc.fit.value?.data.models;
  if (fitted) return fitted;
  const models = doc.models.value;
  const shown = models[doc.inspection.skin.value] ?? models[0];
  return models.filter(({ skeleton }) => skeleton === shown.skeleton);
}

/** The first model of each skeleton of the file, by its number. */
export const skinsOf = (doc: Doc): { name: string; at: number }[] =>
  doc.models.value
    .map(({ name, skeleton }, at) => ({ name, skeleton, at }))
    .filter(({ skeleton, at }) => doc.models.value.findIndex((model) => model.skeleton === skeleton) === at);

/** Where joints are turned it is those of the first model: others are no longer looked at. */
export function lookAtTurned({ panel, inspection, joint, models }: Doc): void {
  if (panel.value !== 'rig') return;
  inspection.skin.value = 0;
  if (joint.value >= boneCount(models.value[0].skeleton)) joint.value = 0;
}

/** `Fitted, 30 bones`, with its number where there are several. */
export const resultName = (doc: Doc, { id, data }: FitEntry): string =>
  `${doc.fits.value.length > 1 ? `Result ${id}` : 'Fitted'}, ${data.bones} bones`;

/** Joints of the largest skeleton among what was opened and what was made of it. */
export function mostJoints({ content, fits, rig }: Doc): number {
  const made = [...fits.value.map(({ data }) => data.merged), ...(rig.linearized.value?.models ?? [])];
  return Math.max(1, ...[...content.models, ...content.motions, ...made].map(({ skeleton }) => boneCount(skeleton)));
}

/** A joint that is worth turning first: the first that has a parent. */
export const firstJoint = ({ models }: Content): number =>
  Math.max(0, models[0]?.skeleton.parents.findIndex((parent) => parent >= 0) ?? 0);
