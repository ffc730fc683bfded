import { effect, type ReadonlySignal } from '@preact/signals-core';
import { useEffect } from 'preact/hooks';
import type { Viewport } from '../../viewport/viewport.ts';

/** What handles that lie over the view have in common. */

/** Calls `place` after each picture; there is a new one whenever what the handles are of changes. */
export function useDrawn(viewport: Viewport, of: ReadonlySignal<unknown>, place: () => void, deps: unknown[]): void {
  useEffect(() => {
    viewport.drawn.add(place);
    const stop = effect(() => {
      void of.value;
      viewport.invalidate();
    });
    return () => {
      stop();
      viewport.drawn.delete(place);
    };
  }, [viewport, ...deps]);
}

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
