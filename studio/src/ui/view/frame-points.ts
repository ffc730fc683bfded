import { useEffect, useRef } from 'preact/hooks';
import type { Predictor } from '../../../../src/index.ts';
import type { Shown } from '../../viewport/doc-view.ts';

/** CSS pixels from the edge of the view where a control point is still easy to take. */
const EDGE = 12;

/** Frames everything when control points appear outside the view. */
export function useFramedPoints(shown: Shown | undefined, driving: Predictor | undefined): void {
  /** null before the first view: a restored view keeps its camera. */
  const before = useRef<Predictor | undefined | null>(null);
  useEffect(() => {
    if (!shown) return undefined;
    const appear = before.current !== null && driving !== undefined && driving !== before.current;
    before.current = driving;
    if (!appear) return undefined;
    // After they are drawn.
    const { drawn } = shown.viewport;
    const look = () => () => {
      drawn.delete(look);
      if (!allSeen(shown)) shown.viewport.reset();
    };
    drawn.add(look);
    shown.viewport.invalidate();
    return () => {
      drawn.delete(look);
    };
  }, [shown, driving]);
}

function allSeen({ viewport, view }: Shown): boolean {
  const { clientWidth, clientHeight } = viewport.canvas;
  const { driven } = view;
  return !driven?.predictor.points.some((_, l) => {
    const place = viewport.eye.project(driven.place(l));
    if (!place) return true;
    const { x, y } = place;
    return Math.min(x, y, clientWidth - x, clientHeight - y) < EDGE;
  });
}
