import { describe, expect, it } from 'vitest';
import { baseComplex } from '../../src/lod/images/base-complex.ts';
import { patchBoxes } from '../../src/lod/images/boxes.ts';
import { PatchSelector, type SelectOptions } from '../../src/lod/images/select.ts';
import { Stitcher } from '../../src/lod/images/stitch.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { GeometryImages } from '../../src/model/geometry-images.ts';
import { icosphere, rotationOf } from '../mesh/shapes.ts';
import { madeImages } from './made-images.ts';

const LEVELS = 4;

/** A ball of patches with boxes that follow two bones, and errors that fall by half or so from level to level. */
function ball(seed = 1): GeometryImages {
  const images = madeImages(icosphere(1), LEVELS, { skin: true, seed });
  const random = seededRandom(seed);
  const { boxes } = images;
  const errors = images.errors.map((_, q) => (0.1 * (0.7 + 0.6 * random())) / 2 ** (q % LEVELS));
  for (let p = 0; p < images.depths.length; p++) {
    errors
      .subarray(p * LEVELS, (p + 1) * LEVELS)
      .sort()
      .reverse();
    for (let k = 0; k < 4; k++) {
      const share = random();
      boxes.joints!.set([0, 1, 0, 0], 16 * p + 4 * k);
      boxes.weights!.set([share, 1 - share, 0, 0], 16 * p + 4 * k);
    }
  }
  return { ...images, errors };
}

const bonesAt = (random: () => number): Float32Array =>
  Float32Array.from(
    [0, 1].flatMap(() => {
      const r = rotationOf([random(), random(), random() + 0.1], 2 * random());
      return [0, 1, 2].flatMap((row) => [...r.slice(3 * row, 3 * row + 3), 0.3 * random()]);
    }),
  );

/** The least depth of the eight corners of a patch's box, the obvious way. */
function slowNearest({ boxes }: GeometryImages, p: number, depth: readonly number[], bones: Float32Array): number {
  const at = [0, 1, 2, 3].map((k) => {
    let sum = 0;
    for (let c = 16 * p + 4 * k; c < 16 * p + 4 * k + 4; c++) {
      const x = boxes.points.subarray(12 * p + 3 * k, 12 * p + 3 * k + 3);
      const b = 12 * boxes.joints![c];
      const moved = [0, 4, 8].map(
        (r) => bones[b + r] * x[0] + bones[b + r + 1] * x[1] + bones[b + r + 2] * x[2] + bones[b + r + 3],
      );
      sum += boxes.weights![c] * (depth[0] * moved[0] + depth[1] * moved[1] + depth[2] * moved[2] + depth[3]);
    }
    return sum;
  });
  let least = Infinity;
  for (let corner = 0; corner < 8; corner++) {
    let d = at[0];
    for (let axis = 0; axis < 3; axis++) if ((corner >> axis) & 1) d += at[axis + 1] - at[0];
    least = Math.min(least, d);
  }
  return Math.max(0, least);
}

describe('PatchSelector', () => {
  it('chooses as the slow way does, with its memory, along a random walk', () => {
    const images = ball();
    const options: SelectOptions = { pixels: 1, hysteresis: 0.25, maxStep: 15 };
    const selector = new PatchSelector(images, options);
    const slow = images.depths.slice();
    const random = seededRandom(3);
    let changes = 0;
    for (let frame = 0; frame < 200; frame++) {
      const depth = [0.2 * random(), 0.2 * random(), -1, 0.5 + 40 * random() ** 2];
      const scale = 200;
      const bones = bonesAt(random);
      if (selector.select(depth, scale, bones)) changes++;
      for (let p = 0; p < slow.length; p++) {
        const allowed = slowNearest(images, p, depth, bones) / scale;
        const error = (level: number): number => images.errors[p * LEVELS + level];
        const before = slow[p];
        while (slow[p] < images.depths[p] && error(slow[p]) > allowed) slow[p]++;
        if (slow[p] === before) while (slow[p] > 0 && error(slow[p] - 1) <= 0.75 * allowed) slow[p]--;
      }
      expect(selector.levels).toEqual(slow);
    }
    expect(changes).toBeGreaterThan(20);
    const words = new Uint32Array(slow.length);
    new Stitcher(baseComplex(images.corners)).sew(slow, words);
    expect(selector.words).toEqual(words);
  });

  it('keeps neighbours within the step, and never goes below what the error asks for', () => {
    const images = ball(2);
    const { beyond } = baseComplex(images.corners);
    const random = seededRandom(5);
    for (let trial = 0; trial < 20; trial++) {
      const depth = [0.8, 0, -0.6, 1 + 8 * random()];
      const bones = bonesAt(random);
      const free = new PatchSelector(images, { maxStep: 15 });
      const guarded = new PatchSelector(images, { maxStep: 1 });
      free.select(depth, 100, bones);
      guarded.select(depth, 100, bones);
      beyond.forEach((q, c) => {
        const p = Math.floor(c / 3);
        const reachable = Math.min(images.depths[q], guarded.levels[p] - 1);
        expect(guarded.levels[q]).toBeGreaterThanOrEqual(reachable);
      });
      guarded.levels.forEach((level, p) => {
        expect(level).toBeGreaterThanOrEqual(free.levels[p]);
      });
    }
  });

  it('does not flicker between two views that are nearly the same', () => {
    const images = ball(3);
    const selector = new PatchSelector(images);
    const bones = bonesAt(seededRandom(1));
    let changes = 0;
    for (let frame = 0; frame < 50; frame++) {
      if (selector.select([0, 0, -1, frame % 2 === 0 ? 6 : 6.3], 100, bones)) changes++;
    }
    expect(changes).toBeLessThanOrEqual(2);
  });

  it('gives everything its finest level at the eye, and the coarsest far away', () => {
    const images = ball();
    const selector = new PatchSelector(images);
    const bones = bonesAt(seededRandom(1));
    selector.select([0, 0, -1, 1e6], 100, bones);
    expect(Math.max(...selector.levels)).toBe(0);
    selector.select([0, 0, -1, 0], 100, bones);
    expect(selector.levels).toEqual(images.depths);
  });
});

describe('patchBoxes', () => {
  it('holds its samples at rest, and where bones move them', () => {
    const images = madeImages(icosphere(1), LEVELS, { skin: true });
    const random = seededRandom(9);
    // A bar of samples between two bones that bend it.
    const samples = 60;
    const positions = Float32Array.from({ length: 3 * samples }, (_, c) =>
      c % 3 === 0 ? 2 * random() : 0.3 * random(),
    );
    const joints = new Uint16Array(4 * samples).map((_, c) => (c % 4 === 1 ? 1 : 0));
    const weights = new Float32Array(4 * samples).map((_, c) => {
      const share = positions[3 * Math.floor(c / 4)] / 2;
      return c % 4 === 0 ? 1 - share : c % 4 === 1 ? share : 0;
    });
    const bones = Array.from({ length: 5 }, () => {
      const all = bonesAt(random);
      const small = rotationOf([0, 0, 1], 0.8 * random());
      for (let row = 0; row < 3; row++) all.set([...small.slice(3 * row, 3 * row + 3), 0], 12 + 4 * row);
      for (let row = 0; row < 3; row++) all.set([0, 1, 2].map((c) => (c === row ? 1 : 0)).concat(0), 4 * row);
      return all;
    });
    const all = Array.from({ length: samples }, (_, s) => s);
    const boxes = patchBoxes([all], { positions, joints, weights, bones });
    const one: GeometryImages = { ...images, boxes };
    for (const pose of [Float32Array.from([...identity(), ...identity()]), ...bones]) {
      for (const depth of [
        [1, 0, 0, 5],
        [0, 1, 0, 5],
        [0.6, -0.8, 0, 5],
      ]) {
        let least = Infinity;
        for (let s = 0; s < samples; s++) {
          let d = 0;
          for (let c = 0; c < 2; c++) {
            const b = 12 * c;
            const x = positions.subarray(3 * s, 3 * s + 3);
            const moved = [0, 4, 8].map(
              (r) => pose[b + r] * x[0] + pose[b + r + 1] * x[1] + pose[b + r + 2] * x[2] + pose[b + r + 3],
            );
            d += weights[4 * s + c] * (depth[0] * moved[0] + depth[1] * moved[1] + depth[2] * moved[2] + depth[3]);
          }
          least = Math.min(least, d);
        }
        // A box is straight where the bar bends: within a tenth of its length.
        expect(slowNearest(one, 0, depth, pose)).toBeLessThan(least + 0.2);
        expect(slowNearest(one, 0, depth, pose)).toBeGreaterThan(least - 0.6);
      }
    }
  });
});

const identity = (): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
