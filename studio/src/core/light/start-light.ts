import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';

/** Titles of the jobs. */
export const BAKING = 'Baking light';
const OPENING_SKY = 'Opening the environment';

/** Bakes light on the rigs, and shows it. */
export async function startBake(doc: Doc): Promise<void> {
  const { files, notes, lost, clipsTogether } = doc.content;
  const opened = { files, notes, lost, clipsTogether };
  const options = doc.light.options.peek();
  const made = await doc.run(BAKING, (onProgress) =>
    startJob('lightBake', { models: doc.rig.rigs, opened, options }, onProgress),
  );
  if (!made) return;
  doc.edit('baked light', doc.light.made, made);
  if (doc.light.look.peek() !== 'side') doc.light.look.value = 'baked';
}

/** Takes a map of surroundings as the light. Resolves to whether that went well. */
export async function openSky(doc: Doc, file: File): Promise<void> {
  const own = await doc.run(OPENING_SKY, (onProgress) => startJob('sky', { file }, onProgress));
  if (!own) return;
  const { light } = doc;
  doc.history.remember('surroundings', light.own, light.sky);
  light.own.value = own;
  light.sky.value = 'own';
  doc.panel.value = 'light';
}

/** Whether a file is a map of surroundings. */
export const isSky = (path: string): boolean => /\.(hdr|exr|pic)$/i.test(path);
