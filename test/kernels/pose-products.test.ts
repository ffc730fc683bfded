import { describe, expect, it } from 'vitest';
import { RowBlend, THIN, ThinProduct } from '../../src/kernels/pose-products.ts';
import { seededRandom } from '../../src/math/rng.ts';

const numbers = (count: number, seed: number): Float64Array => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => 2 * random() - 1);
};

// Small ones run in TypeScript, large ones on kernels.
describe.each([
  [1, 1],
  [3, 7],
  [5, 8],
  [38, 1820],
  [41, 333],
  [260, 268],
])('%i × %i', (n, m) => {
  it('blends rows', () => {
    const rows = numbers(n * m, 1);
    const start = numbers(m, 2);
    const blend = new RowBlend(rows, start);
    for (const seed of [3, 4]) {
      const weights = numbers(n, seed);
      blend.weights.set(weights);
      blend.run();
      const slow = start.map((x, c) => weights.reduce((sum, w, k) => sum + w * rows[k * m + c], x));
      expect(blend.out.length).toBe(m);
      slow.forEach((x, c) => {
        expect(blend.out[c]).toBeCloseTo(x, 10);
      });
    }
  });

  it('multiplies by thin matrices', () => {
    const matrix = numbers(n * m, 5);
    const product = new ThinProduct(matrix, n);
    for (const seed of [6, 7]) {
      const input = numbers(THIN * m, seed);
      product.input.set(input);
      product.run();
      expect(product.out.length).toBe(THIN * n);
      product.out.forEach((x, at) => {
        const row = Math.floor(at / THIN);
        let slow = 0;
        for (let k = 0; k < m; k++) slow += matrix[row * m + k] * input[THIN * k + (at % THIN)];
        if (Math.abs(x - slow) > 1e-10) expect(x).toBe(slow);
      });
    }
  });
});
