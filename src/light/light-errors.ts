import { ShRotation, shCount, shRotation } from '../math/spherical-harmonics.ts';

/**
 * How far light on a surface is from traced light. Shading: relative root mean square of what one sees, radiance under each
 * light, turned to four sides, in red, green and blue, and the mean of these. Transfer: the same of the coefficients.
 */

/** Light from all around, as spherical harmonics: order² numbers of red, then green, then blue. */
export interface EnvironmentLight {
  name: string;
  sh: Float32Array;
}

const SIDES = 4;

/** Each light turned to four sides about the up axis; one colour after the other, C numbers each. */
export function turnedLights(
  lights: readonly EnvironmentLight[],
  order: number,
  up: 'x' | 'y' | 'z' = 'y',
): Float64Array[] {
  const size = shCount(order);
  return lights.flatMap(({ sh }) =>
    Array.from({ length: SIDES }, (_, side) => {
      const [cos, sin] = [Math.cos((2 * Math.PI * side) / SIDES), Math.sin((2 * Math.PI * side) / SIDES)];
      const turn = {
        x: [1, 0, 0, 0, cos, -sin, 0, sin, cos],
        y: [cos, 0, sin, 0, 1, 0, -sin, 0, cos],
        z: [cos, -sin, 0, sin, cos, 0, 0, 0, 1],
      }[up];
      const rotation = shRotation(order, turn);
      return [0, 1, 2].map((colour) => {
        const out = new Float64Array(size);
        rotation.apply(sh, out, colour * size);
        return out;
      });
    }).flat(),
  );
}

/** Sums of squares over vertices and poses, by light; the last is of coefficients. */
export class LightErrors {
  readonly #lights: readonly Float64Array[];
  readonly #order: number;
  readonly #errors: Float64Array;
  readonly #truths: Float64Array;

  constructor(lights: readonly Float64Array[], order: number) {
    this.#lights = lights;
    this.#order = order;
    this.#errors = new Float64Array(lights.length + 1);
    this.#truths = new Float64Array(lights.length + 1);
  }

  /** A pose: N × C each, in the frames (9G) of the vertices' groups; vertices inside others do not count. */
  add(
    values: Float32Array,
    truth: Float32Array,
    { groupOf, frames, inside }: { groupOf: Uint32Array; frames: Float64Array; inside: Uint8Array },
  ): void {
    const size = shCount(this.#order);
    const lights = this.#lights.length;
    const turned = turnLights(this.#lights, this.#order, frames);
    for (let i = 0; i < groupOf.length; i++) {
      if (inside[i]) continue;
      const at = i * size;
      for (let c = at; c < at + size; c++) {
        this.#errors[lights] += (values[c] - truth[c]) ** 2;
        this.#truths[lights] += truth[c] ** 2;
      }
      for (let l = 0, from = groupOf[i] * lights * size; l < lights; l++, from += size) {
        let [error, lit] = [0, 0];
        for (let c = 0; c < size; c++) {
          error += (values[at + c] - truth[at + c]) * turned[from + c];
          lit += truth[at + c] * turned[from + c];
        }
        this.#errors[l] += error * error;
        this.#truths[l] += lit * lit;
      }
    }
  }

  /** Of what is seen, in %. */
  get shading(): number {
    const { length } = this.#lights;
    return Array.from({ length }, (_, l) => this.#relative(l)).reduce((sum, x) => sum + x, 0) / Math.max(1, length);
  }

  /** Of coefficients, in %. */
  get transfer(): number {
    return this.#relative(this.#lights.length);
  }

  #relative(l: number): number {
    return this.#truths[l] > 0 ? 100 * Math.sqrt(this.#errors[l] / this.#truths[l]) : 0;
  }
}

/** G × lights × C: every light as it comes to each frame. */
export function turnLights(lights: readonly Float64Array[], order: number, frames: Float64Array): Float64Array {
  const size = shCount(order);
  const groups = frames.length / 9;
  const out = new Float64Array(groups * lights.length * size);
  const rotation = new ShRotation(order);
  for (let g = 0; g < groups; g++) {
    shRotation(order, frames.subarray(9 * g, 9 * g + 9), rotation);
    for (const [l, light] of lights.entries()) rotation.applyInverse(light, out, 0, (g * lights.length + l) * size);
  }
  return out;
}
