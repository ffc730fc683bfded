import { useRef } from 'preact/hooks';
import type { Shown } from '../../viewport/doc-view.ts';
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

function ringPlace({ style, classList, firstElementChild }: HTMLElement, { view, viewport }: Shown): () => void {
  const { ring } = view;
  return () => {
    style.visibility = ring ? 'visible' : 'hidden';
    if (!ring) return;
    firstElementChild!.textContent = ring.text;
    style.transform = `translate(${ring.x}px, ${ring.y}px)`;
    classList.toggle('leftwards', ring.x > viewport.canvas.clientWidth - ROOM);
  };
}
