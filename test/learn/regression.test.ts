import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTargets, encodeTargets } from '../../src/learn/regression/targets.ts';
import { multiply } from '../../src/math/dense.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { type Random, seededRandom } from '../../src/math/rng.ts';
import { composeTrs } from '../../src/math/trs.ts';
import { KERNELS, TARGETS } from '../../src/model/predictor.ts';
import { kernelCca } from '../../src/regress/cca.ts';
import { KernelVector, trainKernel } from '../../src/regress/kernel.ts';
import { leaveOneOut, ridgeInverse } from '../../src/regress/ridge.ts';

const random = (count: number, next: Random): Float64Array =>
  Float64Array.from({ length: count }, () => 2 * next() - 1);

describe.each(KERNELS)('kernel %s', (name) => {
  const [e, d] = [9, 5];
  const inputs = random(e * d, seededRandom(4));
  const { kernel, matrix } = trainKernel(name, inputs, d);

  it('is centred, symmetric, positive and of mean diagonal 1', () => {
    let trace = 0;
    for (let a = 0; a < e; a++) {
      let sum = 0;
      for (let b = 0; b < e; b++) {
        sum += matrix[a * e + b];
        expect(matrix[a * e + b]).toBeCloseTo(matrix[b * e + a], 12);
      }
      expect(sum).toBeCloseTo(0, 9);
      trace += matrix[a * e + a];
    }
    expect(trace / e).toBeCloseTo(1, 9);
    expect(() => ridgeInverse(matrix, e, 1e-8)).not.toThrow();
  });

  it('evaluated at an example is its row', () => {
    const vector = new KernelVector(kernel);
    for (let k = 0; k < e; k++) {
      vector.set(inputs.subarray(k * d, (k + 1) * d));
      vector.xi.forEach((x, j) => {
        expect(x).toBeCloseTo(matrix[k * e + j], 9);
      });
    }
  });

  it('does not care where the points are or how large', () => {
    const moved = trainKernel(
      name,
      inputs.map((x, at) => 40 * x + 7 * (at % d)),
      d,
    );
    moved.matrix.forEach((x, at) => {
      expect(x).toBeCloseTo(matrix[at], 8);
    });
  });
});

it('is as wide as it is told to be', () => {
  const inputs = random(6 * 2, seededRandom(8));
  const { kernel } = trainKernel('gaussian', inputs, 2, 'regress', 4);
  const { scale } = trainKernel('gaussian', inputs, 2).kernel;
  const values = (k: number): number[] =>
    Array.from({ length: 6 }, (_, j) =>
      Math.exp(
        (-0.5 * ((inputs[2 * k] - inputs[2 * j]) ** 2 + (inputs[2 * k + 1] - inputs[2 * j + 1]) ** 2)) /
          (4 * scale) ** 2,
      ),
    );
  kernel.rowMeans.forEach((mean, k) => {
    expect(mean).toBeCloseTo(
      values(k).reduce((sum, x) => sum + x / 6, 0),
      12,
    );
  });
});

it('refuses control points that never move', () => {
  expect(() => trainKernel('gaussian', new Float64Array(12).fill(3), 4)).toThrow(
    expect.objectContaining({ code: 'bad-input' }),
  );
});

describe('kernel ridge regression', () => {
  it('leaving one example out in closed form is leaving it out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 10 }), fc.integer({ min: 1, max: 1e6 }), (e, seed) => {
        const next = seededRandom(seed);
        const { matrix } = trainKernel('linear-gaussian', random(e * 4, next), 4);
        const y = random(e, next);
        const kappa = 1e-3;
        const blend = leaveOneOut(ridgeInverse(matrix, e, kappa), e, kappa);
        for (let i = 0; i < e; i++) {
          const others = Array.from({ length: e }, (_, k) => k).filter((k) => k !== i);
          const expected = ridgeWithConstant(others, matrix, e, kappa, y, i);
          const got = others.reduce((sum, j) => sum + blend[i * e + j] * y[j], 0);
          expect(got).toBeCloseTo(expected, 6);
          expect(others.reduce((sum, j) => sum + blend[i * e + j], 0)).toBeCloseTo(1, 8);
        }
      }),
      { numRuns: 30 },
    );
  });

  /** [[K + κI, 1], [1ᵀ, 0]] by Gaussian elimination, slow and obvious. */
  function ridgeWithConstant(
    rows: number[],
    matrix: Float64Array,
    e: number,
    kappa: number,
    y: Float64Array,
    at: number,
  ): number {
    const n = rows.length + 1;
    const system = Array.from({ length: n }, (_, r) =>
      Array.from({ length: n + 1 }, (_, c) => {
        if (c === n) return r < n - 1 ? y[rows[r]] : 0;
        if (r === n - 1 || c === n - 1) return r === c ? 0 : 1;
        return matrix[rows[r] * e + rows[c]] + (r === c ? kappa : 0);
      }),
    );
    for (let p = 0; p < n; p++) {
      const pivot = system
        .slice(p)
        .reduce((best, row, q) => (Math.abs(row[p]) > Math.abs(system[best][p]) ? p + q : best), p);
      [system[p], system[pivot]] = [system[pivot], system[p]];
      for (let r = 0; r < n; r++) {
        if (r === p) continue;
        const factor = system[r][p] / system[p][p];
        for (let c = p; c <= n; c++) system[r][c] -= factor * system[p][c];
      }
    }
    const solution = system.map((row, r) => row[n] / row[r]);
    return rows.reduce((sum, j, r) => sum + solution[r] * matrix[at * e + j], solution[n - 1]);
  }
});

describe('kernel CCA', () => {
  const [e, d, m] = [14, 6, 7];
  const next = seededRandom(8);
  const inputs = random(e * d, next);
  const { matrix } = trainKernel('linear-gaussian', inputs, d);
  const inverse = ridgeInverse(matrix, e, 1e-6);
  const targets = random(e * m, next);
  for (let c = 0; c < m; c++) {
    let mean = 0;
    for (let k = 0; k < e; k++) mean += targets[k * m + c] / e;
    for (let k = 0; k < e; k++) targets[k * m + c] -= mean;
  }
  const errorOf = (operator: Float64Array): number => {
    const predicted = multiply(new Float64Array(e * m), matrix, operator, e, e, m);
    return Math.hypot(...predicted.map((x, at) => x - targets[at]));
  };

  it('with all pairs is kernel ridge regression, but for what κ holds back', () => {
    const operator = kernelCca(matrix, inverse, targets, m, m);
    const ridge = multiply(new Float64Array(e * m), inverse, targets, e, e, m);
    const [a, b] = [operator, ridge].map((x) => multiply(new Float64Array(e * m), matrix, x, e, e, m));
    a.forEach((x, at) => {
      expect(x).toBeCloseTo(b[at], 4);
    });
  });

  it('loses with every pair that is left out', () => {
    const errors = [1, 3, 5, 7].map((bases) => errorOf(kernelCca(matrix, inverse, targets, m, bases)));
    for (let p = 1; p < errors.length; p++) expect(errors[p]).toBeLessThan(errors[p - 1]);
  });

  it('predicts nothing for a bone that never moves', () => {
    expect(kernelCca(matrix, inverse, new Float64Array(e * m), m, m).every((x) => x === 0)).toBe(true);
  });
});

describe.each(TARGETS)('target %s', (target) => {
  it('gives rigid transforms back, with quaternions on one side', () => {
    const next = seededRandom(6);
    const [e, bones] = [12, 3];
    const transforms = new Float64Array(12 * e * bones);
    const local = new Float64Array(10).fill(1);
    for (let b = 0; b < e * bones; b++) {
      const [x, y, z] = random(3, next);
      const length = Math.hypot(x, y, z);
      local.set(random(3, next));
      // Turns around half a turn, where a quaternion's own sign flips from example to example.
      quaternionFromAxisAngle(local, 3, x / length, y / length, z / length, Math.PI * (0.9 + 0.2 * next()));
      composeTrs(transforms, 12 * b, local, 0);
    }
    const centroids = random(3 * bones, next);
    const values = encodeTargets(target, transforms, centroids, bones);
    const back = new Float64Array(12 * bones);
    for (let k = 0; k < e; k++) {
      decodeTargets(back, target, values.subarray((k * values.length) / e, ((k + 1) * values.length) / e), centroids);
      back.forEach((x, at) => {
        expect(x).toBeCloseTo(transforms[12 * bones * k + at], 9);
      });
    }
  });

  it('decodes a quaternion of no length as no rotation', () => {
    const back = new Float64Array(12);
    decodeTargets(back, target, new Float64Array(8), new Float64Array(3));
    expect([...back]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  });
});
