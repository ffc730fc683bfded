import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { PosedDistance, surfaceDistance } from '../../src/measure/posed-distance.ts';
import { buildBvh } from '../../src/mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../src/mesh/nearest.ts';
import { icosphere } from '../mesh/shapes.ts';

/** A square of side 1 in the plane z, two triangles. */
const square = (z: number, side = 1) => ({
  triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  positions: Float32Array.of(0, 0, z, side, 0, z, side, side, z, 0, side, z),
});

const moved = (positions: Float32Array, by: number, scale = 1) => positions.map((x) => scale * x + by);

describe('distance between posed surfaces', () => {
  it('is 0 between a surface and itself, however it is cut into triangles', () => {
    const other = { ...square(0), triangles: Uint32Array.of(1, 2, 3, 0, 1, 3) };
    expect(surfaceDistance(square(0), square(0)).max).toBeLessThan(1e-7);
    expect(surfaceDistance(square(0), other).max).toBeLessThan(1e-7);
  });

  it('is the distance of parallel squares', () => {
    const { rms, max } = surfaceDistance(square(0), square(0.25), { points: 500 });
    expect(rms).toBeCloseTo(0.25, 6);
    expect(max).toBeCloseTo(0.25, 6);
  });

  it('sees what only one of the two has, from either side, as the integral says', () => {
    // Points of the square of side 2 that lie outside that of side 1: E d² = (2·∫∫ over strips + corner) / 4.
    const strips = 2 * (1 / 3);
    const corner = 2 * (1 / 3);
    const exact = Math.sqrt((strips + corner) / 4 / 2);
    for (const [a, b] of [
      [square(0), square(0, 2)],
      [square(0, 2), square(0)],
    ]) {
      const { rms, max } = surfaceDistance(a, b, { points: 20_000 });
      expect(rms).toBeCloseTo(exact, 2);
      expect(max).toBeCloseTo(Math.SQRT2, 6);
    }
  });

  it('finds the farthest vertex of every pose, as trying all of them does', () => {
    const mesh = icosphere(3);
    const random = seededRandom(1);
    const other = square(0);
    const compare = new PosedDistance(mesh, other, { points: 1 });
    for (let pose = 0; pose < 6; pose++) {
      const positions = mesh.positions.map((x) => x * (1 + 0.4 * random()));
      let exact = 0;
      for (const [of, to] of [
        [{ ...mesh, positions }, other],
        [other, { ...mesh, positions }],
      ]) {
        const bvh = buildBvh(to.positions, to.triangles);
        for (let v = 0; v < of.positions.length; v += 3) {
          const [x, y, z] = of.positions.subarray(v, v + 3);
          const point = surfacePoint();
          nearestOnSurface(bvh, x, y, z, point);
          exact = Math.max(exact, point.distance);
        }
      }
      expect(compare.distance(positions, other.positions).max).toBeCloseTo(exact, 6);
    }
  });

  it('follows when both are moved and scaled', () => {
    const [a, b] = [square(0), square(0.5, 1.5)];
    const compare = new PosedDistance(a, b, { points: 1000 });
    const before = compare.distance(a.positions, b.positions);
    const after = compare.distance(moved(a.positions, 3, 2), moved(b.positions, 3, 2));
    expect(after.rms).toBeCloseTo(2 * before.rms, 5);
    expect(after.max).toBeCloseTo(2 * before.max, 5);
  });

  it('gives the same figures for the same seed, and finite ones for a surface without area', () => {
    expect(surfaceDistance(square(0), square(1, 3))).toEqual(surfaceDistance(square(0), square(1, 3)));
    expect(surfaceDistance(square(0), square(1, 0), { points: 50 }).max).toBeGreaterThan(1);
  });
});
