/** Chromaticities of red, green, blue and white, x and y each: sRGB's (IEC 61966-2-1). */
const SRGB = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329];

/** Radiance's own green differs from sRGB's by 0.01; those of film and of wide screens by 0.03 and more. */
const CLOSE = 0.025;

/** Whether a picture's colours are not those of sRGB. None given, or all 0 as Photoshop writes them, is sRGB. */
export const hasOtherPrimaries = (given: ArrayLike<number>): boolean =>
  given.length === 8 &&
  Array.from(given).some((x) => x !== 0) &&
  SRGB.some((x, c) => !(Math.abs(x - given[c]) < CLOSE));
