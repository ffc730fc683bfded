import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { multiplySparse } from '../../src/math/sparse-matrix.ts';
import { surfaceArea } from '../../src/measure/area.ts';
import { cotangentLaplacian } from '../../src/mesh/laplacian.ts';
import { grid, icosphere, rotationOf, soup, transformed } from './shapes.ts';

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

describe('cotangentLaplacian', () => {
  it('has masses that add up to the area, and rows that add up to 0', () => {
    for (const mesh of [icosphere(2), grid(5, 4), soup(seededRandom(3), 30, 60)]) {
      const { stiffness, mass } = cotangentLaplacian(mesh.positions, mesh.triangles);
      expect(sum(mass)).toBeCloseTo(surfaceArea(mesh.positions, mesh.triangles), 9);
      const ones = new Float64Array(mass.length).fill(1);
      const size = Math.max(...stiffness.values.map(Math.abs));
      for (const x of multiplySparse(ones.slice(), stiffness, ones)) expect(Math.abs(x)).toBeLessThan(1e-12 * size);
    }
  });

  it('measures the gradient of a linear function exactly', () => {
    const mesh = transformed(grid(7, 5), rotationOf([1, 2, 3], 1));
    const { stiffness } = cotangentLaplacian(mesh.positions, mesh.triangles);
    const flat = grid(7, 5).positions;
    const u = Float64Array.from({ length: 48 }, (_, i) => 2 * flat[3 * i] - 3 * flat[3 * i + 1]);
    const energy = multiplySparse(new Float64Array(48), stiffness, u).reduce((total, x, i) => total + x * u[i], 0);
    expect(energy).toBeCloseTo((4 + 9) * 35, 4);
  });

  it('has the eigenvalue 2 for the coordinates of the unit sphere', () => {
    const { positions, triangles } = icosphere(4);
    const { stiffness, mass } = cotangentLaplacian(positions, triangles);
    const x = Float64Array.from(mass, (_, i) => positions[3 * i]);
    const lx = multiplySparse(new Float64Array(x.length), stiffness, x);
    const energy = lx.reduce((total, value, i) => total + value * x[i], 0);
    expect(energy / x.reduce((total, value, i) => total + mass[i] * value * value, 0)).toBeCloseTo(2, 2);
  });

  it('does not change under rotation, and its mass grows with the square of the scale', () => {
    const mesh = soup(seededRandom(8), 20, 30);
    const big = transformed(mesh, rotationOf([1, 1, 0], 2), 10, [3, 4, 5]);
    const a = cotangentLaplacian(mesh.positions, mesh.triangles);
    const b = cotangentLaplacian(big.positions, big.triangles);
    a.stiffness.values.forEach((value, q) => {
      expect(Math.abs(value - b.stiffness.values[q])).toBeLessThan(1e-4 * Math.max(1, Math.abs(value)));
    });
    for (let i = 0; i < a.mass.length; i++) expect(100 * a.mass[i]).toBeCloseTo(b.mass[i], 2);
  });

  it('leaves out triangles without an area, and gives vertices without triangles an empty row', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 9, 9, 9];
    const triangles = Uint32Array.of(0, 1, 2, 0, 1, 3, 1, 1, 2);
    const { stiffness, mass } = cotangentLaplacian(positions, triangles);
    expect(stiffness.values.every(Number.isFinite)).toBe(true);
    expect([...mass].map((x) => x * 6)).toEqual([1, 1, 1, 0, 0]);
    expect(stiffness.offsets[5] - stiffness.offsets[4]).toBe(1);
  });
});
