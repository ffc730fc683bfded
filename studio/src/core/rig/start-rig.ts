import { LINEARIZE_OPTIONS, type LinearizeSoFar, type SkinnedModel } from '../../../../src/index.ts';
import { placeAtRest } from '../../../../src/rig/place-at-rest.ts';
import { clipNames } from '../content/content.ts';
import { withMaterialsOf } from '../content/same-materials.ts';
import type { Doc } from '../doc.ts';
import { forgetting } from '../jobs/job.ts';
import { startJob } from '../jobs/start-job.ts';
import { linearizeOutcome, mixOutcome } from './outcomes.ts';
import type { LinearizedSoFar } from './rig-work.ts';

/** Adds blend bones to the rigs and shows them. */
export async function startLinearize(doc: Doc): Promise<void> {
  const { rigs: models, linearizeOptions, linearized, blendBone } = doc.rig;
  const { operator = LINEARIZE_OPTIONS.operator.default } = linearizeOptions.value;
  const input = { asset: { models }, options: { ...linearizeOptions.value, measure: false } };
  const made = await doc.run('Linearizing', (onProgress) => {
    const job = startJob('linearize', input, onProgress, (found) => {
      doc.rig.soFar.value = soFarOf(models, found);
    });
    return forgetting(job, doc.rig.soFar);
  });
  if (!made) return;
  const { report } = made;
  doc.rig.outcomes.value = { ...doc.rig.outcomes.value, linearize: linearizeOutcome(report) };
  const again = linearized.value !== undefined;
  if (again) doc.history.remember('linearizing again', linearized, blendBone, doc.operator);
  const meshes = models.map(({ mesh }) => mesh);
  const rigs = withMaterialsOf(
    made.parts.map(({ original }) => original),
    meshes,
  );
  linearized.value = { models: withMaterialsOf(made.models, meshes), rigs, operator, made: true };
  blendBone.value = undefined;
  // Undo after the first run hides the blend bones; it does not remove them.
  if (again) doc.operator.value = 'linearized';
  else doc.setOperator('linearized');
}

/** Rigs with what was found of some of them; those that gain nothing stay as they are. */
const soFarOf = (rigs: readonly SkinnedModel[], found: readonly LinearizeSoFar[]): LinearizedSoFar => ({
  models: rigs.map((rig, p) =>
    found[p]?.model.blendBones ? { ...placeAtRest(rig).model, ...found[p].model, operator: 'lbs' } : rig,
  ),
  blendBones: found.reduce((sum, { model }) => sum + (model.blendBones?.bones.length ?? 0), 0),
  errors: found.map(({ envelopingErrorPercent }) => envelopingErrorPercent),
});

/** Solves for the mix weights and shows the result. */
export async function startMix(doc: Doc): Promise<void> {
  const { clipsTogether } = doc.content;
  // Clips that play at once are those of the file once more.
  const clips = clipsTogether === undefined ? [] : clipNames(doc.content).filter((name) => name !== clipsTogether);
  const input = { asset: { models: doc.rig.rigs }, options: { clips } };
  const made = await doc.run('Solving the mix', (onProgress) => startJob('mix', input, onProgress));
  if (!made) return;
  const { parts, report } = made;
  const meshes = doc.rig.rigs.map(({ mesh }) => mesh);
  const models = withMaterialsOf(made.models, meshes);
  doc.rig.outcomes.value = { ...doc.rig.outcomes.value, mix: mixOutcome(report) };
  // Parts with nothing to mix stay as they are.
  doc.rig.mixed.value = models.some(({ mixWeights }) => mixWeights)
    ? models
    : withMaterialsOf(
        parts.map(({ model }) => model),
        meshes,
      );
  doc.setOperator('mix');
}
