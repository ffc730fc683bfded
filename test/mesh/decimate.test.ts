import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { Contractor } from '../../src/mesh/decimation/contractor.ts';
import { DECIMATE_OPTIONS, decimate } from '../../src/mesh/decimation/decimate.ts';
import { levelOf, PosePlacer } from '../../src/mesh/decimation/levels.ts';
import type { PosedMesh } from '../../src/mesh/decimation/posed-quadrics.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { expectRefusal } from '../refusal.ts';
import { cube, grid, icosphere, moved, rotationOf, soup, torus } from './shapes.ts';
import { slowDecimation } from './slow-decimation.ts';
import { topology } from './topology.ts';

const posed = (mesh: Mesh): PosedMesh => ({ triangles: mesh.triangles, poses: [mesh.positions] });

/** A grid with random heights in some poses. */
function bumpyGrid(seed: number, size: number, poseCount: number): PosedMesh {
  const random = seededRandom(seed);
  const { positions, triangles } = grid(size, size);
  const poses = Array.from({ length: poseCount }, () =>
    Float64Array.from(positions, (x) => x + 0.4 * (random() - 0.5)),
  );
  return { triangles, poses };
}

describe('decimate', () => {
  it.each([
    [1, 1],
    [2, 3],
    [3, 5],
  ])('contracts in the order that a slow and obvious version finds (seed %i, %i poses)', async (seed, poseCount) => {
    const mesh = bumpyGrid(seed, 5, poseCount);
    const result = await decimate(mesh, { keep: 0 });
    const slow = slowDecimation(mesh, 36);
    expect([...result.removed].map((i, s) => [i, result.into[s]])).toEqual(slow);
  });

  it.each([
    ['second', icosphere(3)],
    ['optimal', icosphere(3)],
    ['second', torus(24, 12)],
    ['optimal', torus(24, 12)],
    ['second', grid(20, 15)],
    ['optimal', grid(20, 15)],
  ] as const)('keeps topology at every level (%s placement)', async (placement, mesh) => {
    const n = vertexCount(mesh);
    const before = topology(mesh.triangles, n);
    const result = await decimate(posed(mesh), { keep: 0, placement });
    for (const share of [0.8, 0.5, 0.2, 0]) {
      const level = levelOf(result, Math.round(share * n));
      if (share > 0) expect(level.vertices.length).toBe(Math.round(share * n));
      expect(topology(level.triangles, level.vertices.length)).toEqual(before);
    }
  });

  it('keeps a flat sheet flat, its border in place and its faces up', async () => {
    const sheet = grid(12, 9);
    const result = await decimate(posed(sheet), { keep: 0.2, placement: 'optimal' });
    const level = levelOf(result, 0);
    const at = new PosePlacer(result).place(sheet.positions, level);
    let area = 0;
    for (let t = 0; t < level.triangles.length; t += 3) {
      const [a, b, c] = [...level.triangles.subarray(t, t + 3)].map((i) => 3 * i);
      const doubled = (at[b] - at[a]) * (at[c + 1] - at[a + 1]) - (at[b + 1] - at[a + 1]) * (at[c] - at[a]);
      expect(doubled).toBeGreaterThan(0);
      area += doubled / 2;
    }
    expect(area).toBeCloseTo(108, 1);
    for (let c = 2; c < at.length; c += 3) expect(Math.abs(at[c])).toBeLessThan(1e-9);
  });

  it('keeps the corners of a cube of many faces', async () => {
    // A sphere's connectivity on a cube: most contractions are free, the eight corners are not.
    const ball = icosphere(4);
    const positions = ball.positions.slice();
    for (let i = 0; i < positions.length; i += 3) {
      const size = Math.max(...positions.subarray(i, i + 3).map(Math.abs));
      for (let c = 0; c < 3; c++) positions[i + c] /= size;
    }
    const mesh = { triangles: ball.triangles, poses: [positions] };
    const result = await decimate(mesh, { keep: 0.02, placement: 'optimal' });
    const at = new PosePlacer(result).place(positions, levelOf(result, 0));
    for (const corner of [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])))) {
      let nearest = Infinity;
      for (let i = 0; i < at.length; i += 3) {
        nearest = Math.min(nearest, Math.hypot(...corner.map((x, c) => x - at[i + c])));
      }
      expect(nearest).toBeLessThan(0.15);
    }
  });

  it('does not depend on where the mesh lies, how it is turned or how large it is', async () => {
    const mesh = bumpyGrid(7, 12, 2);
    const turn = rotationOf([1, 2, 3], 1.1);
    const poses = mesh.poses.map((pose) => Float64Array.from(moved(Float32Array.from(pose), turn, 1)));
    const far = poses.map((pose) => pose.map((x, c) => 1e3 * x + [4e3, -7e3, 1e3][c % 3]));
    for (const placement of ['second', 'optimal'] as const) {
      const plain = await decimate({ ...mesh, poses }, { keep: 0.3, placement });
      const other = await decimate({ ...mesh, poses: far }, { keep: 0.3, placement });
      expect(other.removed).toEqual(plain.removed);
      expect(other.into).toEqual(plain.into);
    }
  });

  it('gives the levels that the contractor itself went through', async () => {
    const mesh = bumpyGrid(5, 10, 2);
    const contractor = new Contractor(mesh, defaultsOf(DECIMATE_OPTIONS));
    for (let s = 0; s < 60; s++) contractor.contractNext();
    const result = await decimate(mesh, { keep: 0 });
    const level = levelOf(result, 121 - 60);
    expect(level.triangles.map((i) => level.vertices[i])).toEqual(contractor.mesh.triangles());
    level.vertices.forEach((i, to) => {
      expect(level.vertexOf[i]).toBe(to);
    });
  });

  it('places the second vertex exactly, and changes no input', async () => {
    const mesh = bumpyGrid(9, 8, 1);
    const copy = Float64Array.from(mesh.poses[0]);
    const triangles = mesh.triangles.slice();
    const result = await decimate(mesh, { keep: 0.4 });
    const level = levelOf(result, 0);
    const at = new PosePlacer(result).place(mesh.poses[0], level);
    level.vertices.forEach((i, to) => {
      for (let c = 0; c < 3; c++) expect(at[3 * to + c]).toBeCloseTo(copy[3 * i + c], 12);
    });
    expect(mesh.poses[0]).toEqual(copy);
    expect(mesh.triangles).toEqual(triangles);
  });

  it('leaves alone what has queue −1 and what the rules forbid', async () => {
    const mesh = bumpyGrid(4, 8, 1);
    const queueOf = new Int32Array(81).map((_, i) => (i % 3 === 0 ? -1 : 0));
    const seen: number[] = [];
    const result = await decimate(mesh, {
      keep: 0,
      rules: {
        queueOf,
        mayContract: (i, j) => (i + j) % 2 === 0,
        onContract: (i) => seen.push(i),
      },
    });
    expect(result.removed.length).toBeGreaterThan(5);
    expect(seen).toEqual([...result.removed]);
    result.removed.forEach((i, s) => {
      expect(i % 3).not.toBe(0);
      expect((i + result.into[s]) % 2).toBe(0);
    });
  });

  it('survives triangles between random points, degenerate and isolated ones', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const mesh = soup(seededRandom(seed), 30, 60);
      for (const placement of ['second', 'optimal'] as const) {
        const result = await decimate(posed(mesh), { keep: 0, placement });
        const level = levelOf(result, 0);
        const at = new PosePlacer(result).place(mesh.positions, level);
        expect(at.every(Number.isFinite)).toBe(true);
        expect(result.costs.every((cost) => cost >= 0)).toBe(true);
      }
    }
    const points = { triangles: new Uint32Array(0), poses: [new Float32Array(9)] };
    expect((await decimate(points, { keep: 0 })).removed.length).toBe(0);
    const nothing = { triangles: new Uint32Array(0), poses: [new Float32Array(0)] };
    expect((await decimate(nothing, { keep: 0 })).vertexCount).toBe(0);
  });

  it('refuses a share out of range, and can be cancelled', async () => {
    await expectRefusal(decimate(posed(cube()), { keep: 2 }), 'bad-option', { option: 'keep' });
    const stop = new AbortController();
    const seen: number[] = [];
    const onProgress = (done: number, total: number) => {
      expect(total).toBe(2306);
      if (seen.push(done) === 3) stop.abort();
    };
    const run = decimate(posed(icosphere(4)), { keep: 0.1, signal: stop.signal, onProgress });
    await expectRefusal(run, 'cancelled');
    expect(seen).toEqual([0, 256, 512]);
  });
});
