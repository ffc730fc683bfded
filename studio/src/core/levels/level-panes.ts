import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import { roundTop } from '../paint/frame-errors.ts';
import type { LevelContent } from '../view/panes.ts';
import type { LevelsWork } from './levels-work.ts';

/** What is shown of levels; undefined if there are none, or another panel is open. */
export function levelPanes(doc: Doc): readonly ('original' | LevelContent)[] | undefined {
  const { made, look } = doc.levels;
  if (doc.panel.value !== 'levels' || !made.value) return undefined;
  if (look.value === 'crowd') return ['crowd'];
  return look.value === 'side' ? ['original', 'level', 'level-error'] : ['level'];
}

/** The end of the scale of distances: few vertices are farther away. The largest is often that of a single place. */
export const levelTop = ({ made, shown }: LevelsWork): number =>
  roundTop(4 * (made.value?.figures[Math.max(1, shown.value) - 1]?.rmsPercent ?? 0));

export function levelPaneNames(doc: Doc): Record<LevelContent, string> {
  const { made, shown } = doc.levels;
  const { value: level } = shown;
  const triangles = level === 0 ? made.value?.original.triangles : made.value?.figures[level - 1]?.triangles;
  const name = level === 0 ? 'As given' : `Level ${level}`;
  return {
    level: `${name}: ${plural(triangles ?? 0, 'triangle')}`,
    'level-error': 'Distance from the original',
    crowd: 'Crowd',
  };
}
