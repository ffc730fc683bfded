import { shCount } from '../math/spherical-harmonics.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { type BaseResult, LightBase } from './base.ts';
import type { LightScene } from './scene.ts';
import { posedSpheres, type SceneSpheres } from './scene-spheres.ts';

/** The light of a scene's spheres on it, in the frames of the bones. */
export class SceneBase {
  readonly #scene: LightScene;
  readonly #spheres: SceneSpheres;
  readonly #base: LightBase;
  readonly #result: Required<BaseResult>;

  /** `bounceFactors`: those of `bounces.ts` unless given; null for direct light alone. */
  constructor(
    scene: LightScene,
    spheres: SceneSpheres,
    options: { order: number; directions?: number; bounceFactors?: Float32Array | null },
  ) {
    this.#scene = scene;
    this.#spheres = spheres;
    const { groupOf, groups, vertices } = scene;
    const { order, directions, bounceFactors } = options;
    const layout = { groupOf, groups, spheres: Math.max(1, spheres.spheres.count) };
    this.#base = new LightBase(layout, { order, directions });
    if (bounceFactors !== undefined) this.#base.bounceFactors = bounceFactors ?? undefined;
    const size = vertices * shCount(order);
    this.#result = { transfer: new Float32Array(size), visibility: new Float32Array(size) };
  }

  /** Returns the same arrays every time. */
  run(parts: readonly PartPose[], withVisibility = false): BaseResult {
    const { positions, normals, frames } = this.#scene.pose(parts);
    const { transfer, visibility } = this.#result;
    const out: BaseResult = withVisibility ? { transfer, visibility } : { transfer };
    this.#base.run(positions, normals, posedSpheres(this.#spheres, parts), frames, out);
    return out;
  }
}
