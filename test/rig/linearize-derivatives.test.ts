import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import {
  type BlendDerivative,
  deriveByDifference,
  deriveDualQuaternions,
  deriveScaledDualQuaternions,
} from '../../src/rig/linearize/blend-derivatives.ts';
import { BonePose, type Influences } from '../../src/skin/bones.ts';
import {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendScaledDualQuaternions,
} from '../../src/skin/operators.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';

/** A random pose of five bones and weights of n of them, the largest first. */
function randomBlend(seed: number, n: number, stretch: boolean): { pose: BonePose; at: Influences } {
  const random = seededRandom(seed);
  const rig = randomRig({ seed, vertices: 3, bones: 5 });
  const pose = new BonePose(rig.skeleton);
  pose.set(randomPose(rig, { seed, angle: 1.5, scale: stretch ? 1.5 : 1 }));
  const raw = Array.from({ length: n }, () => 0.1 + Math.abs(randomNormal(random))).sort((a, b) => b - a);
  const sum = raw.reduce((a, b) => a + b, 0);
  return { pose, at: { joints: [0, 1, 2, 3, 4].slice(0, n), weights: raw.map((x) => x / sum), start: 0, k: n } };
}

/** A central difference along any direction of the weights. */
function difference(
  blend: Blend,
  at: Influences,
  pose: BonePose,
  antipodality: boolean,
  direction: number[],
): number[] {
  const h = 1e-5;
  const moved = (sign: number): Float64Array => {
    const out = new Float64Array(12);
    const weights = direction.map((d, l) => at.weights[at.start + l] + sign * h * d);
    blend(out, { ...at, weights }, pose, antipodality);
    return out;
  };
  const [ahead, behind] = [moved(1), moved(-1)];
  return Array.from(ahead, (x, c) => (x - behind[c]) / (2 * h));
}

const CASES: [string, BlendDerivative, Blend, boolean][] = [
  ['dual quaternions', deriveDualQuaternions, blendDualQuaternions, false],
  ['dual quaternions with scale', deriveScaledDualQuaternions, blendScaledDualQuaternions, true],
  ['iterative dual quaternions, by differences', deriveByDifference(blendIterative), blendIterative, false],
];

describe.each(CASES)('derivative of %s', (_, derivative, blend, stretch) => {
  it('equals finite differences along e_l − u', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 4 }), (seed, n) => {
        const { pose, at } = randomBlend(seed, n, stretch);
        const out = new Float64Array(12);
        for (let l = 0; l < n; l++) {
          derivative(out, at, pose, true, l);
          const direction = Array.from({ length: n }, (__, s) => (s === l ? 1 : 0) - at.weights[s]);
          const expected = difference(blend, at, pose, true, direction);
          const size = 1 + Math.max(...expected.map(Math.abs));
          expected.forEach((x, c) => {
            expect(Math.abs(out[c] - x) / size).toBeLessThan(2e-4);
          });
        }
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('gives the printed ∂/∂x_l, where the last weight makes up, as the difference of two', () => {
    const { pose, at } = randomBlend(42, 3, stretch);
    const [first, last] = [new Float64Array(12), new Float64Array(12)];
    derivative(first, at, pose, true, 0);
    derivative(last, at, pose, true, 2);
    difference(blend, at, pose, true, [1, 0, -1]).forEach((x, c) => {
      expect(first[c] - last[c]).toBeCloseTo(x, 3);
    });
  });
});

it('changes nothing where influences have cancelled and the heaviest bone stands in', () => {
  const rig = randomRig({ seed: 1, vertices: 3, bones: 2 });
  const pose = new BonePose(rig.skeleton);
  pose.set(randomPose(rig, { seed: 3 }));
  for (let c = 0; c < 8; c++) pose.duals[8 + c] = -pose.duals[c];
  const out = new Float64Array(12).fill(1);
  deriveDualQuaternions(out, { joints: [0, 1], weights: [0.5, 0.5], start: 0, k: 2 }, pose, false, 0);
  expect(Array.from(out)).toEqual(new Array(12).fill(0));
});
