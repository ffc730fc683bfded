import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionFromAxisAngle,
  quaternionFromRotation,
  slerp,
} from '../../src/math/quaternion.ts';
import { composeTrs } from '../../src/math/trs.ts';
import { rotationOf } from '../mesh/shapes.ts';

type Four = [number, number, number, number];

const component = fc.double({ min: -1, max: 1, noNaN: true });
/** Unit quaternions. */
const unit = fc
  .tuple(component, component, component, component)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q): Four => {
    const length = Math.hypot(...q);
    return q.map((x) => x / length) as Four;
  });

/** 9 numbers: what a unit quaternion does to vectors. */
function matrixOf(q: ArrayLike<number>): number[] {
  const m = new Float64Array(12);
  composeTrs(m, 0, [0, 0, 0, q[0], q[1], q[2], q[3], 1, 1, 1], 0);
  return [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
}
const product = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from({ length: 9 }, (_, c) => [0, 1, 2].reduce((sum, m) => sum + a[c - (c % 3) + m] * b[3 * m + (c % 3)], 0));
const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 12): void => {
  expect(a.length).toBe(b.length);
  for (let c = 0; c < a.length; c++) expect(a[c]).toBeCloseTo(b[c], digits);
};
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
const multiply = (a: Four, b: Four): Float64Array => {
  const out = new Float64Array(4);
  multiplyQuaternions(out, 0, a, 0, b, 0);
  return out;
};

describe('multiplyQuaternions', () => {
  it('has i·j = k, j·k = i, k·i = j and i² = −1', () => {
    const [i, j, k]: Four[] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ];
    expectClose(multiply(i, j), k);
    expectClose(multiply(j, k), i);
    expectClose(multiply(k, i), j);
    expectClose(multiply(i, i), [0, 0, 0, -1]);
  });

  it('turns by the second, then by the first', () => {
    fc.assert(
      fc.property(unit, unit, (a, b) => expectClose(matrixOf(multiply(a, b)), product(matrixOf(a), matrixOf(b)))),
    );
  });

  it('works at offsets and in place', () => {
    const data = [9, ...[0.5, 0.5, 0.5, 0.5], 9, ...[0, 0, 1, 0]];
    const expected = multiply([0.5, 0.5, 0.5, 0.5], [0, 0, 1, 0]);
    multiplyQuaternions(data, 1, data, 1, data, 6);
    expectClose(data, [9, ...expected, 9, 0, 0, 1, 0]);
  });
});

describe('quaternionFromAxisAngle', () => {
  it('is the rotation by that angle', () => {
    fc.assert(
      fc.property(unit, fc.double({ min: -7, max: 7, noNaN: true }), ([x, y, z], angle) => {
        const length = Math.hypot(x, y, z);
        fc.pre(length > 0.01);
        const q = new Float64Array(4);
        quaternionFromAxisAngle(q, 0, x / length, y / length, z / length, angle);
        expectClose(matrixOf(q), rotationOf([x, y, z], angle));
      }),
    );
  });
});

describe('quaternionFromRotation', () => {
  it('undoes composeTrs up to sign, for both strides', () => {
    fc.assert(
      fc.property(unit, (q) => {
        const m = matrixOf(q);
        const out = new Float64Array(4);
        quaternionFromRotation(out, 0, m, 0, 3);
        expect(Math.abs(dot(out, q))).toBeCloseTo(1, 12);
        const wide = [7, m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0];
        const again = new Float64Array(4);
        quaternionFromRotation(again, 0, wide, 1, 4);
        expectClose(again, out);
      }),
    );
  });

  it('holds at half turns about every axis, where the real part is 0', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1, 1, 0],
      [0, 1, 1],
      [1, 0, -1],
      [1, 2, 3],
    ] as const) {
      const out = new Float64Array(4);
      const m = rotationOf(axis, Math.PI);
      quaternionFromRotation(out, 0, m, 0, 3);
      expectClose(matrixOf(out), m);
    }
  });
});

describe('slerp', () => {
  const between = (a: Four, b: Four, t: number): Float64Array => {
    const out = new Float64Array(4);
    slerp(out, 0, a, 0, b, 0, t);
    return out;
  };

  it('meets its ends, up to sign', () => {
    fc.assert(
      fc.property(unit, unit, (a, b) => {
        expectClose(between(a, b, 0), a);
        expect(Math.abs(dot(between(a, b, 1), b))).toBeCloseTo(1, 12);
      }),
    );
  });

  it('turns at a steady rate along the shorter way', () => {
    fc.assert(
      fc.property(unit, unit, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, t) => {
        const whole = Math.acos(Math.min(1, Math.abs(dot(a, b))));
        const part = Math.acos(Math.min(1, dot(a, between(a, b, t))));
        expect(part).toBeCloseTo(t * whole, 6);
      }),
    );
  });

  it('does not divide by zero between equal or nearly equal rotations', () => {
    const a: Four = [0, 0, 0, 1];
    expectClose(between(a, a, 0.3), a);
    const near: Four = [1e-9, 0, 0, 1];
    expectClose(between(a, near, 0.5), [5e-10, 0, 0, 1], 15);
    expectClose(between(a, [0, 0, 0, -1], 0.5), a);
  });
});

describe('normalizeQuaternion', () => {
  it('scales to length 1 at an offset; zero becomes the identity', () => {
    const q = [5, 0, 3, 0, 4];
    normalizeQuaternion(q, 1);
    expect(q).toEqual([5, 0, 0.6, 0, 0.8]);
    const zero = [0, 0, 0, 0];
    normalizeQuaternion(zero);
    expect(zero).toEqual([0, 0, 0, 1]);
  });
});
