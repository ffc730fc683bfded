import { PliantError } from '../error.ts';
import type { LightModel, LightModes } from '../model/light.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import type { BaseResult } from './base.ts';
import { ModeSums } from './mode-sums.ts';
import { SampledLight } from './paper/sampled-light.ts';
import { addResidual, ResidualPose } from './residual.ts';
import type { LightScene } from './scene.ts';
import { SceneBase } from './scene-base.ts';
import { bakedSpheres } from './scene-spheres.ts';

/**
 * Light on a scene whose models have baked light, in any pose: that of the spheres, and what was traced beyond it; or a blend
 * of traced poses.
 */
export class LitScene {
  readonly #scene: LightScene;
  readonly #lights: LightModel[];
  readonly #base: SceneBase;
  readonly #poses: (ResidualPose | undefined)[];
  /** By their modes. */
  readonly #sums = new Map<LightModes, ModeSums | undefined>();
  readonly #samples: (SampledLight | undefined)[];

  constructor(scene: LightScene) {
    this.#scene = scene;
    this.#lights = scene.parts.map(({ model }) => lightOf(model));
    const [{ order, bounceFactors }] = this.#lights;
    if (this.#lights.some((light) => light.order !== order)) {
      throw new PliantError('bad-input', 'light', 'models with light of different orders: bake them together');
    }
    const spheres = bakedSpheres(
      scene.parts.map(({ model }, m) => ({
        light: this.#lights[m],
        bones: boneCount(model.skeleton),
        morphs: model.morphs?.length ?? 0,
      })),
    );
    this.#base = new SceneBase(scene, spheres, { order, bounceFactors });
    this.#poses = this.#lights.map(({ residual }) => residual && new ResidualPose(residual));
    for (const { residual } of this.#lights) {
      for (const modes of [residual?.diffuse, residual?.visibility]) {
        if (modes) this.#sums.set(modes, ModeSums.of(residual!.groupOf, modes));
      }
    }
    this.#samples = scene.parts.map(
      ({ model }, m) => this.#lights[m].samples && new SampledLight(this.#lights[m].samples, model.skeleton.parents),
    );
  }

  /** In the frames of the bones. Returns the same arrays every time. */
  run(parts: readonly PartPose[]): BaseResult {
    const isGlossy = this.#lights.every(({ residual, samples }) => (samples ?? residual)?.visibility);
    const out = this.#base.run(parts, isGlossy);
    this.#scene.parts.forEach(({ firstVertex, groups: { groupOf } }, m) => {
      const [{ residual, samples, order }, pose, sampled] = [this.#lights[m], this.#poses[m], this.#samples[m]];
      const rows = (of: Float32Array) =>
        of.subarray(firstVertex * order * order, (firstVertex + groupOf.length) * order * order);
      if (samples && sampled) {
        sampled.set(parts[m].transforms);
        sampled.read(samples.diffuse, rows(out.transfer));
        if (samples.visibility && out.visibility) sampled.read(samples.visibility, rows(out.visibility));
        return;
      }
      if (!residual || !pose) return;
      pose.set(parts[m].transforms);
      this.#add(rows(out.transfer), residual.groupOf, residual.diffuse, pose.diffuse);
      if (residual.visibility && out.visibility) {
        this.#add(rows(out.visibility), residual.groupOf, residual.visibility, pose.visibility!);
      }
    });
    return out;
  }

  #add(out: Float32Array, groupOf: Uint16Array, modes: LightModes, weights: Float32Array): void {
    const sums = this.#sums.get(modes);
    if (sums) sums.add(out, weights);
    else addResidual(out, groupOf, modes, weights);
  }
}

function lightOf({ light, name }: SkinnedModel): LightModel {
  if (light) return light;
  throw new PliantError('bad-input', 'light', `${name} has no light (expected one that was baked)`);
}
