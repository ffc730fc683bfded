import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directionsOf, Experience } from '../../src/learn/regression/experience.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { trainKernel } from '../../src/regress/kernel.ts';

const POINTS = 4;
const D = 3 * POINTS;

/** E × d: points that all go along together, and wobble a little on their own. */
function inputsOf(seed: number, examples: number, wobble: number): Float64Array {
  const random = seededRandom(seed);
  const inputs = new Float64Array(examples * D);
  for (let k = 0; k < examples; k++) {
    const together = [random(), random(), random()];
    for (let c = 0; c < D; c++) inputs[k * D + c] = together[c % 3] + wobble * (random() - 0.5);
  }
  return inputs;
}

function distanceOf(inputs: Float64Array): { distance: (x: Float64Array) => number; mean: Float64Array } {
  const { kernel } = trainKernel('linear', inputs, D);
  const experience = new Experience(kernel, directionsOf(kernel));
  return { distance: (x) => experience.distance(x), mean: kernel.mean };
}

const cases = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  examples: fc.integer({ min: 2, max: 30 }),
  wobble: fc.double({ min: 0, max: 0.5, noNaN: true }),
});

describe('the distance from experience', () => {
  it('is 1 at the farthest example and 0 at the mean, and grows in proportion on every way out', () => {
    fc.assert(
      fc.property(
        cases,
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: D, maxLength: D }),
        (one, way) => {
          const inputs = inputsOf(one.seed, one.examples, one.wobble);
          const { distance, mean } = distanceOf(inputs);
          const own = Array.from({ length: one.examples }, (_, k) => distance(inputs.slice(k * D, (k + 1) * D)));
          expect(Math.max(...own)).toBeCloseTo(1, 9);
          expect(distance(mean)).toBe(0);
          const at = (s: number): number => distance(mean.map((x, c) => x + s * way[c]));
          for (const s of [0.5, 3, 100]) expect(at(s)).toBeCloseTo(s * at(1), 6 - Math.log10(s + at(s)));
        },
      ),
    );
  });

  it('does not change when everything is moved and scaled', () => {
    fc.assert(
      fc.property(cases, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (one, scale) => {
        const inputs = inputsOf(one.seed, one.examples, one.wobble);
        const move = (x: Float64Array): Float64Array => x.map((value, c) => scale * value + [3, -7, 1][c % 3]);
        const [plain, moved] = [distanceOf(inputs), distanceOf(move(inputs))];
        const x = inputsOf(one.seed + 1, 1, 1);
        expect(moved.distance(move(x)) / plain.distance(x)).toBeCloseTo(1, 5);
      }),
    );
  });

  it('counts one point that leaves the others: more than all of them going on together', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 0, max: D - 1 }), (seed, c) => {
        const { distance, mean } = distanceOf(inputsOf(seed, 25, 0.1));
        const alone = distance(mean.map((x, at) => (at === c ? x + 1 : x)));
        const together = distance(mean.map((x, at) => (at % 3 === c % 3 ? x + 1 : x)));
        expect(alone).toBeGreaterThan(3);
        expect(alone).toBeGreaterThan(together);
      }),
    );
  });
});
