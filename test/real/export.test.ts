import { describe, it } from 'vitest';
import { absent, expectMusts, why } from './export-musts.ts';

describe.skipIf(absent)(`exported fits${why}`, () => {
  it('cloth-vellum holds the bounds for sizes and errors', () =>
    expectMusts('cloth-vellum', 20, ['trs'], { rounds: 8 }));
});
