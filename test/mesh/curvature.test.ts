import { describe, expect, it } from 'vitest';
import { meshCurvature } from '../../src/mesh/curvature.ts';
import { flipped, grid, icosphere, moved, rotationOf } from './shapes.ts';

/** A grid rolled up to part of a cylinder of the given radius about y, facing out. */
function pipe(radius: number) {
  const mesh = grid(24, 8);
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    const angle = positions[i] / 24;
    positions[i] = radius * Math.sin(angle);
    positions[i + 2] = radius * Math.cos(angle);
  }
  return { ...mesh, positions };
}

const inner = (mesh: { positions: Float32Array }, n: number, m: number): number[] =>
  Array.from({ length: mesh.positions.length / 3 }, (_, i) => i).filter((i) => {
    const x = i % (n + 1);
    const y = Math.floor(i / (n + 1));
    return x > 1 && x < n - 1 && y > 1 && y < m - 1;
  });

describe('meshCurvature', () => {
  it('is 1/r on a sphere, and −1/r when it faces in', () => {
    const sphere = icosphere(3);
    const big = sphere.positions.map((x) => 2 * x);
    for (const [mesh, expected] of [
      [{ ...sphere, positions: big }, 0.5],
      [{ ...flipped(sphere), positions: big }, -0.5],
    ] as const) {
      const { mean, major, minor } = meshCurvature(mesh.positions, mesh.triangles);
      for (let i = 0; i < mean.length; i++) {
        expect(mean[i]).toBeCloseTo(expected, 2);
        expect(major[i]).toBeCloseTo(expected, 2);
        expect(minor[i]).toBeCloseTo(expected, 2);
      }
    }
  });

  it('is 1/r across a cylinder and 0 along it', () => {
    const mesh = pipe(4);
    const { mean, major, minor, direction } = meshCurvature(mesh.positions, mesh.triangles);
    const sign = Math.sign(mean[100]);
    for (const i of inner(mesh, 24, 8)) {
      expect(major[i]).toBeCloseTo(sign / 4, 3);
      expect(minor[i]).toBeCloseTo(0, 3);
      expect(mean[i]).toBeCloseTo(sign / 8, 3);
      expect(Math.abs(direction[3 * i + 1])).toBeLessThan(0.01);
    }
  });

  it('is 0 on a plane, and where nothing has an area', () => {
    const flat = grid(5, 5);
    expect(Math.max(...meshCurvature(flat.positions, flat.triangles).major.map(Math.abs))).toBeLessThan(1e-6);
    const point = meshCurvature(new Float32Array(9), new Uint32Array([0, 1, 2]));
    expect([...point.mean, ...point.major]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('turns with the surface, and shrinks as it grows', () => {
    const mesh = pipe(4);
    const before = meshCurvature(mesh.positions, mesh.triangles);
    const after = meshCurvature(moved(mesh.positions, rotationOf([1, 2, 3], 0.7), 3, [3, -2, 1]), mesh.triangles);
    before.major.forEach((k, i) => {
      expect(after.major[i]).toBeCloseTo(k / 3, 4);
      expect(after.mean[i]).toBeCloseTo(before.mean[i] / 3, 4);
    });
  });
});
