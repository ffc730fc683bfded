import type { Space } from '../../../src/index.ts';
import { TO_Y_UP } from '../../../src/io/glb/space.ts';
import { invert34, multiply34, transformPoint34 } from '../../../src/math/matrix34.ts';
import { composeTrs } from '../../../src/math/trs.ts';

/** Between the axes and units of a file and those of cloth: metres, y up. */
export class SpaceChange {
  /** 12: C, to metres and y up, and C⁻¹. */
  readonly #to = new Float64Array(12);
  readonly #from = new Float64Array(12);
  readonly #matrix = new Float64Array(12);

  constructor({ up, metresPerUnit: scale }: Space = { up: 'y', metresPerUnit: 1 }) {
    composeTrs(this.#to, 0, [0, 0, 0, ...TO_Y_UP[up], scale, scale, scale], 0);
    invert34(this.#from, 0, this.#to, 0);
  }

  /** 12B: C·M·C⁻¹ for each. */
  transforms(given: Float32Array): Float32Array {
    const out = new Float32Array(given.length);
    for (let m = 0; m < given.length; m += 12) {
      multiply34(this.#matrix, 0, this.#to, 0, given, m);
      multiply34(out, m, this.#matrix, 0, this.#from, 0);
    }
    return out;
  }

  place(point: readonly [number, number, number]): Float64Array {
    const out = Float64Array.from(point);
    transformPoint34(out, 0, this.#to, 0, out, 0);
    return out;
  }

  /** 3N: the other way. */
  back(points: ArrayLike<number>): Float32Array {
    const out = Float32Array.from(points);
    for (let o = 0; o < out.length; o += 3) transformPoint34(out, o, this.#from, 0, out, o);
    return out;
  }
}
