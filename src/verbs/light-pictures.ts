import type { EnvironmentLight } from '../light/light-errors.ts';
import { LightErrors, turnedLights } from '../light/light-errors.ts';
import { type LightContender, lightContenders } from '../light/measure-light.ts';
import { LightScene } from '../light/scene.ts';
import { exposureOf, shownLight } from '../light/shown-light.ts';
import { TRACE_OPTIONS } from '../light/traced-pose.ts';
import { defaultsOf, type RunOptions } from '../model/options.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { Pose } from '../skin/choose-poses.ts';
import { type LightRun, traceWith } from './light-parts.ts';

/** Rigs in poses under a light, ready to be drawn. */

/** One pose: where everything is, and what is seen by each way of light. */
export interface LitPose {
  name: string;
  time: number;
  /** 3N. */
  positions: Float32Array;
  /** 3N. */
  normals: Float32Array;
  triangles: Uint32Array;
  up?: 'x' | 'y' | 'z';
  /** 3N linear RGB, and how far it is from traced light in % of what is seen. */
  shown: { by: LightContender | 'traced'; colours: Float32Array; errorPercent?: number }[];
}

/** How surfaces are shown. */
export interface LitPoseOptions extends Pick<LightRun, 'tiles'>, RunOptions {
  rays?: number;
  spheres?: number;
  seed?: number;
  /** Without it nothing is traced, and errors are not known. */
  traced?: boolean;
  /** The one way of light that is wanted [default all]. */
  only?: LitPose['shown'][number]['by'];
}

/** Albedo of the clay that is drawn. */
const CLAY = 0.8;

/** The poses by every way of light that the rigs have. */
export async function litPoses(...asked: Parameters<typeof eachLitPose>): Promise<LitPose[]> {
  const all: LitPose[] = [];
  for await (const lit of eachLitPose(...asked)) all.push(lit);
  return all;
}

/** The same one by one: no more than one is in memory. */
export async function* eachLitPose(
  models: readonly SkinnedModel[],
  poses: readonly Pose[],
  light: (order: number) => EnvironmentLight,
  { rays = 512, spheres = 64, seed = 1, traced = true, only, tiles, ...run }: LitPoseOptions = {},
): AsyncGenerator<LitPose> {
  const scene = new LightScene(models);
  const { order = 5, bounces = 2, albedo = [0.6] } = models[0].light ?? {};
  const sky = light(order);
  const albedoSeen = CLAY * exposureOf(sky);
  const named = lightContenders(scene, order, spheres).filter(([by]) => only === undefined || by === only);
  const turned = turnedLights([sky], order, models[0].mesh.space?.up);
  const options = { ...defaultsOf(TRACE_OPTIONS), order, bounces, albedo: albedo[0], rays, seed };
  const truths = traced
    ? traceWith(tiles)(
        models,
        poses.map(({ parts }) => parts),
        options,
        run,
      )
    : undefined;
  const truth = truths?.[Symbol.asyncIterator]();
  for (const pose of poses) {
    const next = await truth?.next();
    const known = next?.done ? undefined : next?.value;
    const { positions, normals, frames } = scene.pose(pose.parts);
    const lit: LitPose = {
      name: pose.name,
      time: pose.time,
      positions: positions.slice(),
      normals: normals.slice(),
      triangles: scene.triangles,
      up: models[0].mesh.space?.up,
      shown: [],
    };
    const at = {
      groupOf: scene.groupOf,
      frames: frames.slice(),
      inside: known?.inside ?? new Uint8Array(scene.vertices),
    };
    for (const [by, lightIn] of named) {
      const transfer = lightIn(pose);
      const errors = new LightErrors(turned, order);
      if (known) errors.add(transfer, known.transfer, at);
      lit.shown.push({
        by,
        colours: shownLight(scene, at, transfer, sky, albedoSeen),
        ...(known && { errorPercent: errors.shading }),
      });
    }
    if (known) lit.shown.push({ by: 'traced', colours: shownLight(scene, at, known.transfer, sky, albedoSeen) });
    yield lit;
  }
}
