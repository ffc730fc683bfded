import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachPixel, environmentAt, environmentSh } from '../../src/light/environment.ts';
import { extractSuns } from '../../src/light/suns.ts';
import { cosineLobe, evaluateSh, shCount } from '../../src/math/spherical-harmonics.ts';
import { validateEnvironment } from '../../src/model/environment.ts';
import { refusal } from '../refusal.ts';
import { mapOf } from './maps.ts';

const valuesOf = (order: number, x: number, y: number, z: number): Float64Array => {
  const out = new Float64Array(shCount(order));
  evaluateSh(order, x, y, z, out);
  return out;
};
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, c) => sum + x * b[c], 0);
const unit = (...v: [number, number, number]): [number, number, number] =>
  v.map((x) => x / Math.hypot(...v)) as [number, number, number];

/** Even light and a disc of `radius` radians around a direction. */
const withSun = (width: number, [sx, sy, sz]: readonly [number, number, number], radius: number, brightness: number) =>
  mapOf(width, (x, y, z) => {
    const inside = Math.acos(Math.min(1, x * sx + y * sy + z * sz)) < radius;
    return inside ? [brightness, brightness, brightness / 2] : [1, 2, 3];
  });

describe('environmentSh', () => {
  it('of even light is band 0 alone', () => {
    const light = environmentSh(
      mapOf(256, () => [1, 2, 3]),
      5,
    );
    for (let c = 0; c < 3; c++) {
      for (let i = 0; i < 25; i++) {
        expect(light[25 * c + i]).toBeCloseTo(i === 0 ? (c + 1) * Math.sqrt(4 * Math.PI) : 0, 2);
      }
    }
  });

  it('finds the coefficients of light made of them', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 36, maxLength: 36 }), (given) => {
        const map = mapOf(128, (x, y, z) => {
          const value = 10 + dot(given, valuesOf(6, x, y, z));
          return [value, 2 * value, 0];
        });
        const light = environmentSh(map, 6);
        for (let i = 0; i < 36; i++) {
          const expected = given[i] + (i === 0 ? 10 * Math.sqrt(4 * Math.PI) : 0);
          expect(Math.abs(light[i] - expected)).toBeLessThan(0.01);
          expect(light[36 + i]).toBeCloseTo(2 * light[i], 4);
          expect(light[72 + i]).toBe(0);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('is the sum over pixels, weighted by their solid angles', () => {
    const map = mapOf(32, (x, y, z) => [Math.abs(x) + z + 1, y * y, 1 + y]);
    const sums = new Float64Array(75);
    let sphere = 0;
    eachPixel(map, (at, x, y, z, solidAngle) => {
      const values = valuesOf(5, x, y, z);
      for (let c = 0; c < 3; c++)
        for (let i = 0; i < 25; i++) sums[25 * c + i] += map.pixels[at + c] * solidAngle * values[i];
      sphere += solidAngle;
    });
    expect(sphere).toBeCloseTo(4 * Math.PI, 10);
    const light = environmentSh(map, 5);
    for (let i = 0; i < 75; i++) expect(light[i]).toBeCloseTo(sums[i], 5);
  });

  it('windows bands, as wide as keeps every surface from negative light', () => {
    // The same without the even light is only a sun, which rings.
    const map = mapOf(128, (x, y, z) => (dot([x, y, z], unit(1, 2, 3)) > 0.99 ? [9, 9, 9] : [0, 0, 0]));
    const irradiance = (light: Float32Array, n: readonly [number, number, number]): number => {
      const lobe = new Float64Array(25);
      cosineLobe(5, n, lobe);
      return dot(lobe, light.subarray(0, 25));
    };
    const plain = environmentSh(map, 5);
    const narrow = environmentSh(map, 5, 5);
    const auto = environmentSh(map, 5, 'auto');
    expect(narrow[0]).toBe(plain[0]);
    expect(narrow[20] / plain[20]).toBeCloseTo((1 + Math.cos((4 * Math.PI) / 5)) / 2, 5);
    let darkest = Infinity;
    let darkestPlain = Infinity;
    eachPixel(
      mapOf(32, () => [0, 0, 0]),
      (_, x, y, z) => {
        darkest = Math.min(darkest, irradiance(auto, [x, y, z]));
        darkestPlain = Math.min(darkestPlain, irradiance(plain, [x, y, z]));
      },
    );
    expect(darkestPlain).toBeLessThan(-0.004);
    expect(darkest).toBeGreaterThan(-0.0005);
    expect(irradiance(auto, unit(1, 2, 3))).toBeGreaterThan(0.5 * irradiance(plain, unit(1, 2, 3)));
    // Nothing to do: nothing done.
    const soft = withSun(64, unit(1, 2, 3), 0.5, 4);
    expect(environmentSh(soft, 5, 'auto')).toEqual(environmentSh(soft, 5));
    expect(() => environmentSh(soft, 5, 0)).toThrow(refusal('bad-option', { option: 'window' }));
  });
});

describe('environmentAt', () => {
  it('is the pixel at its middle, and goes round', () => {
    const map = mapOf(16, (x, y, z) => [x + 1, y + 1, z + 1]);
    const out = [0, 0, 0];
    eachPixel(map, (at, x, y, z) => {
      environmentAt(map, 3 * x, 3 * y, 3 * z, out);
      for (let c = 0; c < 3; c++) expect(out[c]).toBeCloseTo(map.pixels[at + c], 5);
    });
    environmentAt(map, -1, 0, 1e-9, out);
    const other = [0, 0, 0];
    environmentAt(map, -1, 0, -1e-9, other);
    for (let c = 0; c < 3; c++) expect(out[c]).toBeCloseTo(other[c], 6);
    environmentAt(map, 0, 1, 0, out);
    expect(out[1]).toBeCloseTo(2, 1);
  });
});

describe('extractSuns', () => {
  const total = (map: Parameters<typeof extractSuns>[0]): number[] => {
    const light = environmentSh(map, 1);
    return Array.from(light, (x) => x * Math.sqrt(4 * Math.PI));
  };

  it.each([
    ['anywhere', unit(0.3, 0.5, -0.7)],
    ['over the seam', unit(-1, 0.2, 0)],
    ['at the pole', unit(0, 1, 0)],
  ])('finds a sun %s, and keeps the energy', (_, direction) => {
    const map = withSun(512, direction, 0.03, 5000);
    const { suns, rest } = extractSuns(map);
    expect(suns).toHaveLength(1);
    expect(dot(suns[0].direction, direction)).toBeGreaterThan(Math.cos(0.005));
    expect(Math.abs(suns[0].angle - 0.03)).toBeLessThan(0.006);
    expect(suns[0].irradiance[2] / suns[0].irradiance[0]).toBeCloseTo(0.5, 2);
    const [before, after] = [total(map), total(rest)];
    for (let c = 0; c < 3; c++) expect((after[c] + suns[0].irradiance[c]) / before[c]).toBeCloseTo(1, 5);
    expect(rest.pixels.every((x, p) => Math.abs(x - (p % 3) - 1) < 0.001)).toBe(true);
  });

  it('finds several, the brightest first, and leaves lamps that are large or weak', () => {
    const [a, b, lamp] = [unit(1, 1, 0), unit(0, 0.2, 1), unit(-1, 0.5, -1)];
    const map = mapOf(256, (x, y, z) => {
      const near = (to: readonly number[], radius: number) => dot([x, y, z], to) > Math.cos(radius);
      const level = near(a, 0.03) ? 4000 : near(b, 0.03) ? 9000 : near(lamp, 0.3) ? 200 : 1;
      return [level, level, level];
    });
    map.pixels.set([150, 150, 150], 3 * (60 * 256 + 10));
    const { suns, rest } = extractSuns(map);
    expect(suns.map(({ direction }) => [a, b].findIndex((each) => dot(direction, each) > 0.999))).toEqual([1, 0]);
    expect(rest.pixels[3 * (60 * 256 + 10)]).toBe(150);
    expect(Math.max(...rest.pixels)).toBe(200);
  });

  it('finds none in soft light and in the dark', () => {
    for (const level of [0, 1]) {
      const map = mapOf(32, (_, y) => [level, level * (2 + y), level]);
      const { suns, rest } = extractSuns(map);
      expect(suns).toEqual([]);
      expect(rest).toEqual(map);
    }
  });
});

describe('validateEnvironment', () => {
  it('refuses sizes that disagree and values that are no light', () => {
    const map = mapOf(4, () => [1, 1, 1]);
    validateEnvironment(map);
    expect(() => validateEnvironment({ ...map, width: 5 })).toThrow(refusal('bad-input'));
    expect(() => validateEnvironment({ ...map, width: 0, pixels: new Float32Array(0) })).toThrow(refusal('bad-input'));
    for (const wrong of [Number.NaN, -1, Infinity]) {
      const pixels = map.pixels.slice();
      pixels[3 * (4 + 2) + 1] = wrong;
      expect(() => validateEnvironment({ ...map, pixels })).toThrow(refusal('bad-input', { values: [2, 1, wrong] }));
    }
  });
});
