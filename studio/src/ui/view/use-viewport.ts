import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Doc } from '../../core/doc.ts';
import { shapeOf, type ViewShape } from '../../core/view/panes.ts';
import { DocView, type Shown } from '../../viewport/doc-view.ts';
import { portrait } from '../../viewport/portrait.ts';
import { Viewport } from '../../viewport/viewport.ts';

interface Seen {
  /** undefined before the first, and without WebGL. */
  shown: Shown | undefined;
  shape: ViewShape;
  trouble: string | undefined;
  /** Whether the first picture is there. */
  drawn: boolean;
}

/** The viewport of a document, in `picture`, as large as `host`, while the component is mounted. */
export function useViewport(
  doc: Doc,
  dark: boolean,
  picture: RefObject<HTMLElement | null>,
  host: RefObject<HTMLElement | null>,
  onShown: (shown: Shown | undefined) => void,
): Seen {
  const [shown, setShown] = useState<Shown>();
  const [trouble, setTrouble] = useState<string>();
  const [drawn, setDrawn] = useState(false);
  const [shape, setShape] = useState<ViewShape>(() => shapeOf(Infinity, 0));
  useEffect(() => {
    let viewport: Viewport;
    try {
      viewport = new Viewport();
    } catch {
      setTrouble('The view needs WebGL 2, which this browser does not have.');
      return undefined;
    }
    hideUntilDrawn(viewport, () => setDrawn(true));
    picture.current!.append(viewport.canvas);
    const view = new DocView(doc, viewport);
    const camera = doc.camera.peek();
    if (camera) viewport.look(camera);
    viewport.onLook = (moved) => {
      doc.camera.value = moved;
    };
    doc.portrait = () => portrait(viewport);
    const stop = animate(doc, { viewport, view });
    const watch = new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect;
      viewport.resize(width, height);
      setShape(shapeOf(width, height));
    });
    watch.observe(host.current!);
    const now = { viewport, view };
    setShown(now);
    onShown(now);
    return () => {
      stop();
      doc.portrait = undefined;
      watch.disconnect();
      view.dispose();
      viewport.dispose();
      onShown(undefined);
    };
  }, [doc]);

  useEffect(() => {
    shown?.viewport.stage.setDark(dark);
    shown?.viewport.invalidate();
  }, [shown, dark]);
  return { shown, shape, trouble, drawn };
}

/** The canvas shows another document until this one is drawn. */
function hideUntilDrawn({ canvas, drawn }: Viewport, onDrawn: () => void): void {
  canvas.classList.add('stale');
  const fresh = () => () => {
    canvas.classList.remove('stale');
    drawn.delete(fresh);
    onDrawn();
  };
  drawn.add(fresh);
}

/** Maximum seconds that the motion advances between two frames, after the page was hidden or busy. */
const LONGEST = 0.25;

/** Plays and draws until stopped. Browsers request no frames while the page is hidden. */
function animate(doc: Doc, { viewport, view }: Shown): () => void {
  let last = performance.now();
  let busy = 0;
  let request = requestAnimationFrame(function step(now: number) {
    const began = performance.now();
    const seconds = Math.min(LONGEST, (now - last) / 1000);
    // The motion starts with the first picture.
    if (!viewport.canvas.classList.contains('stale')) doc.playback.advance(seconds);
    view.tick(seconds);
    last = now;
    viewport.animate(now, busy);
    busy = performance.now() - began;
    request = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(request);
}
