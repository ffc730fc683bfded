import { useRef } from 'preact/hooks';
import type { Shown } from '../app.tsx';
import { useDrawn } from './gizmo.ts';

/** CSS pixels that a label needs beside what it names. */
const ROOM = 150;

/** Rings the worst place, with what it says, where the camera sees it. */
export function WorstRing({ view, viewport }: Shown) {
  const ring = useRef<HTMLDivElement>(null);
  const worst = view.worst.value;
  useDrawn(viewport, view.worst, () => ring.current && placeRing(ring.current, { view, viewport }), [view]);
  return (
    <div class="ring" ref={ring} hidden={!worst}>
      <span>{worst?.text}</span>
    </div>
  );
}

function placeRing(ring: HTMLElement, { view, viewport }: Shown): void {
  const worst = view.worst.peek();
  const place = worst && viewport.eye.project(worst.point);
  ring.style.visibility = place ? 'visible' : 'hidden';
  if (!place) return;
  ring.style.transform = `translate(${place.x}px, ${place.y}px)`;
  ring.classList.toggle('leftwards', place.x > viewport.canvas.clientWidth - ROOM);
}
