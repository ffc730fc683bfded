/** What a character leaves of the light on a floor below it: direct light along more directions than on the character itself. */
import { integerOption, numberOption, type OptionsOf, resolveOptions } from '../model/options.ts';
import { LightBase } from './base.ts';
import type { PosedSpheres } from './pose-spheres.ts';

/** Options of `floorTransfer`. */
export const FLOOR_OPTIONS = {
  directions: integerOption(128, { min: 16, max: 1024 }, 'directions along which light is looked at; a multiple of 16'),
  resolution: integerOption(64, { min: 2, max: 512 }, 'points along a side of the floor'),
  size: numberOption(0, { min: 0, zero: 'chosen' }, 'side of the floor; 0 is four times the radius of the character'),
} as const;

/** Settings of a floor. */
export type FloorOptions = OptionsOf<typeof FLOOR_OPTIONS>;

/** A square that faces up (+y), of resolution² points in the middles of its cells: x first, then z. */
export interface Floor {
  /** Its middle. */
  centre: ArrayLike<number>;
  size: number;
  resolution: number;
}

/** 3 per point. */
export function floorPoints({ centre, size, resolution }: Floor): Float32Array {
  const out = new Float32Array(3 * resolution * resolution);
  const at = (q: number): number => ((q + 0.5) / resolution - 0.5) * size;
  for (let j = 0, o = 0; j < resolution; j++) {
    for (let i = 0; i < resolution; i++, o += 3) out.set([centre[0] + at(i), centre[1], centre[2] + at(j)], o);
  }
  return out;
}

/** Direct diffuse transfer of the points of a floor under spheres: 25 numbers each. A floor without any is unshadowed. */
export function floorTransfer(
  floor: Floor,
  spheres: PosedSpheres,
  options: Partial<Pick<FloorOptions, 'directions'>> = {},
): Float32Array {
  const { directions } = resolveOptions(FLOOR_OPTIONS, options, 'floorTransfer');
  const positions = floorPoints(floor);
  const n = positions.length / 3;
  const base = new LightBase({ groupOf: new Uint16Array(n), groups: 1, spheres: spheres.count }, { directions });
  base.bounceFactors = undefined;
  const normals = Float32Array.from(positions, (_, c) => (c % 3 === 1 ? 1 : 0));
  const transfer = new Float32Array(25 * n);
  base.run(positions, normals, spheres, [1, 0, 0, 0, 1, 0, 0, 0, 1], { transfer });
  return transfer;
}
