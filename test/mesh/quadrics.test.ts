import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addPlane, addPoint, evaluateQuadric, minimizeQuadrics, QUADRIC } from '../../src/mesh/decimation/quadrics.ts';

describe('quadrics', () => {
  const number = fc.double({ min: -2, max: 2, noNaN: true });
  const point = fc.tuple(number, number, number);

  it('are squared distances to planes and points', () => {
    fc.assert(
      fc.property(point, point, point, (direction, on, v) => {
        const length = Math.hypot(...direction);
        fc.pre(length > 1e-3);
        const n = direction.map((x) => x / length);
        const q = new Float64Array(QUADRIC);
        addPlane(q, 0, n[0], n[1], n[2], -(n[0] * on[0] + n[1] * on[1] + n[2] * on[2]), 2);
        addPoint(q, 0, on[0], on[1], on[2], 3);
        const distance = n.reduce((sum, x, c) => sum + x * (v[c] - on[c]), 0);
        const expected = 2 * distance ** 2 + 3 * on.reduce((sum, x, c) => sum + (v[c] - x) ** 2, 0);
        expect(evaluateQuadric(q, 0, v[0], v[1], v[2])).toBeCloseTo(expected, 10);
      }),
    );
  });

  it('are least where three planes meet, and have no minimum where two do', () => {
    const q = new Float64Array(2 * QUADRIC);
    addPlane(q, 0, 1, 0, 0, -3, 1);
    addPlane(q, QUADRIC, 0, 0.6, 0.8, -5, 2);
    const v = new Float64Array([7, 7, 7]);
    expect(minimizeQuadrics(v, 0, q, 0, QUADRIC)).toBe(false);
    expect([...v]).toEqual([7, 7, 7]);
    addPlane(q, QUADRIC, 0, 0.8, -0.6, 0, 1);
    expect(minimizeQuadrics(v, 0, q, 0, QUADRIC)).toBe(true);
    [3, 3, 4].forEach((x, c) => {
      expect(v[c]).toBeCloseTo(x, 10);
    });
  });
});
