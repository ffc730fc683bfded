import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';
import type { LevelKind } from './levels-work.ts';

/** Titles of the jobs. */
export const LEVEL_JOBS: Record<LevelKind, string> = { meshes: 'Making levels', images: 'Making geometry images' };

/** Makes levels of detail of the rigs, of the chosen kind, and shows them. */
export async function startLevels(doc: Doc): Promise<void> {
  const { files, notes, lost, clipsTogether } = doc.content;
  const kind = doc.levels.kind.peek();
  const options = { ...doc.levels.options[kind].peek(), ...(kind === 'images' && { images: true }) };
  const opened = { files, notes, lost, clipsTogether };
  const made = await doc.run(LEVEL_JOBS[kind], (onProgress) =>
    startJob('levels', { models: doc.rig.rigs, opened, options }, onProgress),
  );
  if (made) doc.levels.take(kind, made);
}
