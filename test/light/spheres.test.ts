import { describe, expect, it } from 'vitest';
import { poseSpheres } from '../../src/light/pose-spheres.ts';
import type { SphereSurface } from '../../src/light/sphere-surface.ts';
import { makeSpheres } from '../../src/light/spheres.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import { buildBvh } from '../../src/mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../src/mesh/nearest.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';

const figure = sampleFigure(1500, 2, 24);
const surface: SphereSurface = {
  positions: figure.mesh.positions,
  triangles: figure.mesh.triangles,
  weights: figure.weights,
};
const { spheres } = makeSpheres(surface);

/** A flat square of n × n cells around a point, facing up. */
function sheet(n: number, size: number, [x, y, z]: readonly number[]): SphereSurface {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) positions.push(x + (i / n - 0.5) * size, y, z + (j / n - 0.5) * size);
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      triangles.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

describe('spheres of a mesh', () => {
  it('are as many as asked for, with valid weights', () => {
    expect(spheres.count).toBe(64);
    const bones = figure.skeleton.parents.length;
    validateWeights({ influences: 4, joints: spheres.joints, weights: spheres.weights }, 64, bones);
    expect(makeSpheres(surface, { spheres: 12 }).spheres.count).toBe(12);
  });

  it('lie within the mesh', () => {
    const tree = buildBvh(surface.positions, surface.triangles);
    const point = surfacePoint();
    let share = 0;
    for (let s = 0; s < spheres.count; s++) {
      const [x, y, z] = spheres.centres.subarray(3 * s, 3 * s + 3);
      nearestOnSurface(tree, x, y, z, point);
      // Widened, and faces of this coarse mesh are flat between the vertices that the ball was fitted to.
      expect(point.distance).toBeGreaterThan(0.3 * spheres.radii[s]);
      share += point.distance / spheres.radii[s] / spheres.count;
    }
    expect(share).toBeGreaterThan(0.8);
  });

  it('are wider than what they touch where the mesh is flat', () => {
    const tube = sampleTube(1500, 2, 24);
    const widest = (positions: Float32Array): number =>
      Math.max(...makeSpheres({ ...tube.mesh, positions, weights: tube.weights }, { spheres: 8 }).spheres.radii);
    const round = widest(tube.mesh.positions);
    const flat = widest(tube.mesh.positions.map((x, c) => (c % 3 === 2 ? 2 * x : x)));
    expect(flat).toBeGreaterThan(1.15 * round);
    expect(flat).toBeLessThan(1.7 * round);
  });

  it('hold most of the mesh', () => {
    let near = 0;
    const n = surface.positions.length / 3;
    for (let i = 0; i < n; i++) {
      const [x, y, z] = surface.positions.subarray(3 * i, 3 * i + 3);
      for (let s = 0; s < spheres.count; s++) {
        const way = Math.hypot(
          x - spheres.centres[3 * s],
          y - spheres.centres[3 * s + 1],
          z - spheres.centres[3 * s + 2],
        );
        if (way > 1.5 * spheres.radii[s]) continue;
        near++;
        break;
      }
    }
    expect(near / n).toBeGreaterThan(0.9);
  });

  it('scale and move with the mesh', () => {
    const moved = surface.positions.map((x, c) => 4 * x + [64, -32, 16][c % 3]);
    const other = makeSpheres({ ...surface, positions: moved }).spheres;
    // Cells of a grid and rounding may choose a neighbour here and there.
    let same = 0;
    for (let s = 0; s < spheres.count; s++) {
      const way = Math.hypot(
        ...[0, 1, 2].map((c) => other.centres[3 * s + c] - 4 * spheres.centres[3 * s + c] - [64, -32, 16][c]),
      );
      if (way < 1e-3 && Math.abs(other.radii[s] - 4 * spheres.radii[s]) < 1e-3) same++;
    }
    expect(same).toBeGreaterThan(60);
  });

  it('are the same every time, and of split vertices too', () => {
    expect(makeSpheres(surface).spheres).toEqual(spheres);
    const { triangles, weights } = surface;
    const k = weights!.influences;
    const split: SphereSurface = {
      positions: Float32Array.from({ length: 3 * triangles.length }, (_, c) => {
        return surface.positions[3 * triangles[Math.floor(c / 3)] + (c % 3)];
      }),
      triangles: Uint32Array.from(triangles, (_, c) => c),
      weights: {
        influences: k,
        joints: Uint16Array.from({ length: k * triangles.length }, (_, q) => {
          return weights!.joints[k * triangles[Math.floor(q / k)] + (q % k)];
        }),
        weights: Float32Array.from({ length: k * triangles.length }, (_, q) => {
          return weights!.weights[k * triangles[Math.floor(q / k)] + (q % k)];
        }),
      },
    };
    const { spheres: again } = makeSpheres(split);
    expect(again.radii.reduce((sum, r) => sum + r, 0)).toBeCloseTo(
      spheres.radii.reduce((sum, r) => sum + r, 0),
      1,
    );
  });

  it('fill a tube by its radius', () => {
    const tube = sampleTube(800, 2, 24);
    const made = makeSpheres({ ...tube.mesh, weights: tube.weights }, { spheres: 8 }).spheres;
    const mean = made.radii.reduce((sum, r) => sum + r, 0) / made.count;
    let radius = 0;
    const { positions } = tube.mesh;
    for (let p = 0; p < positions.length; p += 3) {
      radius = Math.max(radius, Math.min(...[0, 1, 2].map((c) => Math.abs(positions[p + c]))));
    }
    expect(mean).toBeGreaterThan(0.5 * radius);
  });

  it('follow their bones, and grow with them', () => {
    const bones = figure.skeleton.parents.length;
    const rest = poseSpheres(spheres, identity34(bones));
    for (let s = 0; s < spheres.count; s++) {
      expect(rest.balls[4 * s]).toBeCloseTo(spheres.centres[3 * s], 5);
      expect(rest.balls[4 * s + 3]).toBeCloseTo(spheres.radii[s], 5);
    }
    const twice = identity34(bones).map((x, c) => (c % 4 === 3 ? 1 : 2 * x));
    const grown = poseSpheres(spheres, twice);
    expect(grown.balls[0]).toBeCloseTo(2 * spheres.centres[0] + 1, 5);
    expect(grown.balls[3]).toBeCloseTo(2 * spheres.radii[0], 5);
  });

  it('follow morphs', () => {
    const up = Float32Array.from(surface.positions, (_, c) => (c % 3 === 1 ? 0.25 : 0));
    const out = Float32Array.from(surface.positions, (x) => 0.1 * x);
    const made = makeSpheres({
      ...surface,
      morphs: [
        { name: 'up', positions: up },
        { name: 'out', positions: out },
      ],
    });
    const identity = identity34(figure.skeleton.parents.length);
    const { balls } = poseSpheres(made.spheres, identity, { morphs: made.morphs, weights: [2, 0] });
    expect(balls[1]).toBeCloseTo(made.spheres.centres[1] + 0.5, 5);
    expect(balls[3]).toBeCloseTo(made.spheres.radii[0], 5);
    const larger = poseSpheres(made.spheres, identity, { morphs: made.morphs, weights: [0, 1] }).balls;
    for (let s = 0; s < made.spheres.count; s++) {
      expect(larger[4 * s + 3] / made.spheres.radii[s]).toBeCloseTo(1.1, 4);
      for (let c = 0; c < 3; c++) expect(larger[4 * s + c]).toBeCloseTo(1.1 * made.spheres.centres[3 * s + c], 4);
    }
  });
});

describe('parts', () => {
  it('have spheres of their own', () => {
    const cape = sheet(12, 0.6, [0, 2.2, 0]);
    const { spheres: all } = makeSpheres([surface, cape]);
    const above = [...all.centres].filter((y, c) => c % 3 === 1 && y > 1.95).length;
    expect(all.count).toBe(64);
    expect(above).toBeGreaterThanOrEqual(4);
    expect(above).toBeLessThan(24);
    // Behind the sheet: what it faces is not shaded by it.
    for (let s = 0; s < all.count; s++)
      if (all.centres[3 * s + 1] > 1.95) expect(all.centres[3 * s + 1]).toBeLessThan(2.2);
  });

  it('of a mesh that faces inwards are found as well', () => {
    const inside = surface.triangles.slice();
    for (let t = 0; t < inside.length; t += 3) [inside[t], inside[t + 1]] = [inside[t + 1], inside[t]];
    const { spheres: found } = makeSpheres({ ...surface, triangles: inside });
    expect(found.radii[0]).toBeCloseTo(spheres.radii[0], 3);
  });

  it('without an area are refused', () => {
    expect(() => makeSpheres({ positions: new Float32Array(9), triangles: new Uint32Array(0) })).toThrow(/no surface/);
    expect(() => makeSpheres({ positions: new Float32Array(9), triangles: Uint32Array.of(0, 1, 2) })).toThrow(
      /no surface/,
    );
    expect(() => makeSpheres([])).toThrow(/no surface/);
  });
});
