import { describe, expect, it } from 'vitest';
import { type ImplicitFunction, limbFunction, mirrored, smoothUnion } from '../../src/mesh/implicit/implicit.ts';
import { polygonize } from '../../src/mesh/implicit/polygonize.ts';
import { inspectMesh } from '../../src/mesh/inspect.ts';
import { validateMesh } from '../../src/model/mesh.ts';

const ball = limbFunction({ a: [0.1, 0, -0.2], b: [0.1, 0, -0.2], ra: 0.5, rb: 0.5 });
const dumbbell = smoothUnion(
  [
    { a: [-0.5, 0, 0], b: [-0.5, 0, 0], ra: 0.3, rb: 0.3 } as const,
    { a: [0.5, 0, 0], b: [0.5, 0, 0], ra: 0.3, rb: 0.3 } as const,
    { a: [-0.5, 0, 0], b: [0.5, 0, 0], ra: 0.12, rb: 0.12 } as const,
  ].map(limbFunction),
  0.1,
);
const bounds = { min: [-1, -1, -1] as [number, number, number], max: [1, 1, 1] as [number, number, number] };

function volumeAndArea(positions: Float32Array, triangles: Uint32Array): { volume: number; area: number } {
  let volume = 0;
  let area = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
    area += Math.hypot(...n) / 2;
  }
  return { volume, area };
}

describe('polygonize', () => {
  it('gives a closed sphere whose volume and area are those of a ball, facing outwards', () => {
    const mesh = polygonize(ball, bounds, 2000);
    validateMesh(mesh);
    const { volume, area } = volumeAndArea(mesh.positions, mesh.triangles);
    expect(volume).toBeCloseTo((4 / 3) * Math.PI * 0.5 ** 3, 2);
    expect(area / (4 * Math.PI * 0.5 ** 2)).toBeCloseTo(1, 2);
  });

  it('puts every vertex on the surface', () => {
    for (const f of [ball, dumbbell]) {
      const { positions } = polygonize(f, bounds, 1500);
      for (let o = 0; o < positions.length; o += 3) {
        expect(Math.abs(f(positions[o], positions[o + 1], positions[o + 2]))).toBeLessThan(1e-3);
      }
    }
  });

  it.each([200, 500, 1200, 3000, 8000])('meets %i vertices within a fifth and stays a sphere', (vertices) => {
    for (const f of [ball, dumbbell]) {
      const facts = inspectMesh(polygonize(f, bounds, vertices));
      expect(Math.abs(facts.vertices / vertices - 1)).toBeLessThan(0.2);
      expect(facts.components).toHaveLength(1);
      expect(facts.components[0].genus).toBe(0);
      expect(facts.problems).toEqual([]);
    }
  });

  it('makes no slivers', () => {
    const { positions, triangles } = polygonize(dumbbell, bounds, 2000);
    const { area } = volumeAndArea(positions, triangles);
    const mean = area / (triangles.length / 3);
    for (let t = 0; t < triangles.length; t += 3) {
      expect(volumeAndArea(positions, triangles.slice(t, t + 3)).area).toBeGreaterThan(mean / 10);
    }
  });

  it('refuses what it cannot show: two pieces, a ring, a thread between two balls', () => {
    const far = (x: number): ImplicitFunction => limbFunction({ a: [x, 0, 0], b: [x, 0, 0], ra: 0.2, rb: 0.2 });
    const torus: ImplicitFunction = (x, y, z) => Math.hypot(Math.hypot(x, y) - 0.6, z) - 0.2;
    const thread = limbFunction({ a: [-0.9, 0.013, 0], b: [0.9, 0, 0.017], ra: 0.01, rb: 0.01 });
    for (const f of [smoothUnion([far(-0.5), far(0.5)], 0.01), torus]) {
      expect(() => polygonize(f, bounds, 500)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    }
    expect(() => polygonize(smoothUnion([far(-0.5), far(0.5), thread], 0.01), bounds, 200)).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  });

  it('refuses a grid beyond all bounds: around a speck, and around nothing', () => {
    const speck = limbFunction({ a: [0, 0, 0], b: [0, 0, 0], ra: 1e-3, rb: 1e-3 });
    expect(() => polygonize(speck, bounds, 100_000)).toThrow(expect.objectContaining({ code: 'too-large' }));
    expect(() => polygonize(() => 1, bounds, 500)).toThrow(expect.objectContaining({ code: 'too-large' }));
  });
});

describe('implicit limbs', () => {
  it('a limb is the distance from its axis less its radius', () => {
    const f = limbFunction({ a: [0, 0, 0], b: [2, 0, 0], ra: 0.5, rb: 0.3 });
    expect(f(0, 1, 0)).toBeCloseTo(0.5);
    expect(f(2, 0, 1)).toBeCloseTo(0.7);
    expect(f(1, 1, 0)).toBeCloseTo(0.6);
    expect(f(-1, 0, 0)).toBeCloseTo(0.5);
  });

  it('squash scales the radius along an axis', () => {
    const f = limbFunction({ a: [0, 0, 0], b: [0, 0, 0], ra: 1, rb: 1, squash: [0.5, 1, 1] });
    expect(f(0.5, 0, 0)).toBeCloseTo(0);
    expect(f(0, 1, 0)).toBeCloseTo(0);
    expect(f(0.6, 0, 0)).toBeGreaterThan(0);
  });

  it('a smooth union is the minimum away from the joint, and less at it', () => {
    const a: ImplicitFunction = (x) => x;
    const b: ImplicitFunction = (_, y) => y;
    const f = smoothUnion([a, b], 0.2);
    expect(f(1, 3, 0)).toBe(1);
    expect(f(3, 1, 0)).toBe(1);
    expect(f(1, 1, 0)).toBeCloseTo(1 - 0.05);
  });

  it('a mirrored limb has the mirrored function', () => {
    const limb = { a: [0.3, 1, 0], b: [0.5, 0, 0.2], ra: 0.2, rb: 0.1 } as const;
    expect(limbFunction(mirrored(limb))(-0.7, 0.4, 0.1)).toBeCloseTo(limbFunction(limb)(0.7, 0.4, 0.1), 12);
  });
});
