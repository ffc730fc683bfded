import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { DetailPhysics } from '../../src/cloth/detail.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { MovingPins } from '../../src/cloth/pins.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { curtain } from './ball.ts';
import { moved } from './body.ts';

const sheet = curtain(600);
const CASES = [
  ['a sheet', sheet.mesh, sheet.pinned],
  ['a ball', geodesicSphere('ball', 642, [0, 0, 0], 0.3), new Uint32Array(0)],
] as const;

const expectNear = (got: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number) => {
  let worst = 0;
  for (let c = 0; c < expected.length; c++) worst = Math.max(worst, Math.abs(got[c] - expected[c]));
  expect(worst).toBeLessThan(tolerance);
};

describe.each(CASES)('%s', (_, fine, pinned) => {
  it('is decimated without losing its pins', async () => {
    const coarse = await coarseMesh(fine, pinned, 60);
    expect(vertexCount(coarse.mesh)).toBeLessThanOrEqual(60);
    expect(diagonalOf(coarse.mesh.positions) / diagonalOf(fine.positions)).toBeGreaterThan(0.9);
    expect(coarse.pinned.length > 1).toBe(pinned.length > 0);
    const isPinned = new Set(Array.from(pinned, (i) => fine.positions.subarray(3 * i, 3 * i + 3).join()));
    const found = Array.from(coarse.pinned, (v) => coarse.mesh.positions.subarray(3 * v, 3 * v + 3).join());
    expect(found.every((place) => isPinned.has(place))).toBe(true);
  });

  it('is embedded exactly at rest and in rigid motion', async () => {
    const coarse = await coarseMesh(fine, pinned, 60);
    const embedding = new Embedding(coarse.mesh, fine);
    const out = new Float64Array(fine.positions.length);
    embedding.apply(Float64Array.from(coarse.mesh.positions), out);
    expectNear(out, fine.positions, 1e-6);
    embedding.apply(moved(Float64Array.from(coarse.mesh.positions)), out);
    expectNear(out, moved(Float64Array.from(fine.positions)), 1e-6);
    for (let j = 0; j < embedding.count; j++) {
      const [a, b, c] = embedding.weights.subarray(3 * j, 3 * j + 3);
      expect(a + b + c).toBeCloseTo(1, 9);
      expect(Math.min(a, b, c)).toBeGreaterThan(-1e-9);
    }
  });

  it('keeps its detail at zero when the coarse cloth moves rigidly', async () => {
    const coarse = await coarseMesh(fine, pinned, 60);
    const embedding = new Embedding(coarse.mesh, fine);
    const margin = new Float64Array(vertexCount(fine));
    const pins = new MovingPins(new Uint32Array(0), fine.positions, fine.positions);
    const tethers = { anchor: new Int32Array(0), reach: new Float64Array(0) };
    const rest = Float64Array.from(coarse.mesh.positions);
    const detail = new DetailPhysics(embedding, fine, { pins, obstacles: [], margin, tethers }, moved(rest));
    for (let k = 0; k < 5; k++) {
      const shift = rest.map((x, c) => x + (c % 3 === 0 ? 0.1 * k : 0));
      detail.step(moved(shift), 1 / 30);
      const expected = moved(Float64Array.from(fine.positions, (x, c) => x + (c % 3 === 0 ? 0.1 * k : 0)));
      expectNear(detail.x, expected, 1e-5);
    }
  });
});

describe('detail', () => {
  it('buckles where the coarse cloth is compressed, and lowers the strain of the embedding', async () => {
    const { mesh: fine } = sheet;
    const coarse = await coarseMesh(fine, new Uint32Array(0), 60);
    const embedding = new Embedding(coarse.mesh, fine);
    const rest = Float64Array.from(coarse.mesh.positions);
    // Folds along y that the coarse mesh shows only as a shorter sheet with a slight wave.
    const folded = rest.map((x, c) => (c % 3 === 0 ? 0.9 * x : c % 3 === 2 ? x + 0.03 * Math.sin(9 * rest[c - 2]) : x));
    const pins = new MovingPins(new Uint32Array(0), fine.positions, fine.positions);
    const tethers = { anchor: new Int32Array(0), reach: new Float64Array(0) };
    const stage = { pins, obstacles: [], margin: new Float64Array(vertexCount(fine)), tethers };
    const detail = new DetailPhysics(embedding, fine, stage, rest);
    detail.step(folded, 1 / 30);
    for (let k = 0; k < 30; k++) detail.step(folded, 1 / 30);
    const base = new Float64Array(detail.x.length);
    embedding.apply(folded, base);
    const strain = (x: ArrayLike<number>) => {
      let sum = 0;
      for (let t = 0; t < fine.triangles.length; t += 3) {
        const [i, j] = [3 * fine.triangles[t], 3 * fine.triangles[t + 1]];
        const length = (p: ArrayLike<number>) => Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]);
        sum += Math.abs(length(x) / length(fine.positions) - 1);
      }
      return sum;
    };
    expect(strain(detail.x)).toBeLessThan(0.85 * strain(base));
  });
});
