import type { Studio } from '../studio.ts';
import { startFit } from './start-fit.ts';

/** What the example does, one after the other. */
export const STEPS = ['Open a motion', 'Fit bones to it', 'Save a small model'] as const;

/** Bones of the example. */
const BONES = 16;

/** A flag, from opening to saving: each step is said as it is taken. */
export async function workedExample(studio: Studio, threads: number): Promise<void> {
  const say = (step: number, more: string) =>
    studio.notices.say(`${step} of 3: ${STEPS[step - 1].toLowerCase()}. ${more}`);
  const doc = await studio.openSample('flag');
  if (!doc) return;
  say(1, 'A flag in the wind: every vertex moves by itself.');
  doc.panel.value = 'fit';
  doc.fitOptions.value = { bones: BONES, preset: 'fast' };
  await startFit(studio, doc, threads);
  if (doc.fits.value.length === 0) return;
  say(2, `${BONES} bones now move it. On the right: where it is off, and by how much.`);
  await new Promise((done) => setTimeout(done, 4000));
  if (studio.doc.value !== doc) return;
  doc.panel.value = 'export';
  say(3, 'Press GLB: any engine plays the file.');
}
