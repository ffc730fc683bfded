import type { Figures } from '../../model/figures.ts';
import { type Note, note } from '../../model/note.ts';
import type { Clip } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { scaleNotes } from '../bone-stretch.ts';
import type { MixContender } from './contenders.ts';
import type { MixPose } from './pose-pairs.ts';
import type { TotalMeasure } from './total-measure.ts';

/** What the poses have that a mix does not see. */
export function leftOut(model: SkinnedModel, poses: readonly MixPose[], motions: readonly Clip[]): Note[] {
  const notes = scaleNotes(
    model,
    poses.map(({ transforms }) => transforms),
    (pose) => poses[pose].label,
  );
  if (motions.some(({ morphWeights }) => morphWeights?.some((w) => w !== 0))) {
    notes.push(note('morphs-ignored', {}, model.name));
  }
  return notes;
}

/** Of the solved mix. `share`: of the surface on which the operators differ, 0…1. */
export function figuresOf(
  { terms, totalErrorPercent, surfaceErrorPercent, localRms, gainPercent, inverted }: MixContender,
  share: number,
  kind: TotalMeasure['kind'] | undefined,
): Figures {
  return {
    differingAreaPercent: 100 * share,
    energy: terms.energy,
    ...(kind && { [`${kind}ErrorPercent` as const]: totalErrorPercent }),
    surfaceErrorPercent,
    localRms,
    bulgePercent: gainPercent,
    invertedFaces: inverted,
  };
}
