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
 * @param deps The strip is checked again, after `resized`, when these or its size change.
 */
export function useFades<T extends HTMLElement>(
  deps: readonly unknown[],
  resized: (strip: T) => void = () => {},
): { ref: RefObject<T | null>; onScroll(event: { currentTarget: T }): void } {
  const ref = useRef<T>(null);
  useEffect(() => {
    // The ref is cleared before the cleanup runs.
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
