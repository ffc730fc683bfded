import type { SkinnedModel } from '../../../../src/index.ts';
import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import { errorPercent } from '../fit/error-text.ts';
import { OPERATORS, type RigOperator } from './rig-operators.ts';

/** Rigs by one operator. */
export interface ShownRigs {
  operator: RigOperator;
  models: readonly SkinnedModel[];
}

/** What is beside the chosen operator: another one, or what linearizing has found so far. */
export function besideOf({ rig, operator }: Doc): ShownRigs {
  if (rig.soFar.value) return { operator: 'linearized', models: rig.soFar.value.models };
  const { value: beside = operator.value } = rig.beside;
  return { operator: beside, models: rig.modelsFor(beside) };
}

/** Two operators side by side; undefined if one is shown, or another panel is open. */
export function operatorPanes({ panel, rig, operator }: Doc): readonly ('original' | 'beside')[] | undefined {
  const { value: beside } = rig.beside;
  const another = beside !== undefined && beside !== operator.value && rig.operators.value.includes(beside);
  return panel.value === 'rig' && (rig.soFar.value || another) ? ['original', 'beside'] : undefined;
}

/** What the panes show. */
export const operatorPaneNames = (doc: Doc): { original: string; beside: string } => ({
  original: OPERATORS[doc.operator.value].text,
  beside: soFarName(doc) ?? OPERATORS[besideOf(doc).operator].text,
});

function soFarName({ rig }: Doc): string | undefined {
  const found = rig.soFar.value;
  if (!found) return undefined;
  // The errors of several parts do not add up.
  const error =
    found.errors.length === 1 && found.models.length === 1 ? `, error ${errorPercent(found.errors[0])}` : '';
  return `So far: ${plural(found.blendBones, 'blend bone')}${error}`;
}
