import { defaultsOf, integerOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { clipNames, clipPoses, type Pose } from '../skin/choose-poses.ts';
import type { TracePoses } from './baked-light.ts';
import { InsideFill } from './fill-inside.ts';
import { unshadowedLight } from './fit-base.ts';
import { type EnvironmentLight, LightErrors, turnedLights } from './light-errors.ts';
import { LIGHT_OPTIONS } from './light-options.ts';
import { LitScene } from './lit-scene.ts';
import { MOST_KEPT, methodPoses } from './paper/bake-samples.ts';
import { PoseSpace } from './pose-space.ts';
import { requireLightable } from './require-lightable.ts';
import { LightScene } from './scene.ts';
import { SceneBase } from './scene-base.ts';
import { sceneSpheres } from './scene-spheres.ts';
import { TRACE_OPTIONS } from './traced-pose.ts';

/** Options of `measureLight`. */
export const MEASURE_LIGHT_OPTIONS = {
  frames: integerOption(16, { min: 1, max: 1000 }, 'poses of each clip to measure'),
  rays: integerOption(1024, { min: 16, max: 65_536 }, 'rays per vertex and pose of what is measured by'),
  bounces: TRACE_OPTIONS.bounces,
  albedo: TRACE_OPTIONS.albedo,
  spheres: LIGHT_OPTIONS.spheres,
  seed: TRACE_OPTIONS.seed,
} as const;

/** How light is measured. */
export type MeasureLightOptions = OptionsOf<typeof MEASURE_LIGHT_OPTIONS>;

/** What is compared with traced light. */
export type LightContender = 'unshadowed' | 'base' | 'poseSpace' | 'baked';

/** Errors of one clip. */
export interface ClipLight {
  name: string;
  /** Whether poses of it were traced when the light was baked. */
  baked: boolean;
  times: number[];
  /** In % of what is seen; those that there are. */
  shading: Partial<Record<LightContender, number>>;
  transfer: Partial<Record<LightContender, number>>;
  /** Shading, pose by pose. */
  curves: Partial<Record<LightContender, number[]>>;
}

/**
 * Light without shadows, of spheres alone, as baked, and in pose space, against traced light, in poses of every clip, or of
 * those in `clips`.
 */
export async function measureLight(
  models: readonly SkinnedModel[],
  lights: (order: number) => EnvironmentLight[],
  options: Partial<MeasureLightOptions> & { clips?: readonly string[] },
  trace: TracePoses,
  run: RunOptions = {},
): Promise<{ clips: ClipLight[]; report: Report }> {
  const { frames, ...settings } = resolveOptions(MEASURE_LIGHT_OPTIONS, options, 'measureLight');
  requireLightable(models, 'measureLight');
  const report = emptyReport('measureLight');
  const lap = lapTimer(report.seconds);
  const scene = new LightScene(models);
  const isBaked = models.every(({ light }) => light);
  const { order = 5, made, bounces = settings.bounces, albedo = [settings.albedo] } = models[0].light ?? {};
  const tracing = { ...defaultsOf(TRACE_OPTIONS), ...settings, order, bounces, albedo: albedo[0], gloss: false };
  const turned = turnedLights(lights(order), order, models[0].mesh.space?.up);

  // (1) Contenders: what each gives in a pose.
  const space = isBaked && made ? await poseSpace(models, scene, { ...tracing, ...made }, made.clips, trace, run) : [];
  lap('pose space');
  const named = lightContenders(scene, order, settings.spheres);
  if (space.length > 0) named.push(['poseSpace', blendedSpace(scene, space, order)]);

  // (2) Every clip between its ends.
  const measured = clipNames(models).filter((name) => options.clips?.includes(name) ?? true);
  const poses = measured.map((name) => clipPoses(models, name, frames));
  const all = poses.flat();
  const traced = trace(
    models,
    all.map(({ parts }) => parts),
    tracing,
    run,
  )[Symbol.asyncIterator]();
  const clips: ClipLight[] = [];
  for (const own of poses) {
    const sums = new Map(named.map(([name]) => [name, new LightErrors(turned, order)]));
    const clip: ClipLight = {
      name: own[0].name,
      baked: isBaked && (made?.clips.includes(own[0].name) ?? false),
      times: own.map(({ time }) => time),
      shading: {},
      transfer: {},
      curves: Object.fromEntries(named.map(([name]) => [name, []])),
    };
    for (const pose of own) {
      const { value: truth, done } = await traced.next();
      if (done) break;
      for (const [name, valuesOf] of named) {
        const values = valuesOf(pose);
        const { frames: turns } = scene.pose(pose.parts);
        const at = { groupOf: scene.groupOf, frames: turns, inside: truth.inside };
        sums.get(name)!.add(values, truth.transfer, at);
        const alone = new LightErrors(turned, order);
        alone.add(values, truth.transfer, at);
        clip.curves[name]!.push(alone.shading);
      }
    }
    for (const [name, errors] of sums) {
      clip.shading[name] = errors.shading;
      clip.transfer[name] = errors.transfer;
    }
    clips.push(clip);
  }
  lap('measure');
  return { clips, report };
}

/** N × C: the light on a scene in a pose, in the frames of the bones. Overwritten by the next. */
type LightIn = (pose: Pose) => Float32Array;

/** What gives light without tracing, and how; `baked` where all models have light. */
export function lightContenders(scene: LightScene, order: number, spheres: number): [LightContender, LightIn][] {
  const base = new SceneBase(scene, sceneSpheres(scene, spheres), { order });
  const lit = scene.parts.every(({ model }) => model.light) ? new LitScene(scene) : undefined;
  return [
    ['unshadowed', ({ parts }) => unshadowedLight(scene, scene.pose(parts), order)],
    ['base', ({ parts }) => base.run(parts).transfer],
    ...(lit ? [['baked', ({ parts }: Pose) => lit.run(parts).transfer] as [LightContender, LightIn]] : []),
  ];
}

function blendedSpace(scene: LightScene, space: readonly PoseSpace[], order: number): LightIn {
  const blended = new Float32Array(scene.vertices * order * order);
  return ({ parts }) => {
    scene.parts.forEach(({ firstVertex, groups: { groupOf } }, m) => {
      const [from, to] = [firstVertex, firstVertex + groupOf.length].map((i) => i * order * order);
      space[m].run(parts[m].transforms, blended.subarray(from, to));
    });
    return blended;
  };
}

/** The poses that were baked, traced again and kept whole; nothing where they would take too much memory. */
async function poseSpace(
  models: readonly SkinnedModel[],
  scene: LightScene,
  options: Parameters<TracePoses>[2] & { poses: number },
  clips: readonly string[],
  trace: TracePoses,
  run: RunOptions,
): Promise<PoseSpace[]> {
  const size = options.order * options.order;
  if (scene.vertices * size * options.poses > MOST_KEPT) return [];
  const baked = models.map((model) => ({ ...model, clips: model.clips.filter(({ name }) => clips.includes(name)) }));
  const method = models[0].light?.samples?.method ?? 'residual';
  const poses = methodPoses(method, baked, options.poses, options.seed);
  const spaces = scene.parts.map(({ groups }) => new PoseSpace(groups));
  let p = 0;
  const filling = new InsideFill(scene.triangles, scene.vertices);
  for await (const { transfer, inside } of trace(
    models,
    poses.map(({ parts }) => parts),
    options,
    run,
  )) {
    filling.fill(transfer, size, inside);
    scene.parts.forEach(({ firstVertex, groups: { groupOf } }, m) => {
      const values = transfer.subarray(firstVertex * size, (firstVertex + groupOf.length) * size);
      spaces[m].add(poses[p].parts[m].transforms, values);
    });
    p++;
  }
  return spaces;
}
