/** When levels are fine enough, on a screen of 1920 × 1080 pixels seen through a camera of 50°, as in three.js. */

const [WIDTH, HEIGHT] = [1920, 1080];
/** Vertical, in radians. */
const FIELD_OF_VIEW = (50 * Math.PI) / 180;
/** Pixels that a length of 1 takes at a distance of 1. */
const PIXELS = HEIGHT / 2 / Math.tan(FIELD_OF_VIEW / 2);

/** How far a length must be away to take one pixel, in its unit. */
export const onePixelDistance = (length: number): number => length * PIXELS;

/** The share of the screen, 0 to 1, that a sphere covers at a distance: what MSFT_screencoverage counts in. */
export const coverageAt = (radius: number, distance: number): number =>
  distance > 0 ? Math.min(1, (Math.PI * ((radius / distance) * PIXELS) ** 2) / (WIDTH * HEIGHT)) : 1;
