/** The learned detail of a coarse pose. See basis.ts, features.ts, inputs.ts and regress.ts for what each number means. */

import { PliantError } from '../../error.ts';
import type { Mesh } from '../../model/mesh.ts';
import { PATCH_BODY_NUMBERS, type UpsamplerModel } from '../../model/trained-cloth.ts';
import type { Pushed } from '../contact.ts';
import { addVectors } from '../detail-arrays.ts';
import type { Embedding } from '../embedding.ts';
import type { Stage } from '../stage.ts';
import { Decoder } from './decoder.ts';
import { LocalFeatures } from './features.ts';
import { gaussian } from './regress.ts';

/** Learned folds at run time. */
export class Upsampler {
  readonly #model: UpsamplerModel;
  // The bytes of the model as numbers; directions times the scales of what they are multiplied with.
  readonly #directions: Float32Array;
  readonly #points: Float32Array;
  readonly #blends: Float32Array;
  readonly #decoder: Decoder;
  readonly #embedding: Embedding;
  readonly #features: LocalFeatures;
  readonly #seen: Float64Array;
  readonly #z: Float64Array;
  readonly #c: Float64Array;
  readonly #pushed: Pushed;
  #stage: Stage | undefined;

  /** `embedding` is of the model's fine mesh in its coarse one. `simd` [default where the host has it] says how to work. */
  constructor(model: UpsamplerModel, coarse: Mesh, embedding: Embedding, simd?: boolean) {
    this.#model = model;
    this.#embedding = embedding;
    this.#features = new LocalFeatures(coarse);
    const { inputs: d, modes: m, centres: e } = model;
    if (model.directions.length !== d * this.#features.offsets[embedding.coarseCount]) {
      const cause = `directions (got ${model.directions.length}, expected ${d * this.#features.offsets[embedding.coarseCount]})`;
      throw new PliantError('bad-input', 'Upsampler', cause);
    }
    this.#directions = Float32Array.from(model.directions);
    for (let v = 0; v < embedding.coarseCount; v++) {
      const begin = this.#features.offsets[v];
      const size = this.#features.offsets[v + 1] - begin;
      for (let c = 0; c < d * size; c++) {
        const scale = model.scales[c % size < size - PATCH_BODY_NUMBERS ? 0 : 1];
        this.#directions[d * begin + c] *= scale * model.directionScales[v * d + Math.floor(c / size)];
      }
    }
    this.#points = Float32Array.from(model.points, (x, i) => x * model.pointScales[groupOf(i, e, d)]);
    this.#blends = Float32Array.from(model.blends, (x, i) => x * model.blendScales[groupOf(i, e, m)]);
    this.#decoder = new Decoder(model, embedding, simd);
    this.#seen = new Float64Array(this.#features.offsets[embedding.coarseCount]);
    this.#z = new Float64Array(model.inputs);
    this.#c = new Float64Array(model.modes);
    const margin = new Float64Array(embedding.count);
    this.#pushed = { x: new Float64Array(0), inverseMass: margin.slice(), margin, friction: 0 };
  }

  /**
   * What is added to the embedding b, in world space, for the coarse pose (3V) that the embedding has just seen: four floats
   * per fine vertex, x y z and 0, valid until the next call. Makes no arrays.
   */
  offsets(coarse: Float64Array, stage: Stage | undefined): Float32Array {
    const { rotations, coarseCount } = this.#embedding;
    this.#features.fill(coarse, rotations, stage, this.#seen);
    for (let v = 0; v < coarseCount; v++) this.#coefficients(v);
    this.#decoder.decode(rotations);
    return this.#decoder.detail;
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

  /** c_v. */
  #coefficients(v: number): void {
    const { inputs: d, modes: m, centres: e, limits, matrices } = this.#model;
    const directions = this.#directions;
    const points = this.#points;
    const blends = this.#blends;
    const { offsets } = this.#features;
    const seen = this.#seen;
    const z = this.#z;
    const c = this.#c;
    const begin = offsets[v];
    const size = offsets[v + 1] - begin;
    for (let q = 0; q < d; q++) {
      const row = d * begin + q * size;
      let sum = 0;
      for (let f = 0; f < size; f++) sum += directions[row + f] * seen[begin + f];
      const limit = 2 * (v * d + q);
      z[q] = Math.min(limits[limit + 1], Math.max(limits[limit], sum));
    }
    const matrix = v * (1 + d) * m;
    for (let q = 0; q < m; q++) c[q] = matrices[matrix + q];
    for (let f = 0; f < d; f++) {
      const row = matrix + (1 + f) * m;
      for (let q = 0; q < m; q++) c[q] += z[f] * matrices[row + q];
    }
    for (let i = v * e; i < (v + 1) * e; i++) {
      let square = 0;
      for (let f = 0; f < d; f++) {
        const difference = z[f] - points[i * d + f];
        square += difference * difference;
      }
      // Beyond, the Gaussian is below 1e-7.
      if (square > 8) continue;
      const g = gaussian(square);
      for (let q = 0; q < m; q++) c[q] += g * blends[i * m + q];
    }
    this.#decoder.setCoefficients(v, c);
  }
}

/** The group of number i of V × rows × width numbers with V × width groups. */
const groupOf = (i: number, rows: number, width: number): number =>
  Math.floor(i / (rows * width)) * width + (i % width);
