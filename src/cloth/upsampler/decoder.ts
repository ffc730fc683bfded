/**
 * From coefficients to detail, Σ_v R_v B_jv c_v of each fine vertex j: as a kernel where the host has SIMD, and the same in
 * TypeScript. Shapes stay bytes; their scale is part of the coefficients.
 */
import { bufferOf, kernelMemoryOrBuffer, kernelsAvailable, loadKernels } from '../../kernels/load.ts';
import { type ArraysOf, Places, placeArrays, type Slot, viewArrays } from '../../kernels/places.ts';
import type { UpsamplerModel } from '../../model/trained-cloth.ts';
import { VECTOR } from '../detail-arrays.ts';
import type { Embedding } from '../embedding.ts';
import { byteScale } from './quantize.ts';

/** Coefficients that are worked on at once. */
const LANES = 8;
/** Numbers of R: its columns as vectors. */
const FRAME = 3 * VECTOR;

function slotsOf(vertices: number, patches: number, width: number) {
  return {
    // The order of kernels/assembly/upsample-table.ts, which has the meaning of each.
    hats: [Uint32Array, 3 * vertices],
    basis: [Int8Array, 9 * vertices * width],
    coefficients: [Float32Array, patches * width],
    frames: [Float32Array, FRAME * patches],
    detail: [Float32Array, VECTOR * vertices],
  } as const satisfies Record<string, Slot>;
}

type Arrays = ArraysOf<ReturnType<typeof slotsOf>>;

export class Decoder {
  /** Four floats per fine vertex, x y z and 0: the detail last decoded. */
  readonly detail: Float32Array;
  readonly #arrays: Arrays;
  readonly #modes: number;
  /** `#modes`, up to the next multiple of LANES. */
  readonly #width: number;
  readonly #run: () => void;

  constructor(
    { modes, basis }: UpsamplerModel,
    { count, coarseCount, hats }: Embedding,
    simd: boolean = kernelsAvailable(false),
  ) {
    const width = LANES * Math.ceil(modes / LANES);
    const slots = slotsOf(count, coarseCount, width);
    const places = new Places();
    const offsets = placeArrays(slots, places);
    const fields = [count, width, ...Object.values(offsets)];
    const table = places.take(4 * fields.length);
    const memory = kernelMemoryOrBuffer(places.bytes, simd);
    new Int32Array(bufferOf(memory), table, fields.length).set(fields);
    const arrays = viewArrays(slots, offsets, bufferOf(memory));
    arrays.hats.set(hats);
    for (let row = 0; row < 9 * count; row++) {
      arrays.basis.set(basis.subarray(row * modes, (row + 1) * modes), row * width);
    }
    this.#arrays = arrays;
    this.#modes = modes;
    this.#width = width;
    this.detail = arrays.detail;
    if ('buffer' in memory) {
      const kernels = loadKernels(memory);
      this.#run = () => kernels.upsample(table);
    } else {
      this.#run = () => upsample(arrays, width);
    }
  }

  /** Sets c of patch v, m numbers in metres. */
  setCoefficients(v: number, c: Float64Array): void {
    const { coefficients } = this.#arrays;
    for (let q = 0; q < this.#modes; q++) coefficients[v * this.#width + q] = byteScale(c[q]);
  }

  /** Fills `detail` from the coefficients of all patches and their rotations (9V). */
  decode(rotations: Float64Array): void {
    const { frames } = this.#arrays;
    for (let m = 0, f = 0; m < rotations.length; m += 9, f += FRAME) {
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++) frames[f + VECTOR * column + row] = rotations[m + 3 * row + column];
      }
    }
    this.#run();
  }
}

function upsample({ hats, basis, coefficients: c, frames: r, detail }: Arrays, width: number): void {
  let b = 0;
  for (let j = 0; 3 * j < hats.length; j++) {
    let dx = 0;
    let dy = 0;
    let dz = 0;
    for (let h = 3 * j; h < 3 * j + 3; h++) {
      const at = width * hats[h];
      let x = 0;
      let y = 0;
      let z = 0;
      for (let q = 0; q < width; q++) {
        const k = c[at + q];
        x += basis[b + q] * k;
        y += basis[b + width + q] * k;
        z += basis[b + 2 * width + q] * k;
      }
      b += 3 * width;
      const f = FRAME * hats[h];
      dx += r[f] * x + r[f + VECTOR] * y + r[f + 2 * VECTOR] * z;
      dy += r[f + 1] * x + r[f + VECTOR + 1] * y + r[f + 2 * VECTOR + 1] * z;
      dz += r[f + 2] * x + r[f + VECTOR + 2] * y + r[f + 2 * VECTOR + 2] * z;
    }
    detail[VECTOR * j] = dx;
    detail[VECTOR * j + 1] = dy;
    detail[VECTOR * j + 2] = dz;
  }
}
