import { LINEARIZE_OPTIONS } from '../../../../src/index.ts';
import { clipNames } from '../content/content.ts';
import type { Doc } from '../doc.ts';
import { startJob } from '../jobs/start-job.ts';

/** Adds blend bones to the rigs and shows them. */
export async function startLinearize(doc: Doc): Promise<void> {
  const { rigs: models, linearizeOptions, linearized, blendBone } = doc.rig;
  const { operator = LINEARIZE_OPTIONS.operator.default } = linearizeOptions.value;
  const input = { asset: { models }, options: { ...linearizeOptions.value, measure: false } };
  const made = await doc.run('Linearizing', (onProgress) => startJob('linearize', input, onProgress));
  if (!made) return;
  const again = linearized.value !== undefined;
  if (again) doc.history.remember('linearizing again', linearized, blendBone, doc.operator);
  linearized.value = { models: made.models, rigs: made.parts.map(({ original }) => original), operator, made: true };
  blendBone.value = undefined;
  // Undo after the first run hides the blend bones; it does not remove them.
  if (again) doc.operator.value = 'linearized';
  else doc.setOperator('linearized');
}

/** Solves for the mix weights and shows the result. */
export async function startMix(doc: Doc): Promise<void> {
  const { clipsTogether } = doc.content;
  // Clips that play at once are those of the file once more.
  const clips = clipsTogether === undefined ? [] : clipNames(doc.content).filter((name) => name !== clipsTogether);
  const input = { asset: { models: doc.rig.rigs }, options: { clips } };
  const made = await doc.run('Solving the mix', (onProgress) => startJob('mix', input, onProgress));
  if (!made) return;
  const { models, parts } = made;
  // Parts with nothing to mix stay as they are.
  doc.rig.mixed.value = models.some(({ mixWeights }) => mixWeights) ? models : parts.map(({ model }) => model);
  doc.setOperator('mix');
}
