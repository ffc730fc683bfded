import { PliantError } from './error.ts';
import { packData, unpackData } from './io/gltf/packed-data.ts';
import type { TileTask } from './kernels/tiles.ts';
import { LightScene } from './light/scene.ts';
import { TRACE_OPTIONS, type TraceOptions, tracedBytes, tracePose } from './light/traced-pose.ts';
import { integerOption, type OptionsOf, parseOptions } from './model/options.ts';
import { boneCount } from './model/skeleton.ts';
import { type SkinnedModel, validateModel } from './model/skinned-model.ts';
import type { PartPose } from './skin/choose-poses.ts';

/** A job of the task "light": one pose of those in the second blob. */
const JOB = {
  ...TRACE_OPTIONS,
  pose: integerOption(0, { min: 0, max: 1_000_000 }, 'which pose'),
} as const;

type LightJob = OptionsOf<typeof JOB>;

/** Rays that a tile may take: a day of one thread. */
const MOST_RAYS = 2 ** 38;

/** The models of a scene as a blob: all that posing them needs. */
export const packScene = (models: readonly SkinnedModel[]): Uint8Array =>
  packData(
    models.map(({ name, mesh, weights, skeleton, operator, mixWeights, morphs }) => ({
      name,
      mesh: { positions: mesh.positions, triangles: mesh.triangles, normals: mesh.normals, seams: mesh.seams },
      weights,
      skeleton: { ...skeleton, names: skeleton.names.map(() => '') },
      clips: [],
      operator,
      mixWeights,
      morphs: morphs?.map(({ positions }) => ({ name: '', positions })),
    })),
  );

/** Poses of a scene as a blob. */
export const packPoses = (poses: readonly (readonly PartPose[])[]): Uint8Array => packData(poses);

/** Traces the light on a scene in one pose. */
export const lightTile: TileTask<LightJob> = {
  inputs: { count: 2, maxBytes: 2 ** 31 },
  version: 2,

  check: (job) => parseOptions(JOB, job, 'light'),

  async open([sceneBytes, poseBytes]) {
    const models = unpackData(sceneBytes) as SkinnedModel[] | undefined;
    const poses = unpackData(poseBytes) as PartPose[][] | undefined;
    if (!Array.isArray(models) || !Array.isArray(poses)) throw badJob('the blobs are not a scene and its poses');
    for (const model of models) validateModel(model, 'light');
    const scene = new LightScene(models);
    return ({ pose, ...options }) => {
      const parts = poses[pose];
      if (!isPose(parts, models)) throw badJob(`pose ${pose} is not one of this scene`);
      if (scene.vertices * options.rays > MOST_RAYS) throw badJob(`${options.rays} rays are too many for this scene`);
      return tracedBytes(tracePose(scene, parts, options satisfies TraceOptions, pose));
    };
  },
};

const isPose = (parts: PartPose[] | undefined, models: readonly SkinnedModel[]): parts is PartPose[] =>
  Array.isArray(parts) &&
  parts.length === models.length &&
  parts.every(
    ({ transforms, morphWeights }, m) =>
      transforms instanceof Float32Array &&
      transforms.length === 12 * boneCount(models[m].skeleton) &&
      (morphWeights === undefined ||
        (morphWeights instanceof Float32Array && morphWeights.length === (models[m].morphs?.length ?? 0))),
  );

const badJob = (cause: string): PliantError => new PliantError('bad-option', 'light', cause);
