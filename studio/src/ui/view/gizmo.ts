import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Viewport } from '../../viewport/viewport.ts';

/** Names of the axes by index. */
export const AXES = ['x', 'y', 'z'] as const;
export type Axis = (typeof AXES)[number];

/** Shared code of handles over the view. */

/**
 * Positions `element` over each frame: `place` is called when the frame is drawn, and the function it returns when the frame
 * is shown. A new frame is requested whenever `of` changes.
 */
export function useDrawn<T extends Element>(
  viewport: Viewport,
  element: RefObject<T | null>,
  of: ReadonlySignal<unknown>,
  place: (element: T) => () => void,
  deps: unknown[],
): void {
  useEffect(() => {
    // The ref is cleared before the cleanup runs.
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

/** Hidden until the camera sees the object of the handles. */
export function hide(svg: SVGSVGElement): void {
  svg.style.visibility = 'hidden';
}

/** SVG transform to a place of the view. */
export const moveTo = ({ x, y }: { x: number; y: number }): string => `translate(${x} ${y})`;

/** Follows a drag of a handle until release. */
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
