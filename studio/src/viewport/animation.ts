import type { Doc } from '../core/doc.ts';
import type { Viewport } from './viewport.ts';

/** Seconds that a motion goes on by at most between two pictures: it waits for a page that was hidden or busy. */
const LONGEST = 0.25;

/** Time goes on and pictures are drawn until it is stopped. Browsers ask for none while the page is hidden. */
export function animate(doc: Doc, viewport: Viewport): () => void {
  let last = performance.now();
  let busy = 0;
  let request = requestAnimationFrame(function step(now: number) {
    const began = performance.now();
    doc.playback.advance(Math.min(LONGEST, (now - last) / 1000));
    last = now;
    viewport.animate(now, busy);
    busy = performance.now() - began;
    request = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(request);
}
