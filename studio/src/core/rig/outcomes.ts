import type { LinearizeOutcome, MixOutcome } from '../../../../src/index.ts';
import { percent } from '../../../../src/report/format.ts';
import type { Crossing } from '../../worker/crossing.ts';
import { errorText } from '../fit/error-text.ts';

/** What a run has gained, in figures; and why, if that is nothing. */
export interface Outcome {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [name: string, ...values: string[]])[];
  nothing?: string;
}

/** Less than this part of the error gone is no gain. */
const LEAST_GAIN = 0.01;

export function linearizeOutcome({ figures }: Crossing<LinearizeOutcome>['report']): Outcome {
  const { envelopingErrorLbsPercent: before, envelopingErrorPercent: after, blendBones } = figures;
  const gained = before! > 0 ? 1 - after! / before! : 0;
  return {
    caption: 'Error over the training poses, % of the error of the rest pose',
    columns: ['error', 'blend bones'],
    rows: [
      ['LBS', errorText(before!), '0'],
      ['Linearized', errorText(after!), String(blendBones)],
    ],
    ...(gained < LEAST_GAIN && {
      nothing:
        before! > 0
          ? 'No gain: linear blending alone is already this close.'
          : 'No gain: in the training poses, linear blending and the chosen operator agree.',
    }),
  };
}

export function mixOutcome({ detail }: Crossing<MixOutcome>['report']): Outcome {
  const parts = detail.parts.filter(({ share }) => share > 0);
  const [part] = parts.toSorted((a, b) => b.solved.terms.energy - a.solved.terms.energy);
  if (!part) {
    return {
      ...{ caption: '', columns: [], rows: [] },
      nothing: 'No gain: in these clips, no joint bends enough for the operators to differ.',
    };
  }
  const { keeps, solved, rivals, share } = part;
  const others = rivals.filter(({ name }) => name === 'LBS' || name === 'DQS');
  const best = rivals.reduce((least, { terms }) => Math.min(least, terms.energy), Infinity);
  const text = (value: number | undefined) => (value === undefined ? '–' : errorText(value));
  return {
    caption: `Mean over the clips, %: error of the ${keeps}, and area gained where joints bulge. The operators differ on ${percent(100 * share)} of the surface.`,
    columns: [`${keeps}`, 'bulge'],
    rows: [...others, { ...solved, name: 'Mix' }].map(
      ({ name, totalErrorPercent, gainPercent }) => [name, text(totalErrorPercent), errorText(gainPercent)] as const,
    ),
    ...(solved.terms.energy > (1 - LEAST_GAIN) * best && {
      nothing: 'No gain: one operator for all vertices does as well here.',
    }),
  };
}
