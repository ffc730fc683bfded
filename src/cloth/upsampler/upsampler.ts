/** The learned detail of a coarse pose. See basis.ts, features.ts, inputs.ts and regress.ts for what each number means. */

import { PliantError } from '../../error.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { UpsamplerModel } from '../../model/trained-cloth.ts';
import type { Pushed } from '../contact.ts';
import { addVectors, VECTOR } from '../detail-arrays.ts';
import type { Embedding } from '../embedding.ts';
import type { Stage } from '../stage.ts';
import { LocalFeatures } from './features.ts';
import { FRAME, type UpsamplerArrays, upsamplerArrays } from './upsampler-arrays.ts';
import { type UpsamplerPasses, upsamplerPasses } from './upsampler-passes.ts';

/** Learned folds at run time. */
export class Upsampler {
  readonly #embedding: Embedding;
  readonly #features: LocalFeatures;
  readonly #arrays: UpsamplerArrays;
  readonly #passes: UpsamplerPasses;
  readonly #pushed: Pushed;
  #stage: Stage | undefined;

  /** `embedding` is of the model's fine mesh in its coarse one. `simd` [default where the host has it] says how to work. */
  constructor(model: UpsamplerModel, coarse: Mesh, embedding: Embedding, simd?: boolean) {
    this.#embedding = embedding;
    this.#features = new LocalFeatures(coarse);
    const { offsets } = this.#features;
    const expected = model.inputs * offsets[embedding.coarseCount];
    if (model.directions.length !== expected) {
      const cause = `directions (got ${model.directions.length}, expected ${expected})`;
      throw new PliantError('bad-input', 'Upsampler', cause);
    }
    this.#arrays = upsamplerArrays(model, embedding, offsets, simd);
    this.#passes = upsamplerPasses(this.#arrays);
    const margin = new Float64Array(embedding.count);
    this.#pushed = { x: new Float64Array(0), inverseMass: margin.slice(), margin, friction: 0 };
  }

  /**
   * What is added to the embedding b, in world space, for the coarse pose (3V) that the embedding has just seen: four floats
   * per fine vertex, x y z and 0, valid until the next call. Makes no arrays.
   */
  offsets(coarse: Float64Array, stage: Stage | undefined): Float32Array {
    const { seen, frames, detail } = this.#arrays;
    const { rotations } = this.#embedding;
    this.#features.fill(coarse, rotations, stage, seen);
    for (let m = 0, f = 0; m < rotations.length; m += 9, f += FRAME) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) frames[f + VECTOR * column + row] = rotations[m + 3 * row + column];
      }
    }
    this.#passes.findCoefficients();
    this.#passes.decode();
    return detail;
  }

  /** b + offsets (3N), for any coarse pose (3V), pushed out of the body and held by its pins. Makes no arrays. */
  apply(coarse: Float64Array, stage: Stage | undefined, out: Float64Array): void {
    this.#embedding.apply(coarse, out);
    addVectors(out, this.offsets(coarse, stage));
    if (!stage) return;
    if (this.#stage !== stage) {
      this.#stage = stage;
      this.#pushed.inverseMass.fill(1);
      for (const i of stage.pins.vertices) this.#pushed.inverseMass[i] = 0;
    }
    this.#pushed.x = out;
    this.#pushed.margin = stage.margin;
    for (const obstacle of stage.obstacles) obstacle.push(this.#pushed);
    stage.pins.hold(out);
  }
}
