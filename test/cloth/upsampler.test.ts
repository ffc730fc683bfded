import { describe, expect, test } from 'vitest';
import { Embedding } from '../../src/cloth/embedding.ts';
import type { ClothPair } from '../../src/cloth/pairs.ts';
import { stageFrames } from '../../src/cloth/stage-frames.ts';
import { regressPatch } from '../../src/cloth/upsampler/regress.ts';
import { trainUpsampler } from '../../src/cloth/upsampler/train.ts';
import { Upsampler } from '../../src/cloth/upsampler/upsampler.ts';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { ballMotion } from './ball.ts';
import { expectNear } from './near.ts';
import { make, squeezedPair as pairOf, wavy } from './squeezed-pair.ts';
import { pointsOf } from './vectors.ts';

/** The share of the squared error of the embedding that is left. */
async function errorLeft(pair: ClothPair, upsampler: Awaited<ReturnType<typeof trainUpsampler>>['upsampler']) {
  const embedding = new Embedding(pair.coarse.rest, pair.fine.rest);
  const learned = new Upsampler(upsampler, pair.coarse.rest, embedding);
  const [base, out] = [new Float64Array(3 * embedding.count), new Float64Array(3 * embedding.count)];
  let [left, all] = [0, 0];
  for (let k = 0; k < pair.coarse.frameCount; k++) {
    const pose = Float64Array.from(await pair.coarse.readFrame(k));
    embedding.apply(pose, base);
    learned.apply(pose, undefined, out);
    (await pair.fine.readFrame(k)).forEach((x, c) => {
      left += (out[c] - x) ** 2;
      all += (base[c] - x) ** 2;
    });
  }
  return left / all;
}

describe('trainUpsampler', () => {
  test('learns folds that follow the coarse cloth, on a motion that it has not seen', async () => {
    for (const kernel of ['gaussian', 'linear'] as const) {
      const { upsampler } = await trainUpsampler([pairOf(wavy)], { kernel, examples: 20, ridge: 0.01 });
      expect(
        await errorLeft(
          pairOf((t) => 0.1 + 0.08 * Math.cos(1.7 * t)),
          upsampler,
        ),
      ).toBeLessThan(0.02);
    }
  });

  test('takes several motions, and other frame counts', async () => {
    const pairs = [pairOf(wavy, 9), pairOf((t) => 0.05 * t, 31)];
    const { report } = await trainUpsampler(pairs, { examples: 7 });
    expect(report.figures).toMatchObject({ frames: 40, examples: 7 });
  });

  test('refuses given shapes of another number', async () => {
    const { training } = await trainUpsampler([pairOf(wavy)], { examples: 5, modes: 3 });
    await expect(trainUpsampler([pairOf(wavy)], { examples: 5, modes: 4, given: training })).rejects.toThrow(/got 3/);
  });

  test('follows a moved, turned and larger cloth', async () => {
    const { upsampler } = await trainUpsampler([pairOf(wavy)], { examples: 10 });
    const larger = await trainUpsampler([pairOf(wavy, 40, 10)], { examples: 10 });
    const pair = pairOf(wavy);
    const offsetsOf = (model: typeof upsampler, size: number, pose: Float64Array) => {
      const embedding = new Embedding(make(20, size), make(300, size));
      embedding.turn(pose);
      return pointsOf(new Upsampler(model, make(20, size), embedding).offsets(pose, undefined));
    };
    const pose = Float64Array.from(await pair.coarse.readFrame(7));
    const plain = offsetsOf(upsampler, 1, pose);
    // A quarter turn about z and a shift.
    const turned = pose.map((_, c) => [-pose[c + 1], pose[c - 1], pose[c]][c % 3] + 3);
    offsetsOf(upsampler, 1, turned).forEach((x, c) => {
      expect(x).toBeCloseTo([-plain[c + 1], plain[c - 1], plain[c]][c % 3], 7);
    });
    offsetsOf(
      larger.upsampler,
      10,
      pose.map((x) => 10 * x),
    ).forEach((x, c) => {
      // Bytes round otherwise: 2 % of the waves.
      expect(Math.abs(x / 10 - plain[c])).toBeLessThan(2e-3);
    });
  });

  test('does not fly off where the coarse cloth does', async () => {
    const { upsampler } = await trainUpsampler([pairOf(wavy)], { examples: 10 });
    const embedding = new Embedding(make(20), make(300));
    const random = seededRandom(3);
    const pose = Float64Array.from(make(20).positions, (x) => 1000 * (x + random()));
    embedding.turn(pose);
    const out = new Upsampler(upsampler, make(20), embedding).offsets(pose, undefined);
    expect(Math.max(...out.map(Math.abs))).toBeLessThan(1);
  });
});

test.each([1, 3, 8, 11])('the kernel does what its twin in TypeScript does; %s modes', async (modes) => {
  const pair = pairOf(wavy);
  const { upsampler } = await trainUpsampler([pair], { examples: 15, modes });
  // Shapes of all sizes: a training has no more modes than its examples differ in.
  const random = seededRandom(modes);
  const basis = upsampler.basis.map(() => Math.round(254 * random() - 127));
  const embedding = new Embedding(pair.coarse.rest, pair.fine.rest);
  const [simd, plain] = [true, false].map(
    (way) => new Upsampler({ ...upsampler, basis }, pair.coarse.rest, embedding, way),
  );
  for (let k = 1; k < 5; k++) {
    const pose = Float64Array.from(await pair.coarse.readFrame(k));
    embedding.turn(pose);
    const expected = plain.offsets(pose, undefined);
    const largest = Math.max(...expected.map(Math.abs));
    expect(largest).toBeGreaterThan(0);
    // A few sums of floats.
    expectNear(simd.offsets(pose, undefined), expected, 1e-6 * largest);
  }
});

test('what is learned is pushed out of the body and held by its pins', async () => {
  const { upsampler } = await trainUpsampler([pairOf(wavy)], { examples: 10 });
  const [coarse, fine] = [make(20), make(300)];
  const body = ballMotion([
    [0, -0.15, 0],
    [0, -0.1, 0],
  ]);
  const learned = new Upsampler(upsampler, coarse, new Embedding(coarse, fine));
  const out = new Float64Array(fine.positions.length);
  const distances = new Float64Array(out.length / 3);
  for await (const stage of stageFrames({ mesh: fine, pinned: Uint32Array.of(0), body, frames: 2, thickness: 0 })) {
    learned.apply(Float64Array.from(coarse.positions), stage, out);
    stage!.obstacles[0].distances(out, distances.fill(1));
    expect(Math.min(...distances.map((d, i) => d - Math.min(0, stage!.margin[i])))).toBeGreaterThan(-1e-9);
  }
});

test('regressPatch is the kernel’s own solution', () => {
  const [n, d, m, e] = [30, 4, 2, 12];
  const random = seededRandom(5);
  const fill = (length: number) => Float64Array.from({ length }, () => random() - 0.5);
  const [z, c] = [fill(n * d), fill(n * m)];
  const points = z.slice(0, e * d);
  const { matrix, blend } = regressPatch({ z, c, frames: n }, points, 0.3);
  // K = 0.1 + z·z' + g (G + 1e-3)⁻¹ g', and (K + λ) α = C.
  const row = (a: Float64Array, i: number) => a.subarray(i * d, i * d + d);
  const g = (a: Float64Array, b: Float64Array) => Math.exp(-2 * a.reduce((sum, x, q) => sum + (x - b[q]) ** 2, 0));
  const gram = Float64Array.from({ length: e * e }, (_, q) => {
    const [i, k] = [Math.floor(q / e), q % e];
    return g(row(points, i), row(points, k)) + (i === k ? 1e-3 : 0);
  });
  choleskyFactor(gram, e);
  const near = Float64Array.from({ length: e * n }, (_, q) => g(row(points, Math.floor(q / n)), row(z, q % n)));
  const solved = near.slice();
  choleskySolve(gram, e, solved, n);
  const kernel = Float64Array.from({ length: n * n }, (_, q) => {
    const [i, k] = [Math.floor(q / n), q % n];
    let sum = 0.1;
    for (let f = 0; f < d; f++) sum += z[i * d + f] * z[k * d + f];
    for (let p = 0; p < e; p++) sum += near[p * n + i] * solved[p * n + k];
    return sum;
  });
  const lambda = 0.3 * (1.1 + z.reduce((sum, x) => sum + x * x, 0) / n);
  const ridged = kernel.map((x, q) => x + (q % (n + 1) === 0 ? lambda : 0));
  choleskyFactor(ridged, n);
  const alpha = c.slice();
  choleskySolve(ridged, n, alpha, m);
  for (let i = 0; i < n; i++) {
    for (let q = 0; q < m; q++) {
      let slow = 0;
      for (let k = 0; k < n; k++) slow += kernel[i * n + k] * alpha[k * m + q];
      let fast = matrix[q];
      for (let f = 0; f < d; f++) fast += z[i * d + f] * matrix[(1 + f) * m + q];
      for (let p = 0; p < e; p++) fast += near[p * n + i] * blend[p * m + q];
      expect(fast).toBeCloseTo(slow, 8);
    }
  }
});
