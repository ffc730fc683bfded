import { foldMotion } from '../../../src/cloth/upsampler/compare.ts';
import type { MeshSequence } from '../../../src/index.ts';
import type { TrainedCloth } from '../../../src/model/trained-cloth.ts';
import { clothTrain } from '../../../src/verbs/cloth-train.ts';
import { asPair } from '../core/content/content.ts';
import type { JobTable } from './protocol.ts';
import { readFrames } from './read-frames.ts';

/** Learns folds, with a GLB of what was learned. */
export const clothTrainJob: JobTable['clothTrain'] = async ({ pairs, options }, run) => {
  const { result, file, report } = await clothTrain(pairs.map(asPair), { ...options, ...run, glb: {} });
  return { ...report.detail, cloth: result.cloth, file: file!, notes: report.notes };
};

/** The fine cloth on the coarse one of a pair: embedded, and with folds. */
export const clothPlayJob: JobTable['clothPlay'] = async ({ pair: data, cloth }, run) => {
  const pair = asPair(data);
  const frames = async (sequence: MeshSequence) => (await readFrames(sequence, run)).frames;
  const embedding = await frames(await foldMotion(pair, { name: 'embed', physics: 'off' }, run));
  const folds = await frames(await foldMotion(pair, { name: 'folds', ...wayOf(cloth) }, run));
  return { embedding, folds };
};

const wayOf = (cloth: TrainedCloth | undefined) =>
  cloth
    ? { physics: cloth.physics, ...(cloth.method !== 'embed' && { upsampler: cloth.upsampler }) }
    : { physics: 'alone' as const };
