import { type BlendKernels, bufferOf, loadKernels } from '../kernels/load.ts';
import type { Morph } from '../model/skinned-model.ts';
import { inQuads } from './quads.ts';
import type { RestLayout } from './rest-layout.ts';

/** How many morphs the kernel adds in the time in which a plain loop adds one. */
const KERNEL_GAIN = 6;

/**
 * Dials morphs into the rest positions that a kernel reads: rest + Σ weight·displacement. Displacements are laid out like
 * the rest positions when their morph is first used, so that adding one is a plain loop, and morphs that no pose uses
 * cost nothing. Where they fit into the kernel's memory a kernel adds all of them, dialled or not.
 */
export class RestMorphs {
  readonly #morphs: readonly Morph[];
  readonly #layout: RestLayout;
  /** The rest positions without any morph; kept from the first use on. */
  #plain?: Float32Array;
  /** Per morph its displacements, laid out like the rest positions. */
  readonly #displacements: (Float32Array | undefined)[];
  /** Whether the rest positions differ from `#plain`. */
  #dialled = false;
  readonly #kernels?: BlendKernels;
  /** M: where the kernel reads weights. */
  readonly #dials?: Float32Array;

  constructor(morphs: readonly Morph[], layout: RestLayout) {
    this.#morphs = morphs;
    this.#layout = layout;
    this.#displacements = morphs.map(() => undefined);
    const { memory } = layout.job;
    if (!layout.morphs || !('buffer' in memory)) return;
    this.#kernels = loadKernels(memory);
    this.#dials = this.#floats(layout.morphs.weights, morphs.length);
  }

  get count(): number {
    return this.#morphs.length;
  }

  /** Makes the rest positions those of these weights (M); without any, those of the model. */
  dial(weights: Float32Array | undefined): void {
    const used = weights !== undefined && !allZero(weights);
    if (!used && !this.#dialled) return;
    const { restPositions } = this.#layout;
    this.#plain ??= this.#keepPlain();
    this.#dialled = used;
    if (!used) {
      restPositions.set(this.#plain);
      return;
    }
    let dialled = 0;
    for (let m = 0; m < weights.length; m++) {
      if (weights[m] === 0) continue;
      dialled++;
      this.#displacements[m] ??= this.#layOut(m);
    }
    if (this.#kernels && KERNEL_GAIN * dialled >= weights.length) this.#addByKernel(this.#kernels, weights);
    else {
      restPositions.set(this.#plain);
      for (let m = 0; m < weights.length; m++) {
        if (weights[m] !== 0) addScaled(restPositions, this.#displacements[m]!, weights[m]);
      }
    }
  }

  #addByKernel(kernels: BlendKernels, weights: Float32Array): void {
    const { job, restPositions, morphs } = this.#layout;
    const { plain, weights: at, displacements } = morphs!;
    const bytes = restPositions.byteLength;
    this.#dials!.set(weights);
    kernels.blendFloats(weights.length, bytes, bytes, at, displacements, plain, job.at.restPositions);
  }

  #keepPlain(): Float32Array {
    const { restPositions, morphs } = this.#layout;
    if (!morphs) return restPositions.slice();
    const plain = this.#floats(morphs.plain, restPositions.length);
    plain.set(restPositions);
    return plain;
  }

  #layOut(m: number): Float32Array {
    const { restPositions, vertexOf, morphs } = this.#layout;
    const { positions } = this.#morphs[m];
    const out = morphs
      ? this.#floats(morphs.displacements + m * restPositions.byteLength, restPositions.length)
      : new Float32Array(restPositions.length);
    for (let v = 0; v < vertexOf.length; v++) {
      for (let c = 0; c < 3; c++) out[inQuads(v, c)] = positions[3 * vertexOf[v] + c];
    }
    return out;
  }

  #floats(offset: number, length: number): Float32Array {
    return new Float32Array(bufferOf(this.#layout.job.memory), offset, length);
  }
}

function allZero(weights: Float32Array): boolean {
  for (let m = 0; m < weights.length; m++) if (weights[m] !== 0) return false;
  return true;
}

function addScaled(sum: Float32Array, term: Float32Array, weight: number): void {
  for (let c = 0; c < sum.length; c++) sum[c] += weight * term[c];
}
