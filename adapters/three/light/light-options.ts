import { PliantError } from '../../../src/error.ts';
import { BOUNCE_ALBEDO } from '../../../src/light/bounces.ts';
import { SPHERE_OPTIONS } from '../../../src/light/spheres.ts';
import { booleanOption, choiceOption, integerOption, numberOption } from '../../../src/model/options.ts';
import { DIRECTION_BLOCK } from './light-shader.ts';

/** Options of `useLight`. */
export const LIGHT_OPTIONS = {
  spheres: SPHERE_OPTIONS.spheres,
  directions: integerOption(64, { min: 16, max: 256 }, 'directions along which light is looked at; a multiple of 16'),
  neighbours: integerOption(32, { min: 0, max: 512 }, 'spheres of other characters that shade this one, at most'),
  albedo: numberOption(BOUNCE_ALBEDO, { min: 0, max: 1 }, 'how much light the character reflects onto itself'),
  baked: booleanOption(true, 'add what was baked, where `LightLoaderPlugin` has loaded some'),
  path: choiceOption('vertex', ['vertex', 'pass'], 'light in the vertex shaders of materials, or in a pass before'),
} as const;

/** Throws where shaders cannot look along so many directions. */
export function requireDirections(directions: number): void {
  if (directions % DIRECTION_BLOCK === 0) return;
  const cause = `(got ${directions}, expected a multiple of ${DIRECTION_BLOCK})`;
  throw new PliantError('bad-option', 'useLight', cause, { option: 'directions' });
}
