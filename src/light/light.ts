import { throwIfCancelled } from '../error.ts';
import { shCount } from '../math/spherical-harmonics.ts';
import type { LightModel, LightResidual } from '../model/light.ts';
import { lightHashes } from '../model/light-hashes.ts';
import { type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer } from '../model/report.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { bakePoses, MIXED_POSE } from './bake-poses.ts';
import type { BakedLight, TracePoses } from './baked-light.ts';
import { InsideFill } from './fill-inside.ts';
import { fitBase, fitBounces, type MakeFitEquations, type TracedSample } from './fit-base.ts';
import { LIGHT_OPTIONS, type LightOptions } from './light-options.ts';
import { bakeSamples } from './paper/bake-samples.ts';
import { requireNoBrdf } from './paper/brdf-options.ts';
import { storePoses } from './pose-features.ts';
import { PoseKernel } from './pose-kernel.ts';
import { requireLightable } from './require-lightable.ts';
import { ResidualFit } from './residual.ts';
import { LightScene } from './scene.ts';
import { SceneBase } from './scene-base.ts';
import { sceneSpheres, splitSpheres } from './scene-spheres.ts';
import type { TracedPose } from './traced-pose.ts';

/** How much a mixed pose counts against one of a clip where modes are chosen. */
const MIXED_SHARE = 0.25;
/** Poses that spheres are fitted to. */
const FITTED = 24;

/**
 * Light on models of one file, in any pose: spheres that stand for them, and what traced poses show beyond these. Never
 * more than a few traced poses are in memory, beside the modes that are made of them. `trace` and `equations` [default here]
 * say where the long work is done.
 */
export async function bakeLight(
  models: readonly SkinnedModel[],
  options: Partial<LightOptions>,
  trace: TracePoses,
  { equations, ...run }: RunOptions & { equations?: MakeFitEquations } = {},
): Promise<BakedLight> {
  const settings = resolveOptions(LIGHT_OPTIONS, options, 'bakeLight');
  const { method, order, bounces, albedo, rays, gloss, seed, directions } = settings;
  requireLightable(models, 'bakeLight');
  if (method === 'residual') requireNoBrdf(settings);
  else return bakeSamples(models, { ...settings, method }, trace, run);
  const report = emptyReport('bakeLight');
  const lap = lapTimer(report.seconds);
  const size = shCount(order);

  // (1) Where light is looked at, and what throws shadows.
  const scene = new LightScene(models);
  const poses = bakePoses(models, settings.poses, seed);
  let spheres = sceneSpheres(scene, settings.spheres);
  lap('spheres');

  // (2) Traced poses, one by one. The first ones move the spheres, and wait until that is done.
  const kernels = scene.parts.map(({ groups }, m) => {
    const stored = storePoses(
      groups,
      poses.map(({ parts }) => parts[m].transforms),
    );
    return { stored, kernel: new PoseKernel({ ...groups, poses: stored }) };
  });
  const diffuse = scene.parts.map(({ groups }) => new ResidualFit(groups, size));
  const visibility = gloss ? scene.parts.map(({ groups }) => new ResidualFit(groups, size)) : undefined;
  const filling = new InsideFill(scene.triangles, scene.vertices);
  const waiting: TracedSample[] = [];
  const fitted = Math.min(FITTED, poses.length);
  let bounceFactors: Float32Array = new Float32Array(0);
  let base: SceneBase | undefined;
  let done = 0;
  const add = (parts: readonly PartPose[], light: TracedPose) => {
    base ??= new SceneBase(scene, spheres, { order, directions, bounceFactors });
    const under = base.run(parts, light.visibility !== undefined);
    for (const [traced, plain, fits] of [
      [light.transfer, under.transfer, diffuse],
      [light.visibility, under.visibility, visibility],
    ] as const) {
      if (!traced || !plain || !fits) continue;
      const residual = traced.map((x, c) => x - plain[c]);
      filling.fill(residual, size, light.inside);
      scene.parts.forEach(({ firstVertex, groups: { groupOf } }, m) => {
        fits[m].add(residual.subarray(firstVertex * size, (firstVertex + groupOf.length) * size));
      });
    }
  };
  const parts = poses.map((pose) => pose.parts);
  for await (const light of trace(models, parts, settings, run)) {
    waiting.push({ parts: parts[done++], light });
    if (done < fitted) continue;
    if (done === fitted) {
      const before = performance.now();
      bounceFactors = fitBounces(scene, spheres, waiting, settings);
      if (settings.fit) {
        const fit = await fitBase(scene, spheres, waiting, { ...settings, bounceFactors }, run, equations);
        spheres = { ...spheres, spheres: fit.spheres };
        bounceFactors = fitBounces(scene, spheres, waiting, settings);
      }
      report.seconds.fit = (performance.now() - before) / 1000;
    }
    for (const each of waiting.splice(0)) add(each.parts, each.light);
    throwIfCancelled(run.signal, 'light');
  }
  lap('trace');
  report.seconds.trace -= report.seconds.fit ?? 0;

  // (3) Modes, and how they follow from poses.
  const own = splitSpheres(scene, spheres);
  const shares = poses.map(({ name }) => (name === MIXED_POSE ? MIXED_SHARE : 1));
  const lit = scene.parts.map(({ model, groups }, m): SkinnedModel => {
    const { stored, kernel } = kernels[m];
    const residual: LightResidual = {
      ...groups,
      poses: stored,
      diffuse: diffuse[m].finish(kernel, { modes: settings.modes, shares }),
      ...(visibility && { visibility: visibility[m].finish(kernel, { modes: settings.glossModes, shares }) }),
    };
    const light: LightModel = {
      order,
      bounces,
      albedo: [albedo, albedo, albedo],
      operator: model.operator,
      ...own[m],
      bounceFactors,
      residual,
      hashes: lightHashes(model),
      made: { clips: model.clips.map(({ name }) => name), poses: settings.poses, rays, seed },
    };
    return { ...model, light };
  });
  lap('modes');
  return { models: lit, poses, report };
}
