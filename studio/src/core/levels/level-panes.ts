import { plural } from '../../../../src/report/format.ts';
import type { Doc } from '../doc.ts';
import { roundTop } from '../paint/frame-errors.ts';
import type { LevelContent } from '../view/panes.ts';
import type { LevelKind, LevelsWork } from './levels-work.ts';

/** The pane of each kind of levels. */
export const LEVEL_PANES = { meshes: 'level', images: 'image-level' } as const satisfies Record<
  LevelKind,
  LevelContent
>;

/** The kind that is shown where there is room for one: the listed one, if it was made. */
export function shownKind({ kind, kinds }: LevelsWork): LevelKind | undefined {
  return kinds.value.includes(kind.value) ? kind.value : kinds.value[0];
}

/** A crowd is of meshes where there are some: they need fewer triangles for the same error. */
export const crowdKind = ({ kinds }: LevelsWork): LevelKind | undefined => kinds.value[0];

/** What is shown of levels; undefined if there are none, or another panel is open. */
export function levelPanes(doc: Doc): readonly ('original' | LevelContent)[] | undefined {
  const { levels } = doc;
  const kind = shownKind(levels);
  if (doc.panel.value !== 'levels' || !kind) return undefined;
  if (levels.look.value === 'crowd') return ['crowd'];
  if (levels.look.value === 'level') return [LEVEL_PANES[kind]];
  return ['original', ...levels.kinds.value.map((each) => LEVEL_PANES[each]), 'level-error'];
}

/** The end of the scale of distances: few vertices are farther away. The largest is often that of a single place. */
export function levelTop(levels: LevelsWork): number {
  const kind = shownKind(levels);
  const level = kind ? Math.max(1, levels.shown[kind].value) : 1;
  return roundTop(4 * ((kind && levels.made.value[kind]?.figures[level - 1]?.rmsPercent) ?? 0));
}

export function levelPaneNames({ levels }: Doc): Record<LevelContent, string> {
  const name = (kind: LevelKind, of: string): string => {
    const made = levels.made.value[kind];
    const level = levels.shown[kind].value;
    const triangles = level === 0 ? made?.original.triangles : made?.figures[level - 1]?.triangles;
    return `${level === 0 ? 'Original' : `${of} ${level}`}: ${plural(triangles ?? 0, 'triangle')}`;
  };
  const isOfImages = levels.kinds.value.length > 1 && shownKind(levels) === 'images';
  return {
    level: name('meshes', 'Level'),
    'image-level': name('images', 'Images'),
    'level-error': isOfImages ? 'Distance of the images' : 'Distance from the original',
    crowd: 'Crowd',
  };
}
