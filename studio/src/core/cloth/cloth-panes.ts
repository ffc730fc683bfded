import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import type { ClothContent } from '../view/panes.ts';

const SIDE: readonly ClothContent[] = ['coarse', 'embedding', 'folds'];

/** What is shown of the garment that is worn; undefined if there is none. */
export function clothPanes({ cloth, panel }: Doc): readonly ClothContent[] | undefined {
  if (cloth.state.value.kind !== 'on') return undefined;
  const { value: look } = cloth.look;
  // Elsewhere the garment is only worn.
  if (panel.value !== 'cloth') return ['folds'];
  return look === 'side' ? SIDE : [look];
}

export function clothPaneNames({ cloth }: Doc): Record<ClothContent, string> {
  const { value: state } = cloth.state;
  const { vertices = 0, coarseVertices = 0 } = state.kind === 'on' ? state.facts : {};
  return {
    coarse: `Simulated: ${plural(coarseVertices, 'vertex', 'vertices')}`,
    embedding: 'Embedded: no folds',
    folds: `With folds: ${plural(vertices, 'vertex', 'vertices')}`,
  };
}
