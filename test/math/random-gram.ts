import { randomNormal, seededRandom } from '../../src/math/rng.ts';

/** DᵀD of n random columns of `rows` numbers. */
export function randomGram(seed: number, n: number, rows: number): Float64Array {
  const random = seededRandom(seed);
  const d = Array.from({ length: n }, () => Array.from({ length: rows }, () => randomNormal(random) + 0.3));
  return Float64Array.from({ length: n * n }, (_, e) => {
    const [a, b] = [d[Math.floor(e / n)], d[e % n]];
    return a.reduce((sum, x, r) => sum + x * b[r], 0);
  });
}
