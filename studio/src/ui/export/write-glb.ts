import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import type { Jobs } from '../../worker/protocol.ts';

export type GlbWish = Partial<Jobs['glb']['input']> & Pick<Jobs['glb']['input'], 'models'>;

export type GlbWritten = Omit<Jobs['glb']['output'], 'bytes'> & { file: Blob };

/** Resolves to undefined if cancelled or failed, which is reported. */
export async function writeGlb(
  doc: Doc,
  { models, options = {}, predictor, fit, opened }: GlbWish,
): Promise<GlbWritten | undefined> {
  const input = { models, options, predictor, fit, opened };
  const written = await doc.run('Writing', (onProgress) => startJob('glb', input, onProgress));
  if (!written) return undefined;
  const { bytes: content, ...found } = written;
  return { file: new Blob([content], { type: 'model/gltf-binary' }), ...found };
}

/** For rigs of a document: what they were opened from, as plain data. */
export const openedAs = ({ content: { files, notes, clipsTogether } }: Doc): GlbWish['opened'] => ({
  files,
  notes,
  clipsTogether,
});
