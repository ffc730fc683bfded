import { transformPoint34 } from '../math/matrix34.ts';
import { clipFrame } from '../model/skeleton.ts';
import type { BodyMotion } from './body-motion.ts';

type Rig = NonNullable<BodyMotion['rig']>;

/** Capsules that are less deep in each other only touch, m. */
const TOUCH = 0.02;

/** The limbs that go deepest into each other in frames up to `last`, of those that are apart at rest; m. */
export function crossingLimbs(
  { capsules, names, clip }: Rig,
  last: number,
): { limb: string; other: string; depth: number; frame: number } | undefined {
  const count = capsules.length;
  const rest = Float64Array.from(capsules.flatMap(({ a, b }) => [...a, ...b]));
  const depthOf = (ends: Float64Array, p: number, q: number): number =>
    capsules[p].radius + capsules[q].radius - segmentDistance(ends, 6 * p, 6 * q);
  const pairs: [number, number][] = [];
  for (let p = 0; p < count; p++) for (let q = 0; q < p; q++) if (depthOf(rest, p, q) <= 0) pairs.push([p, q]);
  const ends = new Float64Array(6 * count);
  let [deepest, frame, limbs] = [TOUCH, 0, undefined as [number, number] | undefined];
  for (let k = 0; k <= last; k++) {
    const transforms = clipFrame(clip, k);
    for (let e = 0; e < ends.length; e += 3)
      transformPoint34(ends, e, transforms, 12 * capsules[Math.floor(e / 6)].bone, rest, e);
    for (const pair of pairs) {
      const depth = depthOf(ends, ...pair);
      if (depth > deepest) [deepest, frame, limbs] = [depth, k, pair];
    }
  }
  if (!limbs) return undefined;
  const [limb, other] = limbs.map((c) => names[capsules[c].bone]);
  return { limb, other, depth: deepest, frame };
}

/** Between the segments whose two ends are at `p` and at `q` of `ends` (Ericson 2005, 5.1.9). */
function segmentDistance(ends: Float64Array, p: number, q: number): number {
  let [a, b, c, d, e] = [0, 0, 0, 0, 0];
  for (let i = 0; i < 3; i++) {
    const u = ends[p + 3 + i] - ends[p + i];
    const v = ends[q + 3 + i] - ends[q + i];
    const w = ends[p + i] - ends[q + i];
    a += u * u;
    b += u * v;
    c += v * v;
    d += u * w;
    e += v * w;
  }
  // The nearest points of both lines; where one is beyond an end, that end and the point nearest to it.
  const apart = a * c - b * b;
  let s = apart > 1e-12 * a * c ? within01((b * e - c * d) / apart) : 0;
  const t = c > 0 ? within01((b * s + e) / c) : 0;
  if (a > 0) s = within01((b * t - d) / a);
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const x = ends[p + i] + s * (ends[p + 3 + i] - ends[p + i]);
    square += (x - ends[q + i] - t * (ends[q + 3 + i] - ends[q + i])) ** 2;
  }
  return Math.sqrt(square);
}

const within01 = (x: number): number => Math.min(1, Math.max(0, x));
