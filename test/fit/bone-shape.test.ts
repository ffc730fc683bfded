import { describe, expect, it } from 'vitest';
import { trackShaped } from '../../src/fit/proxy/bone-shape.ts';
import { multiply, transpose } from '../../src/math/dense.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { trackSvd } from '../../src/math/tracked-svd.ts';
import { rotationOf } from '../../src/math/written-svd.ts';

const FRAMES = 30;
const COVARIANCE = Float64Array.from([0.02, 0.004, 0, 0.004, 0.01, 0.001, 0, 0.001, 0.005]);

function turn(x: number, y: number, z: number, angle: number): Float64Array {
  const q = [0, 0, 0, 0];
  const length = Math.hypot(x, y, z);
  quaternionFromAxisAngle(q, 0, x / length, y / length, z / length, angle);
  return rotationOf(q);
}

const product = (a: Float64Array, b: Float64Array) => multiply(new Float64Array(9), a, b, 3, 3, 3);

/** R(t)·S(t)·Eᵀ with E constant, plus noise: as a fit leaves bones that hardly stretch. */
function nearlyRigid(noise: number): Float64Array {
  const random = seededRandom(5);
  const axes = turn(1, 2, -1, 0.7);
  const out = new Float64Array(9 * FRAMES);
  for (let k = 0; k < FRAMES; k++) {
    const scaled = turn(0.3, 1, 0.2, 0.25 * k).map(
      (x, c) => x * [1 + 0.1 * Math.sin(k), 1, 1 - 0.05 * Math.cos(2 * k)][c % 3],
    );
    const a = product(scaled, transpose(new Float64Array(9), axes, 3, 3));
    out.set(
      a.map((x) => x + noise * (random() - 0.5)),
      9 * k,
    );
  }
  return out;
}

describe('trackShaped', () => {
  it('gives back the matrices at keys', () => {
    const linear = nearlyRigid(0.1);
    const { tracked, shape } = trackShaped(linear, COVARIANCE, 0);
    for (let k = 0; k < FRAMES; k++) {
      const u = rotationOf(tracked.u.subarray(4 * k, 4 * k + 4)).map((x, c) => x * tracked.s[3 * k + (c % 3)]);
      const v = rotationOf(tracked.v.subarray(4 * k, 4 * k + 4));
      const forth = shape.axes.map((x, c) => x * shape.thinning[c % 3]); // Cᵀ
      const a = product(product(u, transpose(v.slice(), v, 3, 3)), transpose(forth.slice(), forth, 3, 3));
      for (let c = 0; c < 9; c++) expect(a[c]).toBeCloseTo(linear[9 * k + c], 12);
    }
  });

  it('leaves the second rotation of a bone that stretches along constant axes where it is', () => {
    const { tracked } = trackShaped(nearlyRigid(0), COVARIANCE, 0);
    for (let k = 0; k < FRAMES; k++) expect(Math.abs(tracked.v[4 * k + 3])).toBeCloseTo(1, 6);
  });

  it('interpolates better than the singular values alone where these nearly agree', () => {
    const linear = nearlyRigid(0.1);
    const plain = trackSvd(linear, { kind: 'affine' }, COVARIANCE, 0);
    const { tracked } = trackShaped(linear, COVARIANCE, 0);
    expect(Math.sqrt(tracked.halfWay)).toBeLessThan(0.5 * Math.sqrt(plain.halfWay));
  });

  it('copes with flat and with vanishing motions', () => {
    const flat = nearlyRigid(0.05);
    for (let c = 2; c < flat.length; c += 3) flat[c] = 0;
    for (const linear of [flat, new Float64Array(9 * FRAMES)]) {
      const { tracked, shape } = trackShaped(linear, COVARIANCE, 0);
      expect(tracked.residual).toBeLessThan(1e-9);
      for (const scale of shape.thinning) expect(scale).toBeGreaterThan(0);
    }
  });
});
