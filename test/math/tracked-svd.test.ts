import { describe, expect, it } from 'vitest';
import { multiply, transpose } from '../../src/math/dense.ts';
import { quaternionFromAxisAngle, quaternionFromRotation, slerp } from '../../src/math/quaternion.ts';
import { type Random, randomNormal, seededRandom } from '../../src/math/rng.ts';
import { svd3 } from '../../src/math/svd3.ts';
import { type TrackedSvd, trackSvd } from '../../src/math/tracked-svd.ts';
import { composeTrs } from '../../src/math/trs.ts';
import type { TrackedKind } from '../../src/math/written-svd.ts';

const COVARIANCE = Float64Array.from([2, 0.3, 0, 0.3, 1, -0.2, 0, -0.2, 0.5]);
const ISOTROPIC = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]);
const AFFINE: TrackedKind = { kind: 'affine' };

const product = (...factors: Float64Array[]): Float64Array =>
  factors.reduce((a, b) => multiply(new Float64Array(9), a, b, 3, 3, 3));
const transposed = (m: Float64Array): Float64Array => transpose(new Float64Array(9), m, 3, 3);
const diagonal = (s: ArrayLike<number>): Float64Array => Float64Array.from([s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]]);

function rotation(q: ArrayLike<number>): Float64Array {
  const m = new Float64Array(12);
  composeTrs(m, 0, [0, 0, 0, q[0], q[1], q[2], q[3], 1, 1, 1], 0);
  return Float64Array.from([m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]]);
}

function turn(axis: [number, number, number], angle: number): Float64Array {
  const q = [0, 0, 0, 0];
  const length = Math.hypot(...axis);
  quaternionFromAxisAngle(q, 0, axis[0] / length, axis[1] / length, axis[2] / length, angle);
  return rotation(q);
}

const matrixAt = ({ u, s, v }: TrackedSvd, k: number): Float64Array =>
  product(
    rotation(u.subarray(4 * k, 4 * k + 4)),
    diagonal(s.subarray(3 * k, 3 * k + 3)),
    transposed(rotation(v.subarray(4 * k, 4 * k + 4))),
  );

/** What a player shows half-way between keys k − 1 and k. */
function halfWay({ u, s, v }: Pick<TrackedSvd, 'u' | 's' | 'v'>, k: number): Float64Array {
  const mean = (q: Float64Array) => {
    const out = [0, 0, 0, 0];
    slerp(out, 0, q, 4 * k - 4, q, 4 * k, 0.5);
    return rotation(out);
  };
  const scale = [0, 1, 2].map((c) => (s[3 * k - 3 + c] + s[3 * k + c]) / 2);
  return product(mean(u), diagonal(scale), transposed(mean(v)));
}

/** Root mean square distance between two matrices on points of this covariance. */
function distance(a: Float64Array, b: Float64Array, covariance: Float64Array): number {
  const d = a.map((x, c) => x - b[c]);
  const m = product(d, covariance, transposed(d));
  return Math.sqrt(Math.max(0, m[0] + m[4] + m[8]));
}

function halfWayErrors(linear: Float64Array, tracked: TrackedSvd, covariance: Float64Array): number[] {
  return Array.from({ length: linear.length / 9 - 1 }, (_, at) => {
    const k = at + 1;
    const mean = Float64Array.from({ length: 9 }, (__, c) => (linear[9 * k - 9 + c] + linear[9 * k + c]) / 2);
    return distance(halfWay(tracked, k), mean, covariance);
  });
}

const flatten = (matrices: readonly Float64Array[]): Float64Array => Float64Array.from(matrices.flatMap((m) => [...m]));
const randomMatrix = (random: Random): Float64Array => Float64Array.from({ length: 9 }, () => randomNormal(random));

function expectExact(linear: Float64Array, tracked: TrackedSvd, tolerance: number): void {
  for (let k = 0; k < linear.length / 9; k++) {
    expect(distance(matrixAt(tracked, k), linear.subarray(9 * k, 9 * k + 9), ISOTROPIC)).toBeLessThan(tolerance);
  }
}

/** Every proper signed permutation and even sign matrix, as matrices, from all signed permutations there are. */
function allWays(): { p: Float64Array; d: Float64Array }[] {
  const out: { p: Float64Array; d: Float64Array }[] = [];
  const orders = [0, 1, 2].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1, 2].map((c) => [a, b, c])));
  for (const order of orders.filter((o) => new Set(o).size === 3)) {
    for (let signs = 0; signs < 8; signs++) {
      const p = new Float64Array(9);
      for (let c = 0; c < 3; c++) p[3 * order[c] + c] = (signs >> c) & 1 ? -1 : 1;
      const det =
        p[0] * (p[4] * p[8] - p[5] * p[7]) - p[1] * (p[3] * p[8] - p[5] * p[6]) + p[2] * (p[3] * p[7] - p[4] * p[6]);
      if (det < 0) continue;
      for (const d of [
        [1, 1, 1],
        [1, -1, -1],
        [-1, 1, -1],
        [-1, -1, 1],
      ])
        out.push({ p, d: diagonal(d) });
    }
  }
  return out;
}

describe('trackSvd', () => {
  it('writes every matrix exactly, also mirrored and singular ones', () => {
    const random = seededRandom(1);
    const matrices = Array.from({ length: 60 }, () => randomMatrix(random));
    matrices.push(new Float64Array(9), diagonal([1, 1, 0]), diagonal([-1, 2, 1]), diagonal([1, 0, 0]));
    const linear = flatten(matrices);
    const tracked = trackSvd(linear, AFFINE, COVARIANCE, 1e-9);
    expectExact(linear, tracked, 1e-8);
    expect(tracked.residual).toBeLessThan(1e-8);
  });

  it('finds the least half-way error among all 96 ways, unless that takes a step beyond 1.9 rad', () => {
    const random = seededRandom(2);
    const ways = allWays();
    expect(ways.length).toBe(96);
    // The error that decides has a small part in every direction.
    const metric = COVARIANCE.map((x, c) => x + (c % 4 === 0 ? (1e-2 * 3.5) / 3 : 0));
    let compared = 0;
    for (let trial = 0; trial < 100; trial++) {
      const first = randomMatrix(random);
      const second = first.map((x) => x + 0.5 * randomNormal(random));
      const linear = flatten([first, second]);
      const tracked = trackSvd(linear, AFFINE, COVARIANCE, 0);
      const mean = first.map((x, c) => (x + second[c]) / 2);
      const u = new Float64Array(9);
      const s = new Float64Array(3);
      const v = new Float64Array(9);
      svd3(u, s, v, second);
      let least = Infinity;
      for (const { p, d } of ways) {
        const way = { u: tracked.u.slice(), s: tracked.s.slice(), v: tracked.v.slice() };
        quaternionFromRotation(way.u, 4, product(u, p, d), 0, 3);
        quaternionFromRotation(way.v, 4, product(v, p), 0, 3);
        const scale = product(d, transposed(p), diagonal(s), p);
        way.s.set([scale[0], scale[4], scale[8]], 3);
        const angle = (q: Float64Array) =>
          2 * Math.acos(Math.min(1, Math.abs(q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7])));
        if (Math.max(angle(way.u), angle(way.v)) < 1.9)
          least = Math.min(least, distance(halfWay(way, 1), mean, metric));
      }
      if (least === Infinity) continue; // no way within the guard
      compared++;
      expect(distance(halfWay(tracked, 1), mean, metric)).toBeCloseTo(least, 6);
    }
    expect(compared).toBeGreaterThan(50);
  });

  const smooth: Record<string, (t: number) => Float64Array> = {
    'a turn by four whole circles': (t) => turn([1, 2, 3], 8 * Math.PI * t),
    'scales that cross each other': (t) =>
      product(turn([1, 0, 1], 2 * t), diagonal([1 + t, 2 - t, 1]), turn([0, 1, 1], 1)),
    'a mirror, through flat': (t) => product(turn([0, 1, 0], t), diagonal([1, 1 - 2 * t, 1.3]), turn([1, 0, 2], 0.5)),
    'turning scale axes': (t) => {
      const axes = turn([1, 1, 0], 5 * t);
      return product(turn([0, 0, 1], 3 * t), axes, diagonal([1.5, 1, 0.6]), transposed(axes));
    },
    'scales that are equal for a while': (t) => {
      const axes = turn([0, 1, 0], 4 * t);
      const s = 1 + 0.5 * Math.max(0, Math.abs(t - 0.5) - 0.2);
      return product(turn([1, 0, 0], 3 * t), axes, diagonal([s, 1, 1 / s]), transposed(axes));
    },
  };
  it.each(Object.entries(smooth))('follows %s smoothly', (_, motion) => {
    const keys = 100;
    const linear = flatten(Array.from({ length: keys }, (__, k) => motion(k / (keys - 1))));
    const tracked = trackSvd(linear, AFFINE, ISOTROPIC, 1e-6);
    expectExact(linear, tracked, 1e-5);
    // Second order in the step: a step of at most 0.3 rad is off by at most its square over 8, twice.
    expect(Math.max(...halfWayErrors(linear, tracked, ISOTROPIC))).toBeLessThan(0.03);
    for (let c = 4; c < 4 * keys; c += 4) {
      for (const q of [tracked.u, tracked.v]) {
        const dot = q[c] * q[c - 4] + q[c + 1] * q[c - 3] + q[c + 2] * q[c - 2] + q[c + 3] * q[c - 1];
        expect(dot).toBeGreaterThan(0.9);
      }
    }
  });

  it('keeps rigid motion rigid, and its axes still', () => {
    const linear = flatten(Array.from({ length: 30 }, (_, k) => turn([3, 1, k], 0.2 * k)));
    const tracked = trackSvd(linear, AFFINE, COVARIANCE, 1e-6);
    for (const s of tracked.s) expect(s).toBeCloseTo(1, 12);
    for (let c = 0; c < tracked.v.length; c += 4) expect(Math.abs(tracked.v[c + 3])).toBeCloseTo(1, 6);
  });

  it('writes TRS along the axes it is given, whatever the signs', () => {
    const random = seededRandom(4);
    const axes = turn([1, -2, 0.5], 0.9);
    const matrices = Array.from({ length: 40 }, (_, k) =>
      product(
        turn([1, k / 10, 0], 0.3 * k),
        diagonal([1 + 0.1 * randomNormal(random), k === 7 ? 0 : 1, k > 20 ? 0.4 - 0.05 * (k - 20) : 0.4]),
        transposed(axes),
      ),
    );
    matrices.push(product(diagonal([-2, 1, 1]), transposed(axes)));
    const linear = flatten(matrices);
    const tracked = trackSvd(linear, { kind: 'trs', axes }, COVARIANCE, 0);
    expectExact(linear, tracked, 1e-9);
    for (let k = 0; k < matrices.length; k++) {
      expect(distance(rotation(tracked.v.subarray(4 * k, 4 * k + 4)), axes, ISOTROPIC)).toBeLessThan(1e-12);
    }
    const wrong = trackSvd(linear, { kind: 'trs', axes: ISOTROPIC }, COVARIANCE, 0);
    expect(wrong.residual).toBeGreaterThan(0.01);
  });
});
