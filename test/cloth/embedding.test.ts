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
