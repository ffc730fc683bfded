import type { Morph } from '../model/skinned-model.ts';
import { inQuads, type RestLayout } from './rest-layout.ts';

/**
 * Dials morphs into the rest positions that a kernel reads: rest + Σ weight·displacement. Displacements are laid out like
 * the rest positions when their morph is first used, so that adding one is a plain loop, and morphs that no pose uses
 * cost nothing.
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

  constructor(morphs: readonly Morph[], layout: RestLayout) {
    this.#morphs = morphs;
    this.#layout = layout;
    this.#displacements = morphs.map(() => undefined);
  }

  get count(): number {
    return this.#morphs.length;
  }

  /** Makes the rest positions those of these weights (M); without any, those of the model. */
  dial(weights: Float32Array | undefined): void {
    const used = weights !== undefined && !allZero(weights);
    if (!used && !this.#dialled) return;
    const { restPositions } = this.#layout;
    this.#plain ??= restPositions.slice();
    restPositions.set(this.#plain);
    this.#dialled = used;
    if (!used) return;
    for (let m = 0; m < weights.length; m++) {
      if (weights[m] === 0) continue;
      this.#displacements[m] ??= this.#layOut(this.#morphs[m]);
      addScaled(restPositions, this.#displacements[m]!, weights[m]);
    }
  }

  #layOut({ positions }: Morph): Float32Array {
    const { restPositions, vertexOf } = this.#layout;
    const out = new Float32Array(restPositions.length);
    for (let v = 0; v < vertexOf.length; v++) {
      for (let c = 0; c < 3; c++) out[inQuads(v, c)] = positions[3 * vertexOf[v] + c];
    }
    return out;
  }
}

function allZero(weights: Float32Array): boolean {
  for (let m = 0; m < weights.length; m++) if (weights[m] !== 0) return false;
  return true;
}

function addScaled(sum: Float32Array, term: Float32Array, weight: number): void {
  for (let c = 0; c < sum.length; c++) sum[c] += weight * term[c];
}
