import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { curtain } from './ball.ts';
import { moved } from './body.ts';
import { expectNear } from './near.ts';

const sheet = curtain(600);
const CASES = [
  ['a sheet', sheet.mesh, sheet.pinned],
  ['a ball', geodesicSphere('ball', 642, [0, 0, 0], 0.3), new Uint32Array(0)],
] as const;

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
});

it('keeps the mean under the hats on the coarse cloth where it bends, as Phong tessellation does not', async () => {
  const coarse = await coarseMesh(sheet.mesh, sheet.pinned, 60);
  const embedding = new Embedding(coarse.mesh, sheet.mesh);
  const { hats, weights, points, rest, rotations } = embedding;
  const bent = rest.map((_, c) => {
    const [x, y, z] = rest.subarray(c - (c % 3), c - (c % 3) + 3);
    return [(1 + z) * Math.sin(3 * x), y, (1 + z) * Math.cos(3 * x)][c % 3];
  });
  const out = new Float64Array(points.length);
  embedding.apply(bent, out);
  const blended = (j: number, of: (v: number) => number) =>
    [0, 1, 2].reduce((sum, h) => sum + weights[3 * j + h] * of(hats[3 * j + h]), 0);
  const flat = out.map((_, c) => blended(Math.floor(c / 3), (v) => bent[3 * v + (c % 3)]));
  const phong = out.map((_, c) => {
    const [j, row] = [Math.floor(c / 3), c % 3];
    const turned = (v: number) =>
      [0, 1, 2].reduce((sum, a) => sum + rotations[9 * v + 3 * row + a] * (points[3 * j + a] - rest[3 * v + a] / 3), 0);
    return flat[c] + blended(j, turned);
  });
  const meanWay = (x: Float64Array) => {
    const sums = new Float64Array(rest.length);
    const shares = new Float64Array(rest.length);
    hats.forEach((v, h) => {
      for (let c = 0; c < 3; c++) {
        sums[3 * v + c] += weights[h] * (x[3 * Math.floor(h / 3) + c] - flat[3 * Math.floor(h / 3) + c]);
        shares[3 * v + c] += weights[h];
      }
    });
    return Math.hypot(...sums.map((sum, c) => sum / shares[c]));
  };
  expect(meanWay(out)).toBeLessThan(0.4 * meanWay(phong));
});
