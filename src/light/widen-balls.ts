/**
 * How far a surface lies from the few balls that stand for it. An inscribed ball fills a round limb, but leaves much of a flat
 * one, and of what lies between two balls.
 */
import type { TouchingBalls } from './sphere-skin.ts';
import type { SphereSurface } from './sphere-surface.ts';

/** No vertex counts as farther than so many radii: some lie at ends that no ball was left for. */
const FARTHEST = 2;
/** Fewer vertices say little. */
const ENOUGH = 4;

/** Per chosen ball the mean distance of the vertices that it is the nearest to, in its radii: at least 1. */
export function surfaceReach(
  { positions }: SphereSurface,
  { centres, radii, parts, partOf }: TouchingBalls,
  chosen: readonly number[],
): Float64Array {
  const sums = new Float64Array(chosen.length);
  const counts = new Uint32Array(chosen.length);
  const ballsOf = new Map<number, number[]>();
  chosen.forEach((ball, s) => {
    ballsOf.set(parts[ball], [...(ballsOf.get(parts[ball]) ?? []), s]);
  });
  for (let i = 0; i < partOf.length; i++) {
    let nearest = -1;
    let least = Infinity;
    for (const s of ballsOf.get(partOf[i]) ?? []) {
      const ball = chosen[s];
      const x = positions[3 * i] - centres[3 * ball];
      const y = positions[3 * i + 1] - centres[3 * ball + 1];
      const z = positions[3 * i + 2] - centres[3 * ball + 2];
      const beyond = Math.sqrt(x * x + y * y + z * z) - radii[ball];
      if (beyond >= least) continue;
      least = beyond;
      nearest = s;
    }
    if (nearest < 0) continue;
    sums[nearest] += Math.min(FARTHEST, 1 + least / radii[chosen[nearest]]);
    counts[nearest]++;
  }
  return sums.map((sum, s) => (counts[s] >= ENOUGH ? Math.max(1, sum / counts[s]) : 1));
}
