import type { Doc } from '../../core/doc.ts';
import { startJob } from '../../core/jobs/start-job.ts';
import type { FileErrors } from '../../worker/file-errors.ts';

type GlbInput = Parameters<typeof startJob<'glb'>>[1];

export type GlbWish = Partial<GlbInput> & Pick<GlbInput, 'models'>;

/** Resolves to undefined if cancelled or failed, which is reported. */
export async function writeGlb(
  doc: Doc,
  { models, options = {}, predictor, fit }: GlbWish,
): Promise<{ file: Blob; errors?: FileErrors; unmeasured?: string } | undefined> {
  const input = { models, options, predictor, fit };
  const written = await doc.run('Writing', (onProgress) => startJob('glb', input, onProgress));
  if (!written) return undefined;
  const { bytes: content, ...found } = written;
  return { file: new Blob([content], { type: 'model/gltf-binary' }), ...found };
}
