import type { Camera } from 'three';
import { PliantError } from '../../src/error.ts';
import { numberOption, type OptionsOf } from '../../src/model/options.ts';

/** How levels of detail are chosen: options of `LodMesh` and `SkinnedCrowd`. */
export const LEVEL_OPTIONS = {
  pixels: numberOption(1, { min: 0, unit: 'pixels' }, 'how large the error of a level may appear'),
  hysteresis: numberOption(
    0.15,
    { min: 0, max: 0.9 },
    'a coarser level is taken when its error is below `pixels` by this fraction, so that levels do not flicker',
  ),
} as const;

/** Options of `LodMesh` and `SkinnedCrowd`. */
export type LevelOptions = OptionsOf<typeof LEVEL_OPTIONS>;

/**
 * The level of detail for a size on the screen: the coarsest whose error, projected, stays within `pixels`. A finer level is
 * taken as soon as it is needed, so that the bound always holds; a coarser one only with room to spare.
 */
export class LevelChoice {
  /** Level l is fine up to this many pixels per unit of length; level 0 always is. */
  readonly #most: Float64Array;
  readonly #comfortable: Float64Array;

  /** `errors`: one per level, finest first, in units of length. A level that errs less than one before it counts as that. */
  constructor(errors: readonly number[], { pixels, hysteresis }: LevelOptions) {
    let error = 0;
    this.#most = Float64Array.from(errors, (each, l) => {
      error = Math.max(error, each);
      return l === 0 || error === 0 ? Infinity : pixels / error;
    });
    this.#comfortable = this.#most.map((most) => (1 - hysteresis) * most);
  }

  /** The level after `current` for a size of so many pixels per unit of length. */
  next(current: number, pixelsPerUnit: number): number {
    const most = this.#most;
    const comfortable = this.#comfortable;
    while (current > 0 && pixelsPerUnit > most[current]) current--;
    while (current + 1 < most.length && pixelsPerUnit <= comfortable[current + 1]) current++;
    return current;
  }
}

/** Refuses levels that cannot be chosen among. */
export function requireErrors(errors: readonly number[], operation: string): void {
  if (errors.length === 0) throw new PliantError('bad-input', operation, 'no levels (expected at least one)');
  const bad = errors.findIndex((error) => !(error >= 0 && Number.isFinite(error)));
  if (bad < 0) return;
  const cause = `error of level ${bad} (got ${errors[bad]}, expected a length of 0 or more)`;
  throw new PliantError('bad-input', operation, cause);
}

/** Pixels that a unit of length covers at a distance of 1, or at any distance where the camera has no perspective. */
export const pixelsAtOne = ({ projectionMatrix }: Camera, height: number): number =>
  Math.abs(projectionMatrix.elements[5]) * 0.5 * height;

/** Whether what is farther away appears smaller. */
export const hasPerspective = ({ projectionMatrix }: Camera): boolean => projectionMatrix.elements[15] !== 1;
