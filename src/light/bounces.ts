/**
 * Light that a figure reflects onto itself, from direct light alone: per band l, t += β_l · (T, o t, o T, o² t, o² T) with t
 * the direct transfer, T what is blocked of it, and o = T₀/u₀ the share that is blocked.
 */

/** Numbers per band, and in all. */
const TERMS = 5;
const BANDS = 5;

/** The albedo that `BOUNCE_FACTORS` were fitted for. */
export const BOUNCE_ALBEDO = 0.6;

/**
 * β by bands 0 … 4, least squares against traced transfer of two bounces and an albedo of 0.6, of a figure that
 * `bench/light-base.ts --factors` poses; no character that errors are reported for is among them.
 */
export const BOUNCE_FACTORS: Float32Array = Float32Array.of(
  ...[0.4241, 0.2495, 0.1746, 0.1746, -0.5987],
  ...[0.252, 0.1999, -1.6271, 0.7094, 1.3751],
  ...[0.4066, -0.0566, -1.3036, 0.0801, 0.897],
  ...[0.3696, 0.2114, -0.7205, -0.509, 0.3509],
  ...[0.3951, -0.1413, -1.683, 0.1676, 1.2878],
);

/** The same for another albedo. */
export const bounceFactorsOf = (albedo: number): Float32Array =>
  BOUNCE_FACTORS.map((factor) => (factor * albedo) / BOUNCE_ALBEDO);

/** Adds what bounces to `direct` (order² numbers from `offset` on); `blocked` has as many from `at` on. */
export function addBounces(
  order: number,
  direct: Float32Array,
  offset: number,
  blocked: ArrayLike<number>,
  at: number,
  factors: ArrayLike<number>,
): void {
  const o = blocked[at] / Y00;
  if (o === 0) return;
  for (let l = 0; l < Math.min(order, BANDS); l++) {
    const b = TERMS * l;
    const ofDirect = o * factors[b + 1] + o * o * factors[b + 3];
    const ofBlocked = factors[b] + o * factors[b + 2] + o * o * factors[b + 4];
    for (let c = l * l; c < (l + 1) * (l + 1); c++) {
      direct[offset + c] += ofDirect * direct[offset + c] + ofBlocked * blocked[at + c];
    }
  }
}

/** u₀: the first coefficient of any unshadowed cosine lobe. */
const Y00 = 1 / Math.sqrt(4 * Math.PI);
