import { useLayoutEffect, useRef } from 'preact/hooks';
import './divider.css';

const KEY = 'pliant-size-';
/** CSS pixels by which a key moves it. */
const STEP = 16;

/**
 * A border to drag, by pointer or arrow keys; a double click puts it back. It sets the CSS variable `--<size>` of the page, in
 * pixels, which the browser remembers.
 */
export function Divider(props: {
  size: string;
  label: string;
  /** Whether it lies across: what it resizes is below it. Otherwise that is on its right. */
  across?: boolean;
  /** Selector of what it resizes. */
  of: string;
  least: number;
  most: number;
}) {
  const { size, label, across = false, of, least, most } = props;
  const { style } = document.documentElement;
  /** Size and place where a drag began. */
  const begun = useRef({ size: 0, place: 0 });
  const placeOf = ({ clientX, clientY }: PointerEvent) => (across ? clientY : clientX);
  const now = () => {
    const { width = least, height = least } = document.querySelector(of)?.getBoundingClientRect() ?? {};
    return Math.round(across ? height : width);
  };
  const set = (wanted: number) => {
    const room = across ? innerHeight : innerWidth;
    const value = Math.max(least, Math.min(most, room / 2, wanted));
    style.setProperty(`--${size}`, `${Math.round(value)}px`);
  };
  /** @param wanted undefined is as usual. */
  const keep = (element: HTMLElement, wanted?: number) => {
    if (wanted === undefined) style.removeProperty(`--${size}`);
    else set(wanted);
    element.ariaValueNow = String(now());
    try {
      if (wanted === undefined) localStorage.removeItem(KEY + size);
      else localStorage.setItem(KEY + size, element.ariaValueNow);
    } catch {
      // Without storage it lasts as long as the page.
    }
  };
  const separator = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    try {
      const kept = Number(localStorage.getItem(KEY + size));
      if (kept > 0) set(kept);
    } catch {
      // Without storage it is as usual.
    }
    separator.current!.ariaValueNow = String(now());
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      ref={separator}
      class={`divider ${across ? 'across' : ''}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={across ? 'horizontal' : 'vertical'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={least}
      title={`${label}: drag, or use the arrow keys`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { size: now(), place: placeOf(event) };
      }}
      onPointerMove={(event) => {
        if (event.buttons === 0) return;
        keep(event.currentTarget, begun.current.size + begun.current.place - placeOf(event));
      }}
      onDblClick={(event) => keep(event.currentTarget)}
      onKeyDown={(event) => {
        const [grow, shrink] = across ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
        const way = event.key === grow ? 1 : event.key === shrink ? -1 : 0;
        if (way === 0) return;
        keep(event.currentTarget, now() + way * STEP);
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
