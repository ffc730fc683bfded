import type { Doc } from '../doc.ts';
import { OPERATORS } from './rig-operators.ts';

/** Two operators side by side; undefined if one is shown, or another panel is open. */
export function operatorPanes(doc: Doc): readonly ('original' | 'beside')[] | undefined {
  const { value: beside } = doc.rig.beside;
  const isShown = doc.panel.value === 'rig' && beside !== undefined && doc.rig.operators.value.includes(beside);
  return isShown && beside !== doc.operator.value ? ['original', 'beside'] : undefined;
}

/** What the panes show. */
export const operatorPaneNames = ({ rig, operator }: Doc): { original: string; beside: string } => ({
  original: OPERATORS[operator.value].text,
  beside: rig.beside.value ? OPERATORS[rig.beside.value].text : '',
});
