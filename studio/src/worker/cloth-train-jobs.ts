import { foldMotion } from '../../../src/cloth/fold-motion.ts';
import { learnedOf } from '../../../src/cloth/trained-garment.ts';
import { clothTrain } from '../../../src/doors/cloth.ts';
import { asPair } from '../core/content/content.ts';
import type { JobTable } from './protocol.ts';
import { readFrames } from './read-frames.ts';

/** Learns folds, with a GLB of what was learned. */
export const clothTrainJob: JobTable['clothTrain'] = async ({ pairs, options }, run) => {
  const { result, file, report } = await clothTrain(pairs.map(asPair), { ...options, ...run, glb: {} });
  return { ...report.detail, cloth: result.cloth, file: file!, notes: report.notes };
};

/** The fine cloth on the coarse one of a pair: embedded, and with folds. */
export const clothPlayJob: JobTable['clothPlay'] = async ({ pair, cloth }, run) => {
  const { coarse, fine, body, pinned, thickness } = asPair(pair);
  const plain = { coarse: coarse.rest, fine: fine.rest, pinned: pinned?.fine, thickness };
  const framesOf = async (folded: typeof plain, physics: NonNullable<typeof cloth>['physics']) => {
    const { sequence } = await foldMotion(folded, { coarse, body }, { physics }, 'folding', run);
    return (await readFrames(sequence, run)).frames;
  };
  return {
    embedding: await framesOf(plain, 'off'),
    folds: await framesOf({ ...plain, ...(cloth && learnedOf(cloth)) }, cloth?.physics ?? 'alone'),
  };
};
