import { seededRandom } from '../math/rng.ts';
import { gatherRows } from '../math/rows.ts';
import { cosineLobe, shCount } from '../math/spherical-harmonics.ts';
import type { RunOptions } from '../model/options.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { LightBase } from './base.ts';
import { BounceFit } from './fit-bounces.ts';
import { fitSpheres, type MakeEquations, type SphereFit, type SphereSample } from './fit-spheres.ts';
import { poseSpheres } from './pose-spheres.ts';
import type { LightScene, PosedScene } from './scene.ts';
import { SceneBase } from './scene-base.ts';
import { joinedPose, type SceneSpheres } from './scene-spheres.ts';
import type { TracedPose } from './traced-pose.ts';

/** Vertices that are looked at in each pose; not the same ones. */
const WITNESSES = 200;

/** A pose that was traced. */
export interface TracedSample {
  parts: readonly PartPose[];
  light: TracedPose;
}

/** How bounces on a scene follow from direct light, by some traced poses of it. */
export function fitBounces(
  scene: LightScene,
  spheres: SceneSpheres,
  traced: readonly TracedSample[],
  options: { order: number; directions: number },
): Float32Array {
  const size = shCount(options.order);
  const base = new SceneBase(scene, spheres, { ...options, bounceFactors: null });
  const fit = new BounceFit(options.order);
  for (const { parts, light } of traced) {
    const direct = base.run(parts).transfer;
    const unshadowed = unshadowedLight(scene, scene.pose(parts), options.order);
    light.inside.forEach((isInside, i) => {
      if (!isInside) fit.add(unshadowed, direct, light.transfer, i * size);
    });
  }
  return fit.finish();
}

/** N × C: transfer where nothing casts a shadow, in the frames of the bones. */
export function unshadowedLight(
  { vertices, groupOf }: LightScene,
  { normals, frames }: PosedScene,
  order: number,
): Float32Array {
  const size = shCount(order);
  const out = new Float32Array(vertices * size);
  const own = new Float64Array(3);
  const lobe = new Float64Array(size);
  for (let i = 0; i < vertices; i++) {
    const r = 9 * groupOf[i];
    for (let c = 0; c < 3; c++) {
      own[c] = 0;
      for (let k = 0; k < 3; k++) own[c] += frames[r + 3 * k + c] * normals[3 * i + k];
    }
    cosineLobe(order, own, lobe);
    out.set(lobe, i * size);
  }
  return out;
}

/** All that the fit of a scene's spheres depends on, as plain data: what threads and other machines are given. */
export interface FitScene extends SceneSpheres {
  order: number;
  directions: number;
  bounceFactors: Float32Array;
  /** Frames of bones in each pose. */
  groups: number;
  witnesses: Witnesses[];
}

/** Vertices in one pose, and what was traced there. */
interface Witnesses {
  positions: Float32Array;
  normals: Float32Array;
  groupOf: Uint32Array;
  /** 9 per group. */
  frames: Float64Array;
  transforms: Float32Array;
  morphWeights: Float32Array;
  truth: Float32Array;
}

/** Makes the equations of a fit step by step, each at its parameters. */
export type MakeFitEquations = (fit: FitScene, run: RunOptions) => MakeEquations;

/** Spheres of a scene, fitted to some traced poses of it. */
export function fitBase(
  scene: LightScene,
  start: SceneSpheres,
  traced: readonly TracedSample[],
  options: { order: number; directions: number; seed: number; bounceFactors: Float32Array },
  run: RunOptions,
  make?: MakeFitEquations,
): Promise<SphereFit> {
  const { seed, order, directions, bounceFactors } = options;
  const random = seededRandom(seed);
  const witnesses = traced.map((sample) => witnessesOf(scene, sample, shCount(order), random));
  const fit: FitScene = { ...start, order, directions, bounceFactors, groups: scene.groups, witnesses };
  return fitSpheres(start.spheres, sphereSamples(fit), run, make?.(fit, { signal: run.signal }));
}

function witnessesOf(scene: LightScene, { parts, light }: TracedSample, size: number, random: () => number): Witnesses {
  const outside = [...light.inside.keys()].filter((i) => light.inside[i] === 0);
  const count = Math.min(WITNESSES, outside.length);
  // One of each stretch of the list: spread over all parts.
  const rows = Uint32Array.from(
    { length: count },
    (_, w) => outside[Math.floor(((w + random()) * outside.length) / count)],
  );
  const { positions, normals, frames } = scene.pose(parts);
  const { transforms, morphWeights } = joinedPose(parts);
  return {
    positions: gatherRows(positions, 3, rows),
    normals: gatherRows(normals, 3, rows),
    groupOf: rows.map((i) => scene.groupOf[i]),
    frames: frames.slice(),
    transforms,
    morphWeights,
    truth: gatherRows(light.transfer, size, rows),
  };
}

/** The samples of a fit, each with what spheres give in its place. */
export const sphereSamples = ({
  spheres: { count },
  morphs,
  witnesses,
  groups,
  ...options
}: FitScene): SphereSample[] =>
  witnesses.map(({ positions, normals, groupOf, frames, transforms, morphWeights, truth }) => {
    const base = new LightBase({ groupOf, groups, spheres: count }, options);
    base.bounceFactors = options.bounceFactors;
    const dialled = { morphs, weights: morphWeights };
    return {
      truth,
      evaluate(spheres, out) {
        const transfer = out.subarray(0, truth.length);
        base.run(positions, normals, poseSpheres(spheres, transforms, dialled), frames, { transfer });
      },
    };
  });
