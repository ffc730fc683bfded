import { expect } from 'vitest';

/** Every number within `tolerance` of the one expected. */
export function expectNear(got: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  let worst = got.length === expected.length ? 0 : Infinity;
  for (let c = 0; c < expected.length; c++) {
    const error = Math.abs(got[c] - expected[c]);
    if (!(error <= worst)) worst = error; // NaN is not
  }
  expect(worst).toBeLessThan(tolerance);
}
