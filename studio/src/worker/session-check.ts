import {
  boneCount,
  FIT_OPTIONS,
  type SkinnedModel,
  triangleCount,
  validateClip,
  validateMesh,
  validateModel,
  validatePredictor,
  validateSkeleton,
  vertexCount,
} from '../../../src/index.ts';
import { validateLight } from '../../../src/model/light.ts';
import { firstNonFinite } from '../../../src/model/mesh.ts';
import { validateTrainedCloth } from '../../../src/model/trained-cloth.ts';
import type { Content, SequenceData } from '../core/content/content.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { labState } from '../core/lab/lab-state.ts';
import { type LevelsData, levelModels } from '../core/levels/levels-work.ts';
import { effectiveRig } from '../core/rig/effective-rig.ts';
import { array, type Check, fail, index, number, optional, optionsOf } from '../core/session/check.ts';
import type { SessionData, SessionDoc } from '../core/session/session.ts';
import { checkOfSchema, type Schema } from './schema-check.ts';
import schema from './session.schema.json' with { type: 'json' };

const form: Check = checkOfSchema(schema as Schema);

/**
 * Throws for a session that no studio has saved. Its form is that of the types; then come the checks of the nouns, and what
 * must agree between them. The page checks the small state of a document when it takes it over.
 */
export function checkSession(session: unknown): void {
  form(session, 'session');
  const { active, docs, lab, beforeLab } = session as SessionData;
  for (const [d, doc] of docs.entries()) checkDoc(doc, `document ${d + 1}`);
  optional(labState)(lab, 'lab');
  index(docs.length + (lab ? 1 : 0))(active, 'the tab in front');
  optional(index(docs.length + 1))(beforeLab, 'the place of the lab');
}

function checkDoc({ content, fits, learned, light, levels = {}, ...results }: SessionDoc, what: string): void {
  const { linearized, mixed, garment, trained } = results;
  checkContent(content, what);
  for (const data of Object.values(levels)) checkLevels(data, content.models.map(effectiveRig), what);
  if (light && light.lights.length !== content.models.length) fail(what, 'light of its rigs');
  content.models.forEach(({ mesh, skeleton }, m) => {
    if (light) validateLight(light.lights[m], vertexCount(mesh), boneCount(skeleton), 'session');
  });
  if (garment) validateMesh(garment.mesh, 'session');
  for (const cloth of [trained?.cloth, garment?.trained, ...(content.cloths ?? [])]) {
    if (cloth) validateTrainedCloth(cloth, 'session');
  }
  const { models, sequences } = content;
  for (const made of [linearized?.models, linearized?.rigs, mixed]) {
    for (const model of made ?? []) validateModel(model, 'session');
    if (made && !areMadeOf(made, models)) fail(what, 'rigs made of its own');
  }
  if (learned) {
    validateModel(learned.model, 'session');
    validatePredictor(learned.predictor, 'session');
    const size = sequences.reduce((sum, { rest }) => sum + rest.positions.length, 0);
    if (learned.predictor.mesh.positions.length !== size) fail(what, 'a predictor of its mesh');
  }
  for (const fit of fits) checkFit(fit, sequences, `${what}, result ${fit.id}`);
}

function checkContent({ meshes, sequences, models, motions, predictors, pairs = [] }: Content, what: string): void {
  for (const mesh of meshes) validateMesh(mesh, 'session');
  for (const model of models) validateModel(model, 'session');
  for (const predictor of predictors) validatePredictor(predictor, 'session');
  for (const { skeleton, clips } of motions) {
    validateSkeleton(skeleton, 'session');
    for (const clip of clips) validateClip(clip, boneCount(skeleton), 'session');
  }
  checkTogether(sequences, what);
  for (const { name, coarse, fine, repeat, body } of pairs) {
    const all = [coarse, fine, repeat, body?.sequence].filter((sequence) => sequence !== undefined);
    checkTogether(all, `${what}, ${name}`);
    const clip = body?.rig?.clip;
    if (clip) validateClip(clip, body.rig!.names.length, 'session');
  }
}

function checkLevels(data: LevelsData, rigs: readonly SkinnedModel[], what: string): void {
  const isWhole = data.parts.length > 0 && data.parts.every(({ length }) => length === rigs.length);
  if (!isWhole || data.figures.length !== data.parts.length) fail(what, 'levels of its rigs');
  for (const model of levelModels(rigs, data).slice(1).flat()) validateModel(model, 'session');
}

/** Sequences of one length. */
function checkTogether(sequences: readonly SequenceData[], what: string): void {
  for (const { rest, times, frames } of sequences) {
    validateMesh(rest, 'session');
    if (times.length === 0 || frames.length !== times.length * rest.positions.length)
      fail(what, 'as many frames as times');
    if (firstNonFinite(frames) >= 0) fail(what, 'finite positions');
    if (times.some((time, k) => !Number.isFinite(time) || (k > 0 && time <= times[k - 1])))
      fail(what, 'times that rise');
    if (times.length !== sequences[0].times.length) fail(what, 'parts of one length');
  }
}

/** Whether rigs have the vertices of those they were made of, and at least their bones. */
const areMadeOf = (made: readonly SkinnedModel[], models: readonly SkinnedModel[]): boolean =>
  made.length === models.length &&
  made.every(
    ({ mesh, skeleton }, p) =>
      mesh.positions.length === models[p].mesh.positions.length && boneCount(skeleton) >= boneCount(models[p].skeleton),
  );

function checkFit({ id, options, data }: FitEntry, sequences: readonly SequenceData[], what: string): void {
  number(1)(id, what);
  optionsOf(FIT_OPTIONS)(options, what);
  const { merged, models, proxies, regions } = data;
  for (const model of [merged, ...models]) validateModel(model, 'session');
  const same = (p: number) => models[p].mesh.positions.length === sequences[p].rest.positions.length;
  const fitting = models.length === sequences.length && models.length > 0;
  const begins = (options.firstFrame ?? 0) < (sequences[0]?.times.length ?? 0);
  if (!(fitting && begins && models.every(({ clips }, p) => clips.length > 0 && same(p))))
    fail(what, 'a model for each part that moves');
  const perVertex = optional(array(Int32Array, vertexCount(merged.mesh)));
  perVertex(regions, `${what}: regions`);
  perVertex(proxies?.clusterOf, `${what}: clusters`);
  optional(array(Int32Array, triangleCount(merged.mesh)))(proxies?.facetRegions, `${what}: regions of faces`);
}
