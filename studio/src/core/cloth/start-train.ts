import type { PairData } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';

export const TRAINING = 'Training';

/** The pair of the motion that is shown. */
export const shownPair = ({ content: { pairs = [] }, clip }: Doc): PairData | undefined =>
  pairs.find(({ name }) => name === clip.value) ?? pairs[0];

/** Learns folds from the pairs. */
export async function startTrain(doc: Doc): Promise<void> {
  const { pairs = [] } = doc.content;
  const { options, trained } = doc.cloth.pairs;
  const input = { pairs, options: options.value };
  const made = await doc.run(TRAINING, (onProgress) => startJob('clothTrain', input, onProgress));
  if (!made) return;
  if (trained.peek()) doc.history.remember('training again', trained);
  trained.value = made;
  const { heldOutMotion } = made;
  if (pairs.some(({ name }) => name === heldOutMotion)) doc.clip.value = heldOutMotion;
  doc.cloth.look.value = 'side';
}

/** Makes the fine cloth of the motion that is shown. Tracks the signals that it reads. */
export function followPair(doc: Doc): void {
  const pair = shownPair(doc);
  if (!pair) return;
  const cloth = doc.cloth.pairs.trained.value?.cloth;
  // What the fine cloth was in truth is not needed.
  const { repeat: _, fine, ...rest } = pair;
  const { length } = fine.rest.positions;
  const still = { ...fine, times: fine.times.slice(0, 1), frames: fine.frames.slice(0, length) };
  doc.cloth.pairs
    .playedOf(pair.name)
    .begin((onProgress) => startJob('clothPlay', { pair: { ...rest, fine: still }, cloth }, onProgress));
}
