import { describe, expect, it } from 'vitest';
import { LightBase, turnVectors } from '../../src/light/base.ts';
import type { PosedSpheres } from '../../src/light/pose-spheres.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { cosineLobe, hemisphereLobe, shCount } from '../../src/math/spherical-harmonics.ts';
import { randomRotation, unitVectors } from './shapes.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const spheresOf = (...balls: number[][]): PosedSpheres => ({
  count: balls.length,
  balls: Float32Array.from(balls.flat()),
  opacities: new Float32Array(balls.length).fill(1),
});
const kernels = ['wasm', 'typescript'] as const;

/** N random vertices on a unit sphere under other spheres, in G frames. */
function scene(seed: number, n: number, groups: number, spheres: number) {
  const rng = seededRandom(seed);
  const normals = unitVectors(rng, n);
  const positions = normals.map((x) => 0.5 * x);
  const balls = Array.from({ length: spheres }, (_, s) => {
    const at = unitVectors(rng, 1);
    const far = s % 8 === 0 ? 0.4 : 0.7 + rng();
    return [far * at[0], far * at[1], far * at[2], 0.05 + 0.3 * rng()];
  });
  const posed = spheresOf(...balls);
  posed.opacities.forEach((_, s) => {
    posed.opacities[s] = 0.5 + 0.5 * rng();
  });
  const frames = new Float64Array(9 * groups);
  for (let g = 0; g < groups; g++) frames.set(randomRotation(rng), 9 * g);
  const groupOf = Uint32Array.from({ length: n }, () => Math.floor(rng() * groups));
  return { normals, positions, posed, frames, groupOf, groups, spheres };
}

function run(
  { normals, positions, posed, frames, groupOf, groups, spheres }: ReturnType<typeof scene>,
  options: ConstructorParameters<typeof LightBase>[1] = {},
  bounces?: ArrayLike<number>,
) {
  const base = new LightBase({ groupOf, groups, spheres }, options);
  base.bounceFactors = bounces;
  const size = groupOf.length * shCount(base.order);
  const out = { transfer: new Float32Array(size), visibility: new Float32Array(size) };
  base.run(positions, normals, posed, frames, out);
  return out;
}

const rms = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return Math.sqrt(sum / a.length);
};

describe.each(kernels)('light of spheres, %s', (kernel) => {
  it('is unshadowed without spheres', () => {
    const given = scene(1, 50, 3, 0);
    const { transfer, visibility } = run(given, { kernel });
    const turned = turnVectors(5, transfer, given.groupOf, given.frames);
    const seen = turnVectors(5, visibility, given.groupOf, given.frames);
    const lobe = new Float64Array(25);
    for (let i = 0; i < 50; i++) {
      const normal = given.normals.slice(3 * i, 3 * i + 3);
      cosineLobe(5, normal, lobe);
      expect(rms(turned.subarray(25 * i, 25 * i + 25), lobe)).toBeLessThan(1e-6);
      hemisphereLobe(5, normal, lobe);
      expect(rms(seen.subarray(25 * i, 25 * i + 25), lobe)).toBeLessThan(1e-6);
    }
  });

  it('is close to cos b sin² θ under one sphere, and above it by the width of the edge', () => {
    // PRT's figures: the edge of a cell makes a sphere 1.085 times as dark at θ = 0.4 with 256 directions.
    const ratios: number[] = [];
    for (let b = 0; b < 1.1; b += 0.05) {
      for (let turn = 0; turn < 6; turn++) {
        const direction = [Math.sin(b) * Math.cos(turn), Math.sin(b) * Math.sin(turn), Math.cos(b)];
        const base = new LightBase({ groupOf: [0], groups: 1, spheres: 1 }, { directions: 256, kernel });
        base.bounceFactors = undefined;
        const transfer = new Float32Array(25);
        const ball = spheresOf([...direction, Math.sin(0.4)]);
        base.run([0, 0, 0], [0, 0, 1], ball, IDENTITY, { transfer });
        const dark = 1 - transfer[0] * Math.sqrt(4 * Math.PI);
        ratios.push(dark / (Math.cos(b) * Math.sin(0.4) ** 2));
      }
    }
    const mean = ratios.reduce((sum, x) => sum + x, 0) / ratios.length;
    expect(mean).toBeGreaterThan(1.06);
    expect(mean).toBeLessThan(1.11);
  });

  it('is black deep within a sphere', () => {
    const base = new LightBase({ groupOf: [0], groups: 1, spheres: 1 }, { kernel });
    const transfer = new Float32Array(25);
    base.run([0, 0, 0], [0, 0, 1], spheresOf([0, 0, 0.001, 1]), IDENTITY, { transfer });
    expect(Math.abs(transfer[0])).toBeLessThan(0.03);
  });

  it('lets a sphere that lies mostly below a face rise less above it', () => {
    const dark = (depth: number, radius: number): number => {
      const base = new LightBase({ groupOf: [0], groups: 1, spheres: 1 }, { directions: 256, kernel });
      base.bounceFactors = undefined;
      const transfer = new Float32Array(25);
      base.run([0, 0, 0], [0, 0, 1], spheresOf([0.9, 0, -depth, radius]), IDENTITY, { transfer });
      return 1 - transfer[0] * Math.sqrt(4 * Math.PI);
    };
    // From 0.85 of the radius on it touches the plane; at 0.4 and above the plane it is what it was.
    for (const depth of [0.85, 0.9, 0.99, 1, 1.2]) {
      expect(dark(0.7 * depth, 0.7)).toBeCloseTo(dark(0.7 * depth, 0.7 * Math.min(1, depth)), 6);
    }
    const darker = [0.9, 0.7, 0.5, 0.4, 0.2, -0.2, -0.9].map((depth) => dark(0.7 * depth, 0.7));
    darker.slice(1).forEach((share, q) => {
      expect(share).toBeGreaterThan(darker[q]);
    });
    expect(darker[0]).toBeLessThan(0.02);
    expect(darker[3]).toBeGreaterThan(0.03);
  });

  it('is what it was when everything is turned, moved and scaled', () => {
    const given = scene(5, 60, 4, 40);
    const rng = seededRandom(9);
    const r = randomRotation(rng);
    const shift = [3, -2, 7];
    const place = (points: Float32Array, stride: number, scale: number, move: readonly number[]) => {
      const out = points.slice();
      for (let p = 0; p < points.length; p += stride) {
        for (let row = 0; row < 3; row++) {
          const turned = r[3 * row] * points[p] + r[3 * row + 1] * points[p + 1] + r[3 * row + 2] * points[p + 2];
          out[p + row] = scale * turned + move[row];
        }
        if (stride === 4) out[p + 3] = scale * points[p + 3];
      }
      return out;
    };
    const frames = given.frames.slice();
    for (let g = 0; g < given.groups; g++) {
      for (let row = 0; row < 3; row++) {
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let q = 0; q < 3; q++) sum += r[3 * row + q] * given.frames[9 * g + 3 * q + c];
          frames[9 * g + 3 * row + c] = sum;
        }
      }
    }
    const moved = {
      ...given,
      frames,
      positions: place(given.positions, 3, 4, shift),
      normals: place(given.normals, 3, 1, [0, 0, 0]),
      posed: { ...given.posed, balls: place(given.posed.balls, 4, 4, shift) },
    };
    const a = run(given, { kernel });
    const b = run(moved, { kernel });
    expect(rms(a.transfer, b.transfer)).toBeLessThan(1e-5);
    expect(rms(a.visibility, b.visibility)).toBeLessThan(1e-4);
  });

  it('never exceeds what is unshadowed, in total', () => {
    const { transfer } = run(scene(6, 100, 2, 30), { kernel });
    for (let i = 0; i < 100; i++) expect(transfer[25 * i]).toBeLessThanOrEqual(1 / Math.sqrt(4 * Math.PI) + 1e-6);
  });
});

it.each([
  [5, 64],
  [3, 32],
  [6, 128],
])('kernel and twin agree: order %i, %i directions', (order, directions) => {
  const given = scene(order, 203, 5, 37);
  const factors = Float32Array.from({ length: 25 }, (_, c) => 0.3 - 0.01 * c);
  const a = run(given, { order, directions, kernel: 'wasm' }, factors);
  const b = run(given, { order, directions, kernel: 'typescript' }, factors);
  expect(rms(a.transfer, b.transfer)).toBeLessThan(2e-6);
  expect(rms(a.visibility, b.visibility)).toBeLessThan(2e-5);
});

it('says which input does not fit', () => {
  expect(() => new LightBase({ groupOf: [2], groups: 2, spheres: 1 })).toThrow(/frame 2/);
  expect(() => new LightBase({ groupOf: [0], groups: 1, spheres: 1 }, { directions: 30 })).toThrow(/multiple of four/);
  const base = new LightBase({ groupOf: [0], groups: 1, spheres: 1 });
  const out = { transfer: new Float32Array(25) };
  expect(() => base.run([0, 0], [0, 0, 1], spheresOf(), IDENTITY, out)).toThrow(/positions/);
  expect(() => base.run([0, 0, 0], [0, 0, 1], spheresOf([0, 0, 0, 1], [1, 0, 0, 1]), IDENTITY, out)).toThrow(
    /2 spheres/,
  );
});
