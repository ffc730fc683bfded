import {
  boneCount,
  type Clip,
  FIT_OPTIONS,
  type Mesh,
  type Note,
  noteText,
  SKIN_OPERATORS,
  type Skeleton,
  type SkinnedModel,
  triangleCount,
  validateClip,
  validateMesh,
  validateModel,
  validatePredictor,
  validateSkeleton,
  vertexCount,
} from '../../../src/index.ts';
import { firstNonFinite } from '../../../src/model/mesh.ts';
import { BLEND_OPERATORS } from '../../../src/model/skinned-model.ts';
import type { SequenceData } from '../core/content/content.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import {
  all,
  array,
  type Check,
  fail,
  figure,
  flag,
  list,
  number,
  oneOf,
  optional,
  optionsOf,
  record,
  shape,
  text,
} from '../core/session/check.ts';
import type { SessionDoc } from '../core/session/session.ts';

/** The nouns, as a file from anywhere may claim to have them: first their form, then what their own checks say. */

const F32 = array(Float32Array);
const F64 = array(Float64Array);
const U32 = array(Uint32Array);
const U16 = array(Uint16Array);

const mesh: Check = all(
  shape({
    name: optional(text),
    positions: F32,
    triangles: U32,
    normals: optional(F32),
    uvs: optional(F32),
    seams: optional(shape({ vertexOf: U32, triangles: U32 })),
    groups: optional(list(shape({ name: text, start: number(), count: number(), material: optional(number()) }))),
    materials: optional(
      list(
        shape({
          name: text,
          baseColor: list(number(), 4),
          metallic: number(),
          roughness: number(),
          doubleSided: flag,
          alphaMode: optional(text),
          baseColorTexture: optional(shape({ mimeType: text, bytes: array(Uint8Array) })),
        }),
      ),
    ),
    space: optional(shape({ up: oneOf(['x', 'y', 'z']), metresPerUnit: number(0) })),
  }),
  (value) => validateMesh(value as Mesh, 'session'),
);

const skeleton: Check = all(
  shape({ names: list(text), parents: array(Int32Array), restLocals: F32, inverseBind: F32 }),
  (value) => validateSkeleton(value as Skeleton, 'session'),
);

const clips = list(
  shape({
    name: text,
    times: F64,
    transforms: F32,
    locals: optional(F32),
    morphWeights: optional(F32),
    frames: optional(U32),
  }),
);

const motion: Check = all(shape({ name: text, skeleton, clips }), (value) => {
  const found = value as { skeleton: Skeleton; clips: Clip[] };
  for (const clip of found.clips) validateClip(clip, boneCount(found.skeleton), 'session');
});

const model: Check = all(
  shape({
    name: text,
    mesh,
    weights: shape({ influences: number(1), joints: U16, weights: F32 }),
    skeleton,
    clips,
    operator: oneOf(SKIN_OPERATORS),
    mixWeights: optional(F32),
    morphs: optional(list(shape({ name: text, positions: F32 }))),
    blendBones: optional(
      shape({
        operator: oneOf(BLEND_OPERATORS),
        antipodality: flag,
        bones: list(shape({ bone: number(), masters: U16, weights: F32 })),
      }),
    ),
  }),
  (value) => validateModel(value as SkinnedModel, 'session'),
);

const predictor: Check = all(shape({ name: text, mesh }), (value) => void validatePredictor(value, 'session'));

const sequence: Check = all(shape({ name: text, rest: mesh, times: F64, frames: F32 }), (value, what) => {
  const { rest, times, frames } = value as SequenceData;
  if (times.length === 0 || frames.length !== times.length * rest.positions.length)
    fail(what, 'as many frames as times');
  if (firstNonFinite(frames) >= 0) fail(what, 'finite positions');
  if (times.some((time, k) => !Number.isFinite(time) || (k > 0 && time <= times[k - 1]))) fail(what, 'times that rise');
});

/** One that has a sentence. */
const note: Check = (value, what) => {
  try {
    noteText(value as Note);
  } catch {
    fail(what, 'a note');
  }
};

const report: Check = shape({
  operation: text,
  figures: record(optional(figure)),
  given: list(text),
  seconds: record(figure),
  iterations: optional(figure),
  converged: optional(flag),
  notes: list(note),
});

const errors: Check = shape({
  diagonal: number(0),
  rmsePercent: optional(figure),
  maxErrorPercent: optional(figure),
  distortionPercent: optional(figure),
  surfaceDistance: optional(shape({ absolute: figure, percent: figure })),
  perFrame: shape({
    rmsePercent: optional(F64),
    maxErrorPercent: optional(F64),
    surfaceDistancePercent: optional(F64),
    originalArea: F64,
    approximationArea: F64,
    originalVolume: F64,
    approximationVolume: F64,
  }),
  perVertex: optional(shape({ rmsePercent: F64 })),
});

const I32 = array(Int32Array);

/** What a result began with belongs to its mesh. */
const begun: Check = (value, what) => {
  const { merged, proxies, regions } = value as FitEntry['data'];
  optional(array(Int32Array, vertexCount(merged.mesh)))(regions, `${what}.regions`);
  if (!proxies) return;
  shape({ joints: I32, regionOf: I32 })(proxies, what);
  array(Int32Array, vertexCount(merged.mesh))(proxies.clusterOf, `${what}.clusterOf`);
  array(Int32Array, triangleCount(merged.mesh))(proxies.facetRegions, `${what}.facetRegions`);
};

const fit: Check = shape({
  id: number(1),
  options: optionsOf(FIT_OPTIONS),
  seconds: figure,
  data: all(
    shape({
      merged: model,
      models: list(model),
      errors,
      kind: text,
      bones: number(1),
      ended: text,
      converged: flag,
      inBetween: shape({ added: figure, before: figure, after: figure, tolerance: figure, nearest: figure }),
      report,
      bytes: number(0),
    }),
    begun,
  ),
});

const content: Check = shape({
  name: text,
  format: text,
  bytes: number(0),
  meshes: list(mesh),
  sequences: list(sequence),
  models: list(model),
  motions: list(motion),
  predictors: list(predictor),
  objects: list(shape({ path: text, kind: text, samples: number(), from: figure, to: figure, bytes: number() })),
  notes: list(note),
});

/** Everything of a document but its small state, which the page checks when it takes it over. */
export const sessionDoc: Check = all(
  shape({
    title: text,
    content,
    fits: list(fit),
    learned: optional(shape({ predictor, model, figures: record(optional(figure)) })),
    linearized: optional(
      shape({ models: list(model), rigs: list(model), operator: oneOf(BLEND_OPERATORS), made: flag }),
    ),
    mixed: optional(list(model)),
    state: record(() => {}),
  }),
  (value, what) => {
    const { content, fits, learned, linearized, mixed } = value as SessionDoc;
    const { models } = content;
    const alike = (made: SkinnedModel[]): boolean =>
      made.length === models.length &&
      made.every(
        ({ mesh, skeleton }, p) =>
          mesh.positions.length === models[p].mesh.positions.length &&
          boneCount(skeleton) >= boneCount(models[p].skeleton),
      );
    for (const made of [linearized?.models, linearized?.rigs, mixed]) {
      if (made && !alike(made)) fail(what, 'rigs made of its own');
    }
    const { sequences } = content;
    if (sequences.some(({ times }) => times.length !== sequences[0].times.length)) fail(what, 'parts of one length');
    const size = sequences.reduce((sum, { rest }) => sum + rest.positions.length, 0);
    if (learned && learned.predictor.mesh.positions.length !== size) fail(what, 'a predictor of its mesh');
    for (const { id, data, options } of fits) {
      const fitting = data.models.length === sequences.length && data.models.length > 0;
      const same = (p: number) => data.models[p].mesh.positions.length === sequences[p].rest.positions.length;
      const moving = data.models.every(({ clips }, p) => clips.length > 0 && same(p));
      const begins = (options.firstFrame ?? 0) < (sequences[0]?.times.length ?? 0);
      if (!(fitting && moving && begins)) fail(`${what}, result ${id}`, 'a model for each part that moves');
    }
  },
);
