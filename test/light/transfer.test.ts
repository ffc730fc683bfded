import { describe, expect, it } from 'vitest';
import type { LightSurface } from '../../src/light/surface-rays.ts';
import { tracePoints, traceTransfer } from '../../src/light/transfer.ts';
import { cosineLobe, evaluateSh, hemisphereLobe, shRotation } from '../../src/math/spherical-harmonics.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, flipped, grid, icosphere, rotationOf, torus } from '../mesh/shapes.ts';
import { refusal } from '../refusal.ts';

const C = 25;
const surfaceOf = (mesh: Mesh, albedo: LightSurface['albedo'] = 0.6): LightSurface => ({
  ...mesh,
  normals: vertexNormals(mesh),
  albedo,
});
/** What an even light of radiance 1 makes of a vertex. */
const even = (transfer: Float32Array, i: number): number => transfer[C * i] * Math.sqrt(4 * Math.PI);
const lobesOf = (normals: Float32Array, lobe: typeof cosineLobe): Float64Array => {
  const out = new Float64Array((C * normals.length) / 3);
  for (let i = 0; i < normals.length / 3; i++) lobe(5, normals, out, C * i, 3 * i);
  return out;
};
const relativeError = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let difference = 0;
  let size = 0;
  for (let c = 0; c < a.length; c++) {
    difference += (a[c] - b[c]) ** 2;
    size += b[c] ** 2;
  }
  return Math.sqrt(difference / size);
};

/** Half of a sphere, open at the top, of `rings` rings, its faces looking in; `low` are vertices away from the rim. */
function bowl(rings: number): { surface: LightSurface; low: number[] } {
  const columns = 3 * rings;
  const positions: number[] = [0, -1, 0];
  const triangles: number[] = [];
  const at = (ring: number, column: number) => (ring === 0 ? 0 : 1 + (ring - 1) * columns + (column % columns));
  for (let ring = 1; ring <= rings; ring++) {
    const polar = (Math.PI * ring) / (2 * rings);
    for (let column = 0; column < columns; column++) {
      const azimuth = (2 * Math.PI * column) / columns;
      positions.push(Math.sin(polar) * Math.cos(azimuth), -Math.cos(polar), Math.sin(polar) * Math.sin(azimuth));
      const [a, b] = [at(ring - 1, column), at(ring - 1, column + 1)];
      triangles.push(at(ring, column + 1), at(ring, column), a);
      if (a !== b) triangles.push(b, at(ring, column + 1), a);
    }
  }
  const surface = {
    positions: Float32Array.from(positions),
    normals: Float32Array.from(positions, (x) => -x),
    triangles: Uint32Array.from(triangles),
    albedo: 1,
  };
  const low = [...surface.positions.keys()].filter((c) => c % 3 === 1 && surface.positions[c] < -0.3);
  return { surface, low: low.map((c) => (c - 1) / 3) };
}

describe('traceTransfer', () => {
  it('of a lone sphere is the cosine lobe, and its visibility half of the sky', () => {
    const surface = surfaceOf(icosphere(2));
    const { transfer, visibility, inside, report } = traceTransfer(surface, { rays: 64, visibility: true });
    expect(relativeError(transfer, lobesOf(surface.normals, cosineLobe))).toBeLessThan(1e-6);
    expect(relativeError(visibility!, lobesOf(surface.normals, hemisphereLobe))).toBeLessThan(1e-6);
    expect(inside.every((x) => x === 0)).toBe(true);
    expect(report).toEqual({ rays: 64 * 162, blocked: 0, inside: 0 });
  });

  it('adds up: a bowl that reflects all has 1 − 2^−(k + 1) of even light after k bounces', () => {
    const { surface, low } = bowl(12);
    for (const bounces of [0, 1, 2, 6]) {
      const { transfer } = traceTransfer(surface, { rays: 256, bounces, seed: 3 });
      const mean = low.reduce((sum, i) => sum + even(transfer, i), 0) / low.length;
      expect(Math.abs(mean - (1 - 2 ** -(bounces + 1)))).toBeLessThan(0.002);
      for (const i of low) expect(Math.abs(even(transfer, i) - mean)).toBeLessThan(0.05);
    }
  });

  it('of a floor along an endless wall is that of half the sky', () => {
    // The wall stands at x = 0 and takes all directions with x < 0.
    const size = 1e4;
    const wall = { positions: new Float32Array([0, -size, -size, 0, size, -size, 0, size, size, 0, -size, size]) };
    const triangles = new Uint32Array([0, 1, 2, 0, 2, 3]);
    const surface = surfaceOf({ ...wall, triangles });
    const points = { points: Float32Array.of(2, 0, 0), normals: Float32Array.of(0, 1, 0) };
    // By midpoints, equal in solid angle.
    const expected = new Float64Array(C);
    const y = new Float64Array(C);
    const [rows, columns] = [200, 400];
    for (let row = 0; row < rows; row++) {
      const up = (row + 0.5) / rows;
      for (let column = 0; column < columns; column++) {
        const azimuth = Math.PI * ((column + 0.5) / columns - 0.5);
        const radius = Math.sqrt(1 - up * up);
        evaluateSh(5, radius * Math.cos(azimuth), up, radius * Math.sin(azimuth), y);
        for (let c = 0; c < C; c++) expected[c] += (up * y[c]) / (rows * columns);
      }
    }
    const traced = tracePoints(surface, points, { rays: 4096 });
    expect(even(traced, 0)).toBeCloseTo(0.5, 2);
    expect(relativeError(traced, expected)).toBeLessThan(0.01);
  });

  it('is black in a closed box, whatever its walls reflect', () => {
    for (const room of [flipped(cube()), flipped(icosphere(2))]) {
      const surface = surfaceOf(room, 1);
      const { transfer, report } = traceTransfer(surface, { rays: 256, bounces: 3 });
      expect(report.blocked).toBe(1);
      expect(transfer.every((x) => x === 0)).toBe(true);
    }
  });

  it('never makes energy', () => {
    for (const [mesh, seed] of [
      [torus(16, 10), 1],
      [grid(6, 6), 2],
      [bowl(6).surface, 3],
    ] as const) {
      const { transfer } = traceTransfer(surfaceOf(mesh, 1), { rays: 256, bounces: 8, seed });
      for (let i = 0; i < mesh.positions.length / 3; i++) expect(even(transfer, i)).toBeLessThan(1.02);
    }
  });

  it('turns with the surface', () => {
    const mesh = torus(16, 10);
    const r = rotationOf([1, -2, 0.5], 1.1);
    const turned = {
      ...mesh,
      positions: mesh.positions.map((_, c) => {
        const i = c - (c % 3);
        const row = 3 * (c % 3);
        return r[row] * mesh.positions[i] + r[row + 1] * mesh.positions[i + 1] + r[row + 2] * mesh.positions[i + 2];
      }),
    };
    const there = traceTransfer(surfaceOf(turned), { rays: 1024, visibility: true });
    const here = traceTransfer(surfaceOf(mesh), { rays: 1024, visibility: true, seed: 9 });
    const rotation = shRotation(5, r);
    const n = mesh.positions.length / 3;
    for (const name of ['transfer', 'visibility'] as const) {
      const moved = new Float32Array(C * n);
      for (let i = 0; i < n; i++) rotation.apply(here[name]!, moved, C * i, C * i);
      expect(relativeError(moved, there[name]!)).toBeLessThan(0.012);
    }
  });

  it('finds what is inside another part, and lets nobody see it', () => {
    const [a, b] = [icosphere(2), icosphere(2)];
    const n = a.positions.length / 3;
    const mesh = {
      positions: Float32Array.from([...a.positions, ...b.positions.map((x, c) => x + (c % 3 === 0 ? 1.2 : 0))]),
      triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((i) => i + n)]),
    };
    const { inside, report } = traceTransfer(surfaceOf(mesh), { rays: 128 });
    for (let i = 0; i < n; i++) {
      const distance = Math.hypot(mesh.positions[3 * i] - 1.2, mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]);
      if (distance < 0.9) expect(inside[i]).toBe(1);
      if (distance > 1.01) expect(inside[i]).toBe(0);
    }
    expect(report.inside).toBeGreaterThan(20);
    expect(report.inside).toBe(inside.reduce((sum, x) => sum + x, 0));
  });

  it('reflects by albedo: one, per vertex, or in colours', () => {
    const { surface } = bowl(6);
    const n = surface.positions.length / 3;
    const options = { rays: 64, bounces: 2 };
    const one = traceTransfer({ ...surface, albedo: Math.fround(0.3) }, options).transfer;
    const each = traceTransfer({ ...surface, albedo: new Float32Array(n).fill(0.3) }, options).transfer;
    expect(each).toEqual(one);
    const colours = new Float32Array(3 * n).map((_, c) => [0, 0.3, 0.9][c % 3]);
    const three = traceTransfer({ ...surface, albedo: colours }, options).transfer;
    expect(three.slice(0, n * C)).toEqual(traceTransfer(surface, { ...options, bounces: 0 }).transfer);
    expect(three.slice(n * C, 2 * n * C)).toEqual(one);
    expect(even(three, 2 * n)).toBeGreaterThan(even(three, n));
  });

  it('gives the same bytes for a seed, others for another, and less noise than chance', () => {
    const surface = surfaceOf(torus(16, 10));
    const run = (rays: number, seed: number) => traceTransfer(surface, { rays, seed, bounces: 0 }).transfer;
    expect(run(64, 1)).toEqual(run(64, 1));
    expect(run(64, 1)).not.toEqual(run(64, 2));
    const truth = run(8192, 7);
    const few = relativeError(run(64, 1), truth);
    const many = relativeError(run(256, 1), truth);
    // Random rays would have half the noise with four times as many.
    expect(many).toBeLessThan(0.42 * few);
    expect(many).toBeLessThan(0.02);
  });

  it('refuses what is no surface and options out of range', () => {
    const surface = surfaceOf(cube());
    const wrong = (change: Partial<LightSurface>) => () => traceTransfer({ ...surface, ...change }, { rays: 16 });
    expect(wrong({ normals: new Float32Array(3) })).toThrow(refusal('bad-input', { values: [3, 24] }));
    expect(wrong({ positions: surface.positions.map(() => Number.NaN) })).toThrow(refusal('bad-input'));
    expect(wrong({ triangles: Uint32Array.of(0, 1, 8) })).toThrow(refusal('bad-input', { values: [8] }));
    expect(wrong({ albedo: 1.5 })).toThrow(refusal('bad-input'));
    expect(wrong({ albedo: new Float32Array(5) })).toThrow(refusal('bad-input', { values: [5, 8, 24] }));
    expect(() => traceTransfer(surface, { order: 7 })).toThrow(refusal('bad-option', { option: 'order' }));
    expect(() => traceTransfer(surface, { rays: 0 })).toThrow(refusal('bad-option', { option: 'rays' }));
  });

  it('of nothing is nothing', () => {
    const none = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(traceTransfer({ ...none, normals: new Float32Array(0), albedo: 0 }, {}).transfer).toHaveLength(0);
  });
});
