import type { Comparison } from './looks.ts';

/**
 * What a garment is shown as: the mesh that is simulated, the garment embedded in it, and with folds; the fine simulation
 * if there is one.
 */
const CLOTH_CONTENTS = ['coarse', 'embedding', 'folds', 'truth'] as const;
export type ClothContent = (typeof CLOTH_CONTENTS)[number];

/** What levels of detail are shown as: a mesh, images, their distance from the original, and a crowd at all levels. */
const LEVEL_CONTENTS = ['level', 'image-level', 'level-error', 'crowd'] as const;
export type LevelContent = (typeof LEVEL_CONTENTS)[number];

/** What light is shown as: without shadows, by spheres, as baked, and traced. */
const LIGHT_CONTENTS = ['light-unshadowed', 'light-base', 'light-baked', 'light-traced'] as const;
export type LightContent = (typeof LIGHT_CONTENTS)[number];

/**
 * What a pane shows: the original, the fitted model, their difference, an overlay, a rig by another operator, a body with its
 * garment, a level, or light.
 */
export type PaneContent =
  | 'original'
  | 'fitted'
  | 'difference'
  | 'overlay'
  | 'beside'
  | ClothContent
  | LevelContent
  | LightContent;

export const isCloth = (shows: PaneContent): shows is ClothContent =>
  (CLOTH_CONTENTS as readonly PaneContent[]).includes(shows);

const isLevel = (shows: PaneContent): shows is LevelContent =>
  (LEVEL_CONTENTS as readonly PaneContent[]).includes(shows);

export const isLight = (shows: PaneContent): shows is LightContent =>
  (LIGHT_CONTENTS as readonly PaneContent[]).includes(shows);

/** Whether a pane shows something in place of the rigs. */
export const standsIn = (shows: PaneContent): shows is LevelContent | LightContent => isLevel(shows) || isLight(shows);

/** A part of the view, in fractions of its width and height from the upper left corner. */
export interface Pane {
  shows: PaneContent;
  left: number;
  top: number;
  width: number;
  height: number;
  /** The visible part across: a wipe hides the rest. */
  seen: readonly [from: number, to: number];
}

const SIDE: readonly PaneContent[] = ['original', 'fitted', 'difference'];
/** Width in CSS pixels below which the original is left out. */
const NARROW = 480;

/** How panes are arranged in a view of this size in CSS pixels. */
export const shapeOf = (width: number, height: number): ViewShape => ({
  upright: height > width,
  narrow: width < NARROW,
});
export interface ViewShape {
  /** Higher than wide: panes are stacked. */
  upright: boolean;
  /** Only the fitted model and the difference are side by side. */
  narrow: boolean;
}

/** All panes show the same things from the same place. */
export function panesOf(comparison: Comparison, wipe: number, shape: ViewShape): Pane[] {
  const whole = { left: 0, top: 0, width: 1, height: 1 };
  if (comparison === 'wipe') {
    return [
      { ...whole, shows: 'original', seen: [0, wipe] },
      { ...whole, shows: 'fitted', seen: [wipe, 1] },
    ];
  }
  if (comparison !== 'side') return [{ ...whole, shows: comparison, seen: [0, 1] }];
  return sideBySide(SIDE, shape);
}

/** One pane for each, in a row or a column; four in a square. Narrow views have a row, without the first of three. */
export function sideBySide(all: readonly PaneContent[], { upright, narrow }: ViewShape): Pane[] {
  const contents = narrow && all.length === 3 ? all.slice(1) : all;
  const columns = contents.length === 4 ? 2 : upright && !narrow ? 1 : contents.length;
  const [width, height] = [1 / columns, columns / contents.length];
  return contents.map((shows, at) => {
    const [left, top] = [(at % columns) * width, Math.floor(at / columns) * height];
    return { shows, left, top, width, height, seen: [left, left + width] };
  });
}

/** The pane for marks on the fitted surface: the one where errors are easiest to see. */
export const markedPane = (panes: readonly Pane[]): Pane => panes[panes.length - 1];

/** The pane at a place of the view (fractions from the upper left corner); outside all panes, the first. */
export const paneAt = (panes: readonly Pane[], x: number, y: number): Pane =>
  panes.find(({ seen, top, height }) => seen[0] <= x && x < seen[1] && top <= y && y < top + height) ?? panes[0];
