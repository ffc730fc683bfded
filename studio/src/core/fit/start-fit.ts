import { batch } from '@preact/signals-core';
import { MATRIX_STRIDE } from '../../../../src/index.ts';
import { plural } from '../../../../src/report/format.ts';
import { withMaterialsOf } from '../content/same-materials.ts';
import type { Doc } from '../doc.ts';
import { forgetting } from '../jobs/job.ts';
import { startJob } from '../jobs/start-job.ts';
import type { Studio } from '../studio.ts';
import { errorPercent } from './error-text.ts';

/** The title of the job. */
export const FITTING = 'Fitting';

/** Whether bones are being fitted. */
export const isFitting = ({ running }: Doc): boolean => running.value?.title === FITTING;

/** Fits bones to the motion. The result is added, selected, shown beside the original, and announced. */
export async function startFit(studio: Studio, doc: Doc, threads: number): Promise<void> {
  const options = doc.fitOptions.value;
  const { sequences } = doc.content;
  const input = { asset: { sequences }, options: { ...options, glb: {}, baseline: false }, threads };
  let started = 0;
  const made = await doc.run(FITTING, (onProgress) => {
    started = performance.now();
    const { firstFrame = 0, frameStep = 1, restFrame = -1 } = options;
    const job = startJob('fit', input, onProgress, (found) => {
      const count = found.transforms.length / (MATRIX_STRIDE * found.bones);
      const frames = Array.from({ length: count }, (_, p) => firstFrame + p * frameStep);
      doc.soFar.value = { ...found, panel: 'fit', operator: 'lbs', frames, restFrame };
    });
    return forgetting(job, doc.soFar);
  });
  if (!made) return;
  const seconds = (performance.now() - started) / 1000;
  const { result, models, file } = made;
  const { model: merged, fitted: _frames, ...found } = result;
  const parts = sequences.map(({ rest }) => rest);
  const data = { ...found, merged, models: withMaterialsOf(models, parts), bytes: file!.length };
  batch(() => {
    doc.addFit({ options, data, seconds });
    if (doc.comparison.value === 'original') doc.comparison.value = 'side';
  });
  // The document in front needs no name.
  const to = studio.doc.value === doc ? '' : ` to ${doc.content.name}`;
  studio.notices.say(`Fitted ${plural(data.bones, 'bone')}${to}: RMSE ${errorPercent(data.errors.rmsePercent)}`);
}
