import fc from 'fast-check';
import { SphericalHarmonics3, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { cosineLobe, evaluateSh, shCount, shRotation } from '../../src/math/spherical-harmonics.ts';
import { rotationOf } from '../mesh/shapes.ts';

const ORDERS = [1, 2, 3, 4, 5, 6];

const part = fc.double({ min: -1, max: 1, noNaN: true });
const direction = fc
  .tuple(part, part, part)
  .filter((v) => Math.hypot(...v) > 0.1)
  .map((v) => v.map((x) => x / Math.hypot(...v)) as [number, number, number]);
/** Rotations, and reflections in every other case. */
const turn = fc
  .tuple(direction, fc.double({ min: -4, max: 4, noNaN: true }), fc.boolean())
  .map(([axis, angle, mirrored]) => {
    const r = Array.from(rotationOf(axis, angle));
    return mirrored ? r.map((x) => -x) : r;
  });

const values = (order: number, [x, y, z]: ArrayLike<number> & Iterable<number>): Float64Array => {
  const out = new Float64Array(shCount(order));
  evaluateSh(order, x, y, z, out);
  return out;
};
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, c) => sum + x * b[c], 0);
const product = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from({ length: 9 }, (_, c) => [0, 1, 2].reduce((sum, m) => sum + a[c - (c % 3) + m] * b[3 * m + (c % 3)], 0));
/** Rᵀ v. */
const turnedBack = (r: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] => [
  r[0] * v[0] + r[3] * v[1] + r[6] * v[2],
  r[1] * v[0] + r[4] * v[1] + r[7] * v[2],
  r[2] * v[0] + r[5] * v[1] + r[8] * v[2],
];
const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 11): void => {
  expect(a.length).toBe(b.length);
  for (let c = 0; c < a.length; c++) expect(a[c]).toBeCloseTo(b[c], digits);
};

/** Midpoints in z and azimuth, with equal solid angles. */
function* sphere(rows: number, columns: number): Generator<[number, number, number]> {
  for (let row = 0; row < rows; row++) {
    const z = 1 - (2 * row + 1) / rows;
    const radius = Math.sqrt(1 - z * z);
    for (let column = 0; column < columns; column++) {
      const azimuth = (2 * Math.PI * (column + 0.5)) / columns;
      yield [radius * Math.cos(azimuth), radius * Math.sin(azimuth), z];
    }
  }
}

describe('evaluateSh', () => {
  it('is orthonormal', () => {
    const count = shCount(6);
    const gram = new Float64Array(count * count);
    const [rows, columns] = [400, 24];
    for (const v of sphere(rows, columns)) {
      const y = values(6, v);
      for (let a = 0; a < count; a++) for (let b = 0; b < count; b++) gram[a * count + b] += y[a] * y[b];
    }
    const identity = gram.map((_, at) => (at % (count + 1) === 0 ? 1 : 0));
    expectClose(
      gram.map((sum) => (sum * 4 * Math.PI) / (rows * columns)),
      identity,
      3,
    );
  });

  it('has the addition theorem: Σ y_lm² = (2l + 1) / 4π in every band', () => {
    fc.assert(
      fc.property(direction, (v) => {
        const y = values(6, v);
        for (let l = 0; l < 6; l++) {
          const band = y.slice(l * l, (l + 1) ** 2);
          expect(dot(band, band)).toBeCloseTo((2 * l + 1) / (4 * Math.PI), 12);
        }
      }),
    );
  });

  it('numbers and signs its first nine as three.js does', () => {
    fc.assert(
      fc.property(direction, (v) => {
        const theirs: number[] = [];
        SphericalHarmonics3.getBasisAt(new Vector3(...v), theirs);
        expectClose(values(3, v), theirs, 5);
      }),
    );
  });

  it.each(ORDERS)('of order %i is the start of the highest, at any offset', (order) => {
    const v: [number, number, number] = [0.48, -0.6, 0.64];
    const out = new Float64Array(shCount(order) + 3).fill(7);
    evaluateSh(order, ...v, out, 2);
    expect(Array.from(out)).toEqual([7, 7, ...values(6, v).slice(0, shCount(order)), 7]);
  });
});

describe('shRotation', () => {
  it.each(ORDERS)('turns functions of order %i: (D c)(ω) = c(Rᵀ ω)', (order) => {
    fc.assert(
      fc.property(turn, direction, fc.array(part, { minLength: 36, maxLength: 36 }), (r, v, c) => {
        const from = c.slice(0, shCount(order));
        const to = new Float64Array(shCount(order));
        shRotation(order, r).apply(from, to);
        expect(dot(to, values(order, v))).toBeCloseTo(dot(from, values(order, turnedBack(r, v))), 10);
      }),
    );
  });

  it('D(R S) = D(R) D(S), and the inverse is the transpose', () => {
    fc.assert(
      fc.property(turn, turn, fc.array(part, { minLength: 36, maxLength: 36 }), (r, s, c) => {
        const stepwise = new Float64Array(36);
        shRotation(6, s).apply(c, stepwise);
        shRotation(6, r).apply(stepwise, stepwise);
        const atOnce = new Float64Array(36);
        shRotation(6, product(r, s)).apply(c, atOnce);
        expectClose(stepwise, atOnce);
        shRotation(6, product(r, s)).applyInverse(atOnce, atOnce);
        expectClose(atOnce, c);
      }),
    );
  });

  it('keeps every band to itself, and works at offsets and in a given one', () => {
    const r = rotationOf([1, 2, 3], 0.7);
    const given = shRotation(5, rotationOf([0, 1, 0], 2));
    expect(shRotation(5, r, given)).toBe(given);
    const data = new Float32Array(60).fill(9);
    const from = Float64Array.from({ length: 30 }, (_, c) => (c === 3 + 6 ? 1 : 0)); // band 2
    given.apply(from, data, 3, 10);
    const bands = [...data.slice(10, 14), ...data.slice(19, 35)];
    expect(bands.every((x) => x === 0)).toBe(true);
    expect(Math.hypot(...data.slice(14, 19))).toBeCloseTo(1, 6);
    expect(data[9]).toBe(9);
    expect(data[35]).toBe(9);
  });
});

describe('cosineLobe', () => {
  it('is the integral of the clamped cosine', () => {
    const n: [number, number, number] = [0.6, -0.48, 0.64];
    const sums = new Float64Array(36);
    const [rows, columns] = [400, 400];
    for (const v of sphere(rows, columns)) {
      const cosine = Math.max(0, dot(n, v));
      if (cosine > 0) for (const [c, y] of values(6, v).entries()) sums[c] += (4 * cosine * y) / (rows * columns);
    }
    const lobe = new Float64Array(36);
    cosineLobe(6, n, lobe);
    expectClose(lobe, sums, 4);
  });

  it('reads and writes at offsets, and turns with its normal', () => {
    fc.assert(
      fc.property(turn, direction, (r, n) => {
        const there = new Float64Array(26);
        cosineLobe(5, [0, 0, ...n], there, 1, 2);
        const back = new Float64Array(25);
        shRotation(5, r).applyInverse(there, back, 1);
        const own = new Float64Array(25);
        cosineLobe(5, turnedBack(r, n), own);
        expectClose(back, own);
      }),
    );
  });
});
