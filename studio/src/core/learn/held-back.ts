/** A surface stretched this many times as far as in any example is about to tear. */
export const TORN = 3;

/** Bisection steps: to a hundredth of the way. */
const STEPS = 7;

/**
 * Points (3n_c) on the line `from` … `to`, as far along as the surface stays whole. A surface that is torn already is not
 * torn further.
 *
 * @param strain of the surface at `from`.
 */
export function heldBack(
  from: Float64Array,
  to: Float64Array,
  strain: number,
  strainAt: (points: Float64Array) => number,
): { points: Float64Array; held: boolean } {
  const most = Math.max(TORN, strain);
  if (strainAt(to) <= most) return { points: to, held: false };
  let [whole, torn] = [0, 1];
  const between = (share: number): Float64Array => from.map((x, c) => x + share * (to[c] - x));
  for (let step = 0; step < STEPS; step++) {
    const middle = (whole + torn) / 2;
    if (strainAt(between(middle)) <= most) whole = middle;
    else torn = middle;
  }
  return { points: whole > 0 ? between(whole) : from, held: true };
}
