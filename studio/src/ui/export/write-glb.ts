import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import type { Jobs } from '../../worker/protocol.ts';

export type GlbWish = Partial<Jobs['glb']['input']> & Pick<Jobs['glb']['input'], 'models'>;

/** Resolves to undefined if cancelled or failed, which is reported. */
export function writeGlb(
  doc: Doc,
  { models, options = {}, predictor, fit }: GlbWish,
): Promise<Jobs['glb']['output'] | undefined> {
  const { files, notes, lost, clipsTogether } = doc.content;
  const input = { models, options, predictor, fit, opened: { files, notes, lost, clipsTogether } };
  return doc.run('Writing', (onProgress) => startJob('glb', input, onProgress));
}
