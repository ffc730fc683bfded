import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Viewport } from '../../viewport/viewport.ts';

/** By their numbers, as people name them. */
export const AXES = ['x', 'y', 'z'] as const;
export type Axis = (typeof AXES)[number];

/** What handles that lie over the view have in common. */

/**
 * Finds the place of `element` in each picture as it is drawn, by `place`, whose result puts it there when the picture is
 * seen; there is a new one whenever what the handles are of changes.
 */
export function useDrawn<T extends Element>(
  viewport: Viewport,
  element: RefObject<T | null>,
  of: ReadonlySignal<unknown>,
  place: (element: T) => () => void,
  deps: unknown[],
): void {
  useEffect(() => {
    // The reference is empty before the effect ends.
    const { current } = element;
    const drawn = () => place(current!);
    viewport.drawn.add(drawn);
    const stop = effect(() => {
      void of.value;
      viewport.invalidate();
    });
    return () => {
      stop();
      viewport.drawn.delete(drawn);
    };
  }, [viewport, ...deps]);
}

/** Out of sight until the camera sees what the handles are of. */
export function hide(svg: SVGSVGElement): void {
  svg.style.visibility = 'hidden';
}

/** How a part of SVG gets to a place of the view. */
export const moveTo = ({ x, y }: { x: number; y: number }): string => `translate(${x} ${y})`;

/** Follows a press on a handle until it is let go. */
export function follow(
  { currentTarget, pointerId }: PointerEvent & { currentTarget: SVGElement },
  move: (moved: PointerEvent) => void,
  drop: () => void,
): void {
  currentTarget.setPointerCapture(pointerId);
  currentTarget.addEventListener('pointermove', move);
  const end = () => {
    currentTarget.removeEventListener('pointermove', move);
    drop();
  };
  currentTarget.addEventListener('lostpointercapture', end, { once: true });
}
