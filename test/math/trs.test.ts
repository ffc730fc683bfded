import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { determinant34, identity34, invert34, multiply34, transformPoint34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { composeTrs, decomposeTrs, forwardKinematics, interpolateTrs, skinTransforms } from '../../src/math/trs.ts';
import { rotationOf } from '../mesh/shapes.ts';

const REST = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1];

/** A local pose: translation, unit quaternion, scale between 0.2 and 2. */
function randomLocal(seed: number, signs: readonly number[] = [1, 1, 1]): number[] {
  const random = seededRandom(seed);
  const q = [1, 2, 3, 4].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  return [
    ...[1, 2, 3].map(() => 4 * random() - 2),
    ...q.map((x) => x / length),
    ...signs.map((sign) => sign * (0.2 + 1.8 * random())),
  ];
}
const compose = (local: ArrayLike<number>): Float64Array => {
  const m = new Float64Array(12);
  composeTrs(m, 0, Float64Array.from(local), 0);
  return m;
};
const expectClose = (a: ArrayLike<number>, b: ArrayLike<number>, digits = 10): void => {
  expect(a.length).toBe(b.length);
  for (let c = 0; c < a.length; c++) expect(a[c]).toBeCloseTo(b[c], digits);
};

describe('composeTrs', () => {
  it('scales, then turns, then moves', () => {
    const half = Math.SQRT1_2; // a quarter turn about z
    const m = compose([10, 20, 30, 0, 0, half, half, 2, 3, 4]);
    const p = [0, 0, 0];
    transformPoint34(p, 0, m, 0, [1, 1, 1], 0);
    expectClose(p, [10 - 3, 20 + 2, 34]);
    expectClose(compose(REST), identity34());
  });
});

describe('decomposeTrs', () => {
  it('gives back what was composed, mirrored or not', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom([1, 1, 1], [-1, 1, 1], [1, -1, -1]), (seed, signs) => {
        const m = compose(randomLocal(seed, signs));
        const out = new Float64Array(10);
        expect(decomposeTrs(out, 0, m, 0)).toBeLessThan(1e-12);
        expectClose(compose(out), m);
        expect(Math.hypot(out[3], out[4], out[5], out[6])).toBeCloseTo(1, 12);
        expect(Math.sign(out[7] * out[8] * out[9])).toBe(Math.sign(determinant34(m)));
      }),
    );
  });

  it('tells how much shear is lost', () => {
    const sheared = [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
    expect(decomposeTrs(new Float64Array(10), 0, sheared, 0)).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it.each([
    [0, 1, 2],
    [1, 0, 2],
    [2, 0, 1],
    [0, 0, 1],
    [1, 0, 0],
    [0, 3, 0],
    [0, 0, 0],
  ])('keeps a proper frame with scales %d, %d, %d', (...scales) => {
    const r = rotationOf([3, -1, 2], 1.2);
    const m = [0, 1, 2].flatMap((row) => [...[0, 1, 2].map((col) => r[3 * row + col] * scales[col]), row]);
    const out = new Float64Array(10);
    decomposeTrs(out, 0, m, 0);
    expect(Math.hypot(out[3], out[4], out[5], out[6])).toBeCloseTo(1, 12);
    expectClose(compose(out), m);
  });
});

describe('interpolateTrs', () => {
  it('meets both ends and goes half way in between', () => {
    const [a, b] = [randomLocal(1), randomLocal(2)];
    const out = new Float64Array(10);
    interpolateTrs(out, 0, a, 0, b, 0, 0);
    expectClose(compose(out), compose(a));
    interpolateTrs(out, 0, a, 0, b, 0, 1);
    expectClose(compose(out), compose(b));
    interpolateTrs(out, 0, a, 0, b, 0, 0.5);
    for (const c of [0, 1, 2, 7, 8, 9]) expect(out[c]).toBeCloseTo((a[c] + b[c]) / 2, 12);
  });
});

describe('forwardKinematics', () => {
  it('multiplies down the hierarchy', () => {
    const parents = new Int32Array([-1, 0, 1, 0]);
    const locals = [1, 2, 3, 4].map((seed) => randomLocal(seed));
    const world = new Float64Array(48);
    forwardKinematics(world, parents, locals.flat());
    parents.forEach((_, j) => {
      let expected = compose(locals[j]);
      for (let up = parents[j]; up >= 0; up = parents[up]) {
        const next = new Float64Array(12);
        multiply34(next, 0, compose(locals[up]), 0, expected, 0);
        expected = next;
      }
      expectClose(world.subarray(12 * j, 12 * j + 12), expected);
    });
  });
});

describe('skinTransforms', () => {
  it('are identities in the bind pose, frame by frame', () => {
    const parents = new Int32Array([-1, 0, 1]);
    const rest = [5, 6, 7].flatMap((seed) => randomLocal(seed));
    const world = new Float64Array(36);
    forwardKinematics(world, parents, rest);
    const inverseBind = new Float64Array(36);
    for (let j = 0; j < 3; j++) expect(invert34(inverseBind, 12 * j, world, 12 * j)).toBe(true);
    const bent = rest.slice();
    bent.splice(20, 3, 9, 9, 9); // the last bone moves
    const skin = skinTransforms(parents, inverseBind, Float64Array.from([...rest, ...bent]));
    expect(skin.length).toBe(72);
    expectClose(skin.subarray(0, 36), identity34(3), 5);
    expectClose(skin.subarray(36, 60), identity34(2), 5);
    const moved = new Float64Array(36);
    forwardKinematics(moved, parents, bent);
    const expected = new Float64Array(12);
    multiply34(expected, 0, moved, 24, inverseBind, 24);
    expectClose(skin.subarray(60), expected, 4);
  });
});
