import { Vector3 } from 'three';
import { markedPane, type Pane } from '../core/view/panes.ts';
import type { Viewport } from './viewport.ts';

/** Pointer position on the canvas, in CSS pixels. */
export type Place = Pick<PointerEvent, 'pointerType' | 'offsetX' | 'offsetY'>;

/** The point found, and its position on the canvas in CSS pixels. */
export interface Found {
  index: number;
  x: number;
  y: number;
}

export interface NearestOptions {
  /** Maximum distance for a mouse in CSS pixels; doubled for touch. */
  grip: number;
  /** Panes that show the points [default: the pane with marks]. */
  panes?: readonly Pane[];
  /** Per point: 0 if it cannot be picked [default: all can]. */
  findable?: ArrayLike<number>;
}

/** The point (3 each) nearest to the pointer on the screen. */
export function nearestOnScreen(
  viewport: Viewport,
  positions: ArrayLike<number>,
  { pointerType, offsetX, offsetY }: Place,
  { grip, panes = [markedPane(viewport.panes)], findable }: NearestOptions,
): Found | undefined {
  let least = pointerType === 'touch' ? 2 * grip : grip;
  let found: Found | undefined;
  for (const pane of panes) {
    for (let index = 0; index < positions.length / 3; index++) {
      if (findable && !findable[index]) continue;
      const place = viewport.eye.project(new Vector3().fromArray(positions as number[], 3 * index), pane);
      const distance = place ? Math.hypot(place.x - offsetX, place.y - offsetY) : Infinity;
      if (!place || distance >= least) continue;
      least = distance;
      found = { index, ...place };
    }
  }
  return found;
}
