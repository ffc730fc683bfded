import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySupport } from '../../src/decompose/problem.ts';
import { skinWeightsOf } from '../../src/decompose/skin-weights.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';

describe('skinWeightsOf', () => {
  it('keeps the contract of weights, and every weight to float32 precision', () => {
    const slot = fc.double({ min: 1e-60, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.array(slot, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 }), (rows) => {
        const support = emptySupport(rows.length, 4);
        rows.forEach((row, i) => {
          const sum = row.reduce((a, b) => a + b, 0);
          support.count[i] = row.length;
          row.forEach((w, s) => {
            support.joints[4 * i + s] = 3 - s;
            support.weights[4 * i + s] = w / sum;
          });
        });
        const skin = skinWeightsOf(support);
        validateWeights(skin, rows.length, 4);
        rows.forEach((row, i) => {
          let sum = 0;
          for (let s = 0; s < 4; s++) sum += skin.weights[4 * i + s];
          expect(Math.abs(sum - 1)).toBeLessThan(2e-7);
          row.forEach((_, s) => {
            const got = [0, 1, 2, 3].reduce(
              (w, t) => w + (skin.joints[4 * i + t] === 3 - s ? skin.weights[4 * i + t] : 0),
              0,
            );
            expect(Math.abs(got - support.weights[4 * i + s])).toBeLessThan(3e-7);
          });
        });
      }),
    );
  });

  it('refuses a vertex without a bone, and a bone that 16 bits cannot count', () => {
    expect(() => skinWeightsOf(emptySupport(1, 4))).toThrow(expect.objectContaining({ code: 'internal' }));
    const support = emptySupport(1, 1);
    support.count[0] = support.weights[0] = 1;
    support.joints[0] = 65536;
    expect(() => skinWeightsOf(support)).toThrow(expect.objectContaining({ code: 'too-large' }));
  });
});
