/**
 * At which times a clip has its frames. Pliant's clips and sequences are straight between frames (rotations on the
 * sphere), as engines play them. Curves that are not straight between their keys get frames in between: a step one
 * just before it happens, a cubic segment as many as it takes to be nearly straight between them.
 */

/** Keys closer than this many seconds (at times beyond 1 s: this fraction) are the same key, rounded differently. */
const SAME_KEY = 1e-6;

const spanOf = (t: number, sameKey: number): number => sameKey * Math.max(1, Math.abs(t));

/** When a step is about to happen: as late as can be told from when it has, also in float32. */
export const timeBeforeStep = (t: number, sameKey = SAME_KEY): number => t - 4 * spanOf(t, sameKey);

/** How far a straight line may be from a cubic segment, as a fraction of the range of the whole curve. */
const STRAIGHT = 1e-3;

/** A segment is divided into at most this many parts: bends that would need more are faster than a frame. */
const MOST_PARTS = 32;

/**
 * How far a cubic segment is from its chord at most, by its Bézier ordinates b0 … b3 (`stride` numbers each): the second
 * derivative is at most 6·D, D the larger of |b0 − 2b1 + b2| and |b1 − 2b2 + b3|, so that n chords stay within 6·D/(8n²).
 */
export const cubicBend = (b: readonly ArrayLike<number>[]): number =>
  0.75 * Math.max(secondDifference(b[0], b[1], b[2]), secondDifference(b[1], b[2], b[3]));

/**
 * Into how many equal parts a cubic segment is divided for reading. A power of two: curves with the same keys then share
 * their times.
 */
export function cubicParts(b: readonly ArrayLike<number>[], range: number): number {
  const wanted = Math.sqrt(cubicBend(b) / (STRAIGHT * range));
  let parts = 1;
  while (parts < wanted && parts < MOST_PARTS) parts *= 2;
  return parts;
}

function secondDifference(a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>): number {
  let square = 0;
  for (let i = 0; i < a.length; i++) square += (a[i] - 2 * b[i] + c[i]) ** 2;
  return Math.sqrt(square);
}

/**
 * The distinct times among all, increasing. Of those that differ by rounding only the latest stays, so that a step that
 * happens there has happened.
 */
export function distinctTimes(all: Iterable<ArrayLike<number>>, sameKey = SAME_KEY): Float64Array {
  const found = new Set<number>();
  for (const times of all) for (let k = 0; k < times.length; k++) found.add(times[k]);
  const sorted = Float64Array.from(found).sort();
  return sorted.filter((t, k) => k === sorted.length - 1 || sorted[k + 1] - t > spanOf(t, sameKey));
}
