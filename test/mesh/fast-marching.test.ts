import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { meshEdges, vertexFaces, vertexNeighbours } from '../../src/mesh/adjacency.ts';
import { type MarchedSurface, marchDistances } from '../../src/mesh/fast-marching.ts';
import { lowerGraphDistances } from '../../src/mesh/graph-distance.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { grid, icosphere, rotationOf, soup, transformed } from './shapes.ts';

const surfaceOf = ({ positions, triangles }: Mesh): MarchedSurface => ({
  positions,
  triangles,
  faces: vertexFaces(triangles, positions.length / 3),
});

function from(mesh: Mesh, source: number, limit = Infinity): Float64Array {
  const distances = new Float64Array(mesh.positions.length / 3).fill(Infinity);
  distances[source] = 0;
  return marchDistances(surfaceOf(mesh), distances, limit);
}

describe('marchDistances', () => {
  it('is exact in the plane', () => {
    const mesh = transformed(grid(9, 7), rotationOf([1, 2, 0], 0.7), 2);
    const flat = grid(9, 7).positions;
    from(mesh, 13).forEach((d, i) => {
      const straight = 2 * Math.hypot(flat[3 * i] - flat[39], flat[3 * i + 1] - flat[40]);
      expect(Math.abs(d - straight)).toBeLessThan(1e-5);
    });
  });

  it('follows great circles of the sphere within 1.5 % of the longest', () => {
    const mesh = icosphere(4);
    const p = mesh.positions;
    from(mesh, 0).forEach((d, i) => {
      const cosine = p[0] * p[3 * i] + p[1] * p[3 * i + 1] + p[2] * p[3 * i + 2];
      expect(Math.abs(d - Math.acos(Math.min(1, Math.max(-1, cosine))))).toBeLessThan(0.015 * Math.PI);
    });
  });

  it('is never longer than the way along the edges, and 0 only at its source, on any soup', () => {
    const mesh = soup(seededRandom(2), 60, 90);
    const n = mesh.positions.length / 3;
    const edges = new Float64Array(n).fill(Infinity);
    lowerGraphDistances(
      { positions: mesh.positions, neighbours: vertexNeighbours(meshEdges(mesh.triangles, n), n) },
      5,
      edges,
    );
    from(mesh, 5).forEach((d, i) => {
      expect(d <= edges[i] + 1e-12).toBe(true);
      expect(d === 0).toBe(i === 5);
      expect(d === Infinity).toBe(edges[i] === Infinity);
    });
  });

  it('starts from sources with distances of their own, and stops at a limit', () => {
    const mesh = grid(10, 1);
    const distances = new Float64Array(22).fill(Infinity);
    distances[0] = 3;
    distances[10] = 0;
    marchDistances(surfaceOf(mesh), distances, 7);
    expect(distances[5]).toBeCloseTo(5, 12);
    expect(distances[1]).toBeCloseTo(4, 12);
    expect(
      from(mesh, 0, 4)
        .map(Number.isFinite as never)
        .slice(0, 11)
        .join(''),
    ).toBe('11111000000');
  });
});
