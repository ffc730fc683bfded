import { BRACKET } from './limits.ts';
import type { QuickErrors, QuickFits } from './quick-fits.ts';

/** The error of a full fit relative to a quick one: a typical value until a full fit has run. */
const USUAL_GAIN = 1 / 1.1;
/** A full fit gains no more than this. */
const BEST_GAIN = 0.8;
export const MOST_FULL_FITS = 6;

/** A finished fit, its errors in %. */
export interface FullFit<T> extends QuickErrors {
  found: T;
  boneCount: number;
}

/** How a search ended: with the target reached, without, or without any hope of it. */
export interface FewestBones<T> {
  full: FullFit<T>;
  ended: 'reached' | 'not reached' | 'out of reach';
  /** Where it was given up: what the root mean square error with the most bones will hardly be below, in %. */
  leastRmse?: number;
}

/**
 * About as few bones as a target error takes. Quick fits bracket the target, full ones confirm; what a full fit gains over
 * the quick one tells where to look next. A target that the quick fits show to be out of reach, at first or after a full fit
 * has told what it gains, is given up, with the fewest bones that are nearly as good as many.
 */
export async function fewestBones<T>(
  maxError: number,
  quick: QuickFits,
  fully: (bones: number) => Promise<FullFit<T>>,
): Promise<FewestBones<T>> {
  const { most } = quick;
  const givenUp = async (gain: number, inHand?: FullFit<T>): Promise<FewestBones<T>> => {
    const bones = quick.nearlyBest();
    const full = inHand?.boneCount === bones ? inHand : await fully(bones);
    if (full.error <= maxError) return { full, ended: 'reached' };
    return { full, ended: 'out of reach', leastRmse: gain * quick.leastRmse() };
  };

  const first = await quick.smallest(maxError / USUAL_GAIN, maxError / BEST_GAIN);
  if (first === undefined) return givenUp(BEST_GAIN);
  let bones = first;
  let gain = { error: USUAL_GAIN, rmse: BEST_GAIN };
  let tooFew = 0;
  let reached: FullFit<T> | undefined;
  for (let fits = 1; ; fits++) {
    const full = await fully(bones);
    if (full.error <= maxError) reached = full;
    else if (reached) return { full: reached, ended: 'reached' };
    else tooFew = bones;
    // Fewer bones than asked for came out: more would have nothing to do, or no place.
    if (!reached && (bones >= most || full.boneCount < bones)) return { full, ended: 'out of reach' };
    if (fits === MOST_FULL_FITS) return { full, ended: reached ? 'reached' : 'not reached' };

    const { error, rmse } = await quick.at(bones);
    gain = { error: error > 0 ? full.error / error : gain.error, rmse: rmse > 0 ? full.rmse / rmse : gain.rmse };
    const next = await quick.smallest(maxError / gain.error, maxError / gain.rmse);
    if (reached) {
      const fewer = next !== undefined && next > tooFew && next < (1 - BRACKET) * reached.boneCount;
      if (!fewer) return { full: reached, ended: 'reached' };
      bones = next;
    } else {
      if (next === undefined) return givenUp(gain.rmse, full);
      // Errors of neighbouring numbers differ by some per cent: what was too few is left well behind.
      bones = Math.min(most, Math.max(next, bones + Math.ceil(BRACKET * bones)));
    }
  }
}
