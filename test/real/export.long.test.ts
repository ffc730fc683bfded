import { describe, it } from 'vitest';
import { absent, expectMusts, why } from './export-musts.ts';

/** A fifth of those that the figures in docs/fit.md are of: the bounds hold all the same. */
const ROUNDS = 8;

describe.skipIf(absent)(`exported fits${why}`, () => {
  it.each([
    ['horse-gallop', 20, ['affine']],
    ['cow-elastic', 24, ['rigid']],
    ['cloth-vellum', 20, ['trs', 'rigid']],
  ] as const)('%s holds the bounds for sizes and errors', (name, bones, kinds) =>
    expectMusts(name, bones, kinds, { rounds: ROUNDS }),
  );

  it.each([
    ['cat-poses', 20, ['affine']],
    ['wolf-poses', 21, ['rigid']],
    ['face-poses', 27, ['trs']],
  ] as const)('%s holds the bounds for errors', (name, bones, kinds) =>
    expectMusts(name, bones, kinds, { rounds: ROUNDS, poses: true }),
  );
});
