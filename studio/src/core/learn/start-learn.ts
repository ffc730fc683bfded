import type { Signal } from '@preact/signals-core';
import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/job.ts';

/** Learns a predictor from the motion. */
export async function startLearn(doc: Doc): Promise<void> {
  const options = doc.learnOptions.value;
  const parts = doc.content.sequences;
  const data = await doc.run('Learning', (onProgress) => startJob('learn', { parts, options }, onProgress));
  if (!data) return;
  const { learned, learn, points, history } = doc;
  // Undo brings back the earlier predictor with its edits.
  const touched = [learned, points.held, learn.pins, learn.take] as Signal<unknown>[];
  if (doc.predictor.value) history.remember('learning again', ...touched);
  learned.value = data;
  learn.reset();
  points.reset(undefined);
}
