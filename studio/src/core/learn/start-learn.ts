import type { Doc } from '../doc.ts';
import { forgetting } from '../jobs/job.ts';
import { startJob } from '../jobs/start-job.ts';

/** Learns a predictor from the motion. */
export async function startLearn(doc: Doc): Promise<void> {
  const { sequences } = doc.content;
  const input = { asset: { sequences }, options: doc.learnOptions.value };
  const made = await doc.run('Learning', (onProgress) => {
    const job = startJob('learn', input, onProgress, (found) => {
      doc.soFar.value = { ...found, panel: 'learn', operator: 'dqs', restFrame: -1 };
    });
    return forgetting(job, doc.soFar);
  });
  if (!made) return;
  const { learned, learn, points, history } = doc;
  // Undo brings back the earlier predictor with its edits.
  if (doc.predictor.value) history.remember('learning again', learned, points.held, learn.pins, learn.take);
  const { predictor, models, report } = made;
  learned.value = { predictor, model: models[0], figures: report.figures };
  learn.reset();
  points.reset(undefined);
}
