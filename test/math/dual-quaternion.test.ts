import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  conjugateDual,
  dualFromRigid,
  expDual,
  logDual,
  matrix34FromDual,
  multiplyDuals,
  normalizeDual,
} from '../../src/math/dual-quaternion.ts';
import { multiply34 } from '../../src/math/matrix34.ts';
import { normalizeQuaternion } from '../../src/math/quaternion.ts';
import { composeTrs } from '../../src/math/trs.ts';

const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
/** Translation and unit quaternion. */
const motion = fc
  .tuple(fc.tuple(coordinate, coordinate, coordinate), fc.tuple(coordinate, coordinate, coordinate, coordinate))
  .filter(([, q]) => Math.hypot(...q) > 0.1)
  .map(([t, q]) => {
    const unit = Float64Array.from(q);
    normalizeQuaternion(unit);
    return { t: Float64Array.from(t), q: unit };
  });

const dualOf = ({ t, q }: { t: Float64Array; q: Float64Array }): Float64Array => {
  const out = new Float64Array(8);
  dualFromRigid(out, 0, q, 0, t, 0);
  return out;
};

const matrixOf = ({ t, q }: { t: Float64Array; q: Float64Array }): Float64Array => {
  const out = new Float64Array(12);
  composeTrs(out, 0, [...t, ...q, 1, 1, 1], 0);
  return out;
};

function close(a: Float64Array, b: Float64Array, tolerance = 1e-12): void {
  expect(a.length).toBe(b.length);
  for (let c = 0; c < a.length; c++) expect(Math.abs(a[c] - b[c])).toBeLessThan(tolerance);
}

describe('dual quaternions', () => {
  it('are the same motion as their matrix, at any length and whatever lies along the real part', () => {
    fc.assert(
      fc.property(motion, fc.double({ min: 0.1, max: 9, noNaN: true }), coordinate, (m, scale, along) => {
        const dual = dualOf(m).map((x) => scale * x);
        for (let c = 0; c < 4; c++) dual[4 + c] += along * dual[c];
        const out = new Float64Array(12);
        matrix34FromDual(out, 0, dual, 0);
        close(out, matrixOf(m), 1e-11);
        normalizeDual(dual);
        close(dual, dualOf(m), 1e-11);
      }),
    );
  });

  it('multiply like matrices, in place too', () => {
    fc.assert(
      fc.property(motion, motion, (a, b) => {
        const product = dualOf(a);
        multiplyDuals(product, 0, product, 0, dualOf(b), 0);
        const matrix = matrixOf(a);
        multiply34(matrix, 0, matrix, 0, matrixOf(b), 0);
        const out = new Float64Array(12);
        matrix34FromDual(out, 0, product, 0);
        close(out, matrix, 1e-11);
      }),
    );
  });

  it('are undone by their conjugate', () => {
    fc.assert(
      fc.property(motion, (m) => {
        const out = new Float64Array(8);
        conjugateDual(out, 0, dualOf(m), 0);
        multiplyDuals(out, 0, out, 0, dualOf(m), 0);
        close(out, Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0));
      }),
    );
  });

  it('come back from their logarithm, in place too', () => {
    fc.assert(
      fc.property(motion, fc.constantFrom(1, 1e-2, 1e-4, 1e-9, 0), (m, size) => {
        // Shrink the rotation towards the identity, where the formulas become quotients of zeros.
        for (let c = 0; c < 3; c++) m.q[c] *= size;
        normalizeQuaternion(m.q);
        fc.pre(m.q[3] > -0.999);
        const dual = dualOf(m);
        logDual(dual, 0, dual, 0);
        expDual(dual, 0, dual, 0);
        close(dual, dualOf(m), 1e-10);
      }),
    );
  });

  it('have the logarithm of a screw: half the angle and half the shift along the axis', () => {
    const log = new Float64Array(6);
    logDual(log, 0, dualOf({ t: Float64Array.of(0, 0, 5), q: Float64Array.of(0, 0, Math.sin(1), Math.cos(1)) }), 0);
    close(log, Float64Array.of(0, 0, 1, 0, 0, 2.5));
  });

  it('tell q and −q apart by the way they turn', () => {
    const turn = (h: number) =>
      dualOf({ t: Float64Array.of(0, 0, 0), q: Float64Array.of(Math.sin(h), 0, 0, Math.cos(h)) });
    const log = new Float64Array(6);
    logDual(log, 0, turn(2.8), 0);
    expect(log[0]).toBeCloseTo(2.8);
    logDual(
      log,
      0,
      turn(2.8).map((x) => -x),
      0,
    );
    expect(log[0]).toBeCloseTo(2.8 - Math.PI);
    logDual(log, 0, Float64Array.of(0, 0, 0, -1, 0, 0, 0, 0), 0);
    expect([...log]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
