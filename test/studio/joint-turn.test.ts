import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplyQuaternions, quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { turnedAbout } from '../../studio/src/core/rig/joint-turn.ts';
import { type Angles, NO_TURN, quaternionOf, withTurn } from '../../studio/src/core/rig/rig-pose.ts';

describe('a joint turned further', () => {
  const angle = fc.double({ min: -180, max: 180, noNaN: true });

  it('has angles of the same rotation, about any axis', () => {
    fc.assert(
      fc.property(fc.tuple(angle, angle, angle), fc.tuple(angle, angle, angle), angle, (before, vector, degrees) => {
        const length = Math.hypot(...vector);
        fc.pre(length > 1);
        const axis = vector.map((x) => x / length) as [number, number, number];
        const expected = [0, 0, 0, 1];
        quaternionFromAxisAngle(expected, 0, ...axis, (degrees * Math.PI) / 180);
        multiplyQuaternions(expected, 0, quaternionOf(before), 0, expected, 0);
        const q = quaternionOf(turnedAbout(before, axis, degrees));
        const dot = q.reduce((sum, x, c) => sum + x * expected[c], 0);
        // Angles are kept to a hundredth of a degree.
        expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-6);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it.each([0, 1, 2])('about its own axis %i: this angle grows, the others stay', (axis) => {
    const unit = [0, 1, 2].map((c) => Number(c === axis)) as [number, number, number];
    for (const degrees of [-179, -120, -90, -30, 15, 90, 135, 180]) {
      let angles: Angles = NO_TURN;
      // As a drag does: never far from the angles before.
      for (let step = 1; step <= 6; step++) angles = turnedAbout(angles, unit, degrees / 6);
      angles.forEach((found, c) => {
        expect(found).toBeCloseTo(c === axis ? degrees : 0, 1);
      });
    }
  });

  it('is among the turns only while it turns', () => {
    const turns = withTurn(new Map(), 3, [0, 20, 0]);
    expect([...turns]).toEqual([[3, [0, 20, 0]]]);
    expect(withTurn(turns, 3, NO_TURN).size).toBe(0);
  });
});
