import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';

/** Title of the job. */
export const LEVELS = 'Making levels';

/** Makes levels of detail of the rigs, and shows them. */
export async function startLevels(doc: Doc): Promise<void> {
  const { files, notes, lost, clipsTogether } = doc.content;
  const { rigs: models } = doc.rig;
  const opened = { files, notes, lost, clipsTogether };
  const made = await doc.run(LEVELS, (onProgress) =>
    startJob('levels', { models, opened, options: doc.levels.options.value }, onProgress),
  );
  if (!made) return;
  const { levels, ...rest } = made;
  // Materials stay those of the document: their pictures are there already.
  const coarser = levels.map((parts) =>
    parts.map((part, p) => ({ ...models[p], ...part, mesh: { ...models[p].mesh, ...part.mesh } })),
  );
  doc.levels.take({ ...rest, levels: [models, ...coarser] });
}
