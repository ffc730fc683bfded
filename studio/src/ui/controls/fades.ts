import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Marks which ends of a strip are cut. */
function markCuts({ classList, scrollLeft, scrollWidth, clientWidth }: Element): void {
  classList.toggle('cut-left', scrollLeft > 1);
  classList.toggle('cut-right', scrollLeft + clientWidth < scrollWidth - 1);
}

/**
 * For a strip of the class `fades`: its ends fade where they are cut, as a sign that it scrolls.
 *
 * @param deps When they change, or the strip its size, it is looked at again, after `resized`.
 */
export function useFades<T extends HTMLElement>(
  deps: readonly unknown[],
  resized: (strip: T) => void = () => {},
): { ref: RefObject<T | null>; onScroll(event: { currentTarget: T }): void } {
  const ref = useRef<T>(null);
  useEffect(() => {
    // The reference is empty before the effect ends.
    const strip = ref.current!;
    const watch = new ResizeObserver(() => {
      resized(strip);
      markCuts(strip);
    });
    watch.observe(strip);
    return () => watch.disconnect();
  }, deps);
  return { ref, onScroll: ({ currentTarget }) => markCuts(currentTarget) };
}
