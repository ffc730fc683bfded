import { Vector3 } from 'three';
import { markedPane, type Pane } from '../core/view/panes.ts';
import type { Viewport } from './viewport.ts';

/** Where a pointer is on the canvas, in CSS pixels. */
export type Place = Pick<PointerEvent, 'pointerType' | 'offsetX' | 'offsetY'>;

/** Which point was found, and where it is on the canvas, in CSS pixels. */
export interface Found {
  index: number;
  x: number;
  y: number;
}

export interface NearestOptions {
  /** How near a mouse must come, in CSS pixels; a finger may be twice as far off. */
  grip: number;
  /** Where points are drawn; the pane with marks when absent. */
  panes?: readonly Pane[];
  /** Per point: 0 for one that cannot be found; all can when absent. */
  findable?: ArrayLike<number>;
}

/** Of points (3 each) the one that is seen nearest to a pointer. */
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
