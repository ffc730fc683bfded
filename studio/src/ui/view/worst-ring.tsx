import { useRef } from 'preact/hooks';
import type { Shown } from '../app.tsx';
import { useDrawn } from './gizmo.ts';

/** CSS pixels that a label needs beside what it names. */
const ROOM = 150;

/** Rings the worst place, with what it says, where the camera sees it. */
export function WorstRing({ view, viewport }: Shown) {
  const ring = useRef<HTMLDivElement>(null);
  useDrawn(viewport, ring, view.worst, (element) => ringPlace(element, { view, viewport }), [view]);
  return (
    <div class="ring" ref={ring} style={{ visibility: 'hidden' }}>
      <span />
    </div>
  );
}

function ringPlace(ring: HTMLElement, { view, viewport }: Shown): () => void {
  const worst = view.worst.peek();
  const place = worst && viewport.eye.project(worst.point);
  return () => {
    ring.style.visibility = place ? 'visible' : 'hidden';
    if (!place) return;
    ring.firstElementChild!.textContent = worst.text;
    ring.style.transform = `translate(${place.x}px, ${place.y}px)`;
    ring.classList.toggle('leftwards', place.x > viewport.canvas.clientWidth - ROOM);
  };
}
