import { type Signal, signal } from '@preact/signals-core';
import { startJob } from '../jobs/start-job.ts';
import { THUMB_NAMES, type Thumb, type ThumbName } from './thumb.ts';

/** Milliseconds before pictures are made: first the page itself. */
export const SOON = 700;

/** Frames of the samples, as far as they are made. */
export const thumbs: Signal<ReadonlyMap<ThumbName, readonly Thumb[]>> = signal(new Map());

/** Makes small pictures of the samples, one by one, until stopped. What was made stays. */
export function makeThumbs(): () => void {
  let stopped = false;
  let cancel = (): void => {};
  const work = async () => {
    for (const name of THUMB_NAMES.filter((each) => !thumbs.peek().has(each))) {
      if (stopped) return;
      const job = startJob('thumb', { name });
      cancel = job.cancel;
      thumbs.value = new Map([...thumbs.peek(), [name, await job.result]]);
    }
  };
  // Samples can be opened without a picture.
  work().catch(() => {});
  return () => {
    stopped = true;
    cancel();
  };
}
