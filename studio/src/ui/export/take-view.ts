import { type ReadonlySignal, signal } from '@preact/signals-core';
import { throwIfCancelled } from '../../../../src/error.ts';
import type { RunOptions } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import type { Job } from '../../core/jobs/job.ts';
import type { FrameRange } from '../../core/view/frame-range.ts';
import { type ViewLabels, viewLabels } from '../../core/view/view-labels.ts';
import type { Shown } from '../../viewport/doc-view.ts';
import type { Viewport } from '../../viewport/viewport.ts';

/** Width and height in pixels; undefined is the size of the view. */
export const SIZES: Record<string, readonly [number, number] | undefined> = {
  'As shown': undefined,
  '1280 × 720': [1280, 720],
  '1920 × 1080': [1920, 1080],
  '1080 × 1080': [1080, 1080],
};

/** Settings of pictures and animations, shared by all documents. */
export const wanted = {
  size: signal('As shown'),
  labels: signal(true),
  background: signal(true),
  turntable: signal(false),
};

export const NO_VIEW = 'There is no view to capture.';

interface Found {
  file: Blob;
  ending: string;
}

type Make = (
  viewport: Viewport,
  shared: { width: number; height: number; labels?: () => ViewLabels },
  run: Required<RunOptions>,
) => Promise<Found>;

type ShownNow = ReadonlySignal<Shown | undefined>;

/** The view as a picture. Resolves to undefined if cancelled or failed, which is reported. */
export const takePicture = (doc: Doc, shown: ShownNow): Promise<Found | undefined> =>
  take(doc, shown, 'Drawing the picture', async (of, shared) => {
    const { picture } = await import('../../film/picture.ts');
    return { file: await picture(of, { ...shared, background: wanted.background.value }), ending: 'png' };
  });

/** The view as an animation. */
export const takeFilm = (doc: Doc, shown: ShownNow, frames: FrameRange): Promise<Found | undefined> =>
  take(doc, shown, 'Drawing the animation', async (of, shared, run) => {
    const { film } = await import('../../film/film.ts');
    return film(doc, of, { ...shared, frames, turntable: wanted.turntable.value }, run);
  });

function take(doc: Doc, shown: ShownNow, title: string, make: Make): Promise<Found | undefined> {
  const [asked, labelled] = [SIZES[wanted.size.value], wanted.labels.value];
  return doc.run(title, (onProgress): Job<Found> => {
    const controller = new AbortController();
    const run = {
      signal: controller.signal,
      onProgress: (done: number, total: number, label: string) => onProgress({ label, share: done / total }),
    };
    /** Uses the current view, which may be another one on a second try. */
    const takeIt = async (): Promise<Found> => {
      const now = shown.peek();
      if (!now) throw new Error(NO_VIEW);
      const { viewport, view } = now;
      const [width, height] = asked ?? [viewport.pixels.width, viewport.pixels.height];
      const shared = {
        width,
        height,
        labels: labelled ? () => ({ ...viewLabels(doc, view.painter), ring: view.ring }) : undefined,
      };
      const made = await make(viewport, shared, run);
      // The last step may not have checked.
      throwIfCancelled(controller.signal, title);
      return made;
    };
    return { result: takeIt(), cancel: () => controller.abort() };
  });
}
