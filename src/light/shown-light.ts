import { shCount } from '../math/spherical-harmonics.ts';
import { type EnvironmentLight, turnLights } from './light-errors.ts';
import type { LightScene, PosedScene } from './scene.ts';

/** 3N linear RGB: what vertices of a colour of `albedo` send to the eye; `transfer` is N × C in the frames of the bones. */
export function shownLight(
  { vertices, groupOf }: LightScene,
  { frames }: Pick<PosedScene, 'frames'>,
  transfer: Float32Array,
  { sh }: EnvironmentLight,
  albedo: number,
): Float32Array {
  const size = sh.length / 3;
  const order = Math.sqrt(size);
  const colours = [0, 1, 2].map((c) => Float64Array.from(sh.subarray(c * shCount(order), (c + 1) * shCount(order))));
  const turned = turnLights(colours, order, frames);
  const out = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; i++) {
    for (let colour = 0; colour < 3; colour++) {
      const from = (3 * groupOf[i] + colour) * size;
      let sum = 0;
      for (let c = 0; c < size; c++) sum += transfer[i * size + c] * turned[from + c];
      out[3 * i + colour] = Math.max(0, albedo * sum);
    }
  }
  return out;
}

/** What light is divided by so that a matt white sphere in the open is white on the side where it is brightest, nearly. */
export function exposureOf({ sh }: EnvironmentLight): number {
  const size = sh.length / 3;
  // Irradiance / π of the mean of the light, and of its direction as far as the first band tells.
  let most = 0;
  for (let colour = 0; colour < 3; colour++) {
    const at = colour * size;
    const mean = sh[at] * 0.28209;
    const side = size > 1 ? 0.4886 * (2 / 3) * Math.hypot(sh[at + 1], sh[at + 2], sh[at + 3]) : 0;
    most = Math.max(most, mean + side);
  }
  return most > 0 ? 1 / most : 1;
}
