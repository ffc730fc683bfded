import { seededRandom } from '../math/rng.ts';
import { cosineLobe, shCount } from '../math/spherical-harmonics.ts';
import type { RunOptions } from '../model/options.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { LightBase } from './base.ts';
import { BounceFit } from './fit-bounces.ts';
import { fitSpheres, type SphereFit, type SphereSample } from './fit-spheres.ts';
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

/** Spheres of a scene, fitted to some traced poses of it. */
export async function fitBase(
  scene: LightScene,
  start: SceneSpheres,
  traced: readonly TracedSample[],
  options: { order: number; directions: number; seed: number; bounceFactors: Float32Array },
  run: RunOptions,
): Promise<SphereFit> {
  const random = seededRandom(options.seed);
  const size = shCount(options.order);
  const samples = traced.map(({ parts, light }): SphereSample => {
    const outside = [...light.inside.keys()].filter((i) => light.inside[i] === 0);
    const count = Math.min(WITNESSES, outside.length);
    // One of each stretch of the list: spread over all parts.
    const rows = Array.from(
      { length: count },
      (_, w) => outside[Math.floor(((w + random()) * outside.length) / count)],
    );
    const posed = scene.pose(parts);
    const pick = (from: Float32Array, stride: number) =>
      Float32Array.from(
        { length: stride * count },
        (_, c) => from[stride * rows[Math.floor(c / stride)] + (c % stride)],
      );
    const [positions, normals] = [pick(posed.positions, 3), pick(posed.normals, 3)];
    const frames = posed.frames.slice();
    const { transforms, morphWeights } = joinedPose(parts);
    const layout = {
      groupOf: Uint32Array.from(rows, (i) => scene.groupOf[i]),
      groups: scene.groups,
      spheres: start.spheres.count,
    };
    const base = new LightBase(layout, { order: options.order, directions: options.directions });
    base.bounceFactors = options.bounceFactors;
    return {
      truth: pick(light.transfer, size),
      evaluate(spheres, out) {
        const dialled = { morphs: start.morphs, weights: morphWeights };
        const transfer = out.subarray(0, count * size);
        base.run(positions, normals, poseSpheres(spheres, transforms, dialled), frames, { transfer });
      },
    };
  });
  return fitSpheres(start.spheres, samples, run);
}
