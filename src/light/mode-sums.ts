import { PliantError } from '../error.ts';
import { bufferOf, kernelMemoryOrBuffer, kernelsAvailable, loadKernels } from '../kernels/load.ts';
import { Places, placeArrays, type Slot, viewArrays } from '../kernels/places.ts';
import type { LightModes } from '../model/light.ts';

/**
 * The mean and the modes of a residual summed up again and again: `addResidual` (residual.ts, its twin), on a SIMD kernel with
 * all bytes in its memory. Rows of coefficients are padded to 16; scales are those of the bytes, by the weights of the pose.
 */
export class ModeSums {
  readonly #modes: LightModes;
  readonly #size: number;
  readonly #width: number;
  readonly #scales: Float32Array;
  readonly #sums: Float32Array;
  readonly #run: () => void;

  private constructor(groupOf: Uint16Array, modes: LightModes) {
    const n = groupOf.length;
    const { mean, meanScales, basis, modes: r } = modes;
    const size = mean.length / n;
    const width = 16 * Math.ceil(size / 16);
    const groups = meanScales.length / size;
    const block = (r + 1) * width;
    const slots = {
      groupOf: [Uint32Array, n],
      bytes: [Int8Array, n * block],
      scales: [Float32Array, groups * block],
      sums: [Float32Array, n * size],
    } as const satisfies Record<string, Slot>;
    const places = new Places();
    const at = placeArrays(slots, places);
    const memory = kernelMemoryOrBuffer(places.bytes, true);
    if (!('buffer' in memory)) throw new PliantError('too-large', 'light', 'no memory for its modes');
    const arrays = viewArrays(slots, at, bufferOf(memory));
    arrays.groupOf.set(groupOf);
    for (let i = 0; i < n; i++) {
      arrays.bytes.set(mean.subarray(i * size, (i + 1) * size), i * block);
      for (let m = 0; m < r; m++) {
        const from = (i * r + m) * size;
        arrays.bytes.set(basis.subarray(from, from + size), i * block + (m + 1) * width);
      }
    }
    const { lightModes } = loadKernels(memory);
    this.#modes = modes;
    this.#size = size;
    this.#width = width;
    this.#scales = arrays.scales;
    this.#sums = arrays.sums;
    this.#run = () => lightModes(n, r + 1, width, size, at.groupOf, at.bytes, at.scales, at.sums);
  }

  /** Undefined on a host without SIMD, where `addResidual` does the same. */
  static of(groupOf: Uint16Array, modes: LightModes): ModeSums | undefined {
    return kernelsAvailable(false) && groupOf.length > 0 ? new ModeSums(groupOf, modes) : undefined;
  }

  /** out (N × C, in the frames of the bones) += mean + modes by `weights` (G × r). Allocates nothing. */
  add(out: Float32Array, weights: ArrayLike<number>): void {
    const { modes: r, meanScales, basisScales } = this.#modes;
    const size = this.#size;
    const width = this.#width;
    const scales = this.#scales;
    for (let g = 0, to = 0; g < meanScales.length / size; g++) {
      for (let c = 0; c < size; c++) scales[to + c] = meanScales[g * size + c];
      to += width;
      for (let m = g * r; m < (g + 1) * r; m++, to += width) {
        scales.fill(basisScales[m] * weights[m], to, to + size);
      }
    }
    this.#sums.set(out);
    this.#run();
    out.set(this.#sums);
  }
}
