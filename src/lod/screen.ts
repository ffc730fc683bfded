/** When levels are fine enough, on a screen of 1080 lines seen through a camera of 50°, as in three.js. */

/** Lines of the screen. */
const HEIGHT = 1080;
/** Vertical, in radians. */
const FIELD_OF_VIEW = (50 * Math.PI) / 180;
/** Pixels that a length of 1 takes at a distance of 1. */
const PIXELS = HEIGHT / 2 / Math.tan(FIELD_OF_VIEW / 2);

/** How far a length must be away to take one pixel, in its unit. */
export const onePixelDistance = (length: number): number => length * PIXELS;

/**
 * The share of the screen's height, 0 to 1, that a sphere takes at a distance: what MSFT_screencoverage counts in. The
 * extension does not say whether a share of height or area is meant; those that read it (UnityGLTF for `LODGroup`, glTFRuntime
 * for Unreal's screen size) take it for one of height.
 */
export const coverageAt = (radius: number, distance: number): number =>
  distance > 0 ? Math.min(1, (2 * radius * PIXELS) / (distance * HEIGHT)) : 1;

/** The length that takes one pixel where a sphere has this coverage: the inverse. */
export const errorAtCoverage = (radius: number, coverage: number): number => (2 * radius) / (coverage * HEIGHT);
