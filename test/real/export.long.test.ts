import { describe, it } from 'vitest';
import { KINDS } from '../../bench/export-case.ts';
import { absent, expectMusts, why } from './export-musts.ts';

/** A third of those that the figures in docs/fit.md are of: the bounds hold all the same. */
const ROUNDS = 14;

describe.skipIf(absent)(`exported fits${why}`, () => {
  it.each([
    ['horse-gallop', 20],
    ['horse-collapse', 20],
    ['cow-elastic', 24],
    ['cloth-vellum', 20],
  ] as const)('%s holds the bounds for sizes and errors, all kinds', (name, bones) =>
    expectMusts(name, bones, KINDS, { rounds: ROUNDS }),
  );

  it.each([
    ['cat-poses', 20, ['affine']],
    ['wolf-poses', 21, KINDS],
    ['face-poses', 27, KINDS],
  ] as const)('%s holds the bounds for errors', (name, bones, kinds) =>
    expectMusts(name, bones, kinds, { rounds: ROUNDS, poses: true }),
  );
});
