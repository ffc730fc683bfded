import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { type Bvh, buildBvh, MAX_BVH_DEPTH, refitBvh } from '../../src/mesh/bvh.ts';
import { closest, closestOnTriangle } from '../../src/mesh/closest-point.ts';
import { nearestOnSurface, nearestPoints, surfacePoint } from '../../src/mesh/nearest.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, soup } from './shapes.ts';

/** Squared distance to a triangle by the slow and obvious way: minimise over a fine, then ever finer, grid of weights. */
function searchedDistance(p: number[], corners: ArrayLike<number>): number {
  const at = (s: number, t: number) =>
    [0, 1, 2].reduce((sum, c) => {
      const x = corners[c] + s * (corners[3 + c] - corners[c]) + t * (corners[6 + c] - corners[c]);
      return sum + (x - p[c]) ** 2;
    }, 0);
  let [s, t, best] = [0, 0, at(0, 0)];
  for (let step = 1; step > 1e-9; step /= 2) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const [ds, dt] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, -1],
        [-1, 1],
        [2, -1],
        [-1, 2],
        [1, 1],
        [-1, -1],
      ]) {
        const [u, v] = [s + ds * step, t + dt * step];
        if (u < 0 || v < 0 || u + v > 1) continue;
        const d = at(u, v);
        if (d < best) {
          [s, t, best, moved] = [u, v, d, true];
        }
      }
    }
  }
  return best;
}

/** Every triangle tried. */
function bruteForce(mesh: Mesh, p: number[]): number {
  let best = Infinity;
  const corners = new Float32Array(9);
  for (let c = 0; c < mesh.triangles.length; c += 3) {
    for (let q = 0; q < 9; q++) corners[q] = mesh.positions[3 * mesh.triangles[c + Math.floor(q / 3)] + (q % 3)];
    best = Math.min(best, closestOnTriangle(p[0], p[1], p[2], corners, 0));
  }
  return Math.sqrt(best);
}

function depthOf(bvh: Bvh, node = 0): number {
  return bvh.right[node] === 0 ? 1 : 1 + Math.max(depthOf(bvh, node + 1), depthOf(bvh, bvh.right[node]));
}

/** Queries must equal brute force, and what they say must fit together. */
function checkQueries(mesh: Mesh, bvh: Bvh, queries: number[][]): void {
  const hit = surfacePoint();
  for (const p of queries) {
    expect(nearestOnSurface(bvh, p[0], p[1], p[2], hit)).toBe(true);
    expect(hit.distance).toBeCloseTo(bruteForce(mesh, p), 13);
    expect(Math.hypot(hit.x - p[0], hit.y - p[1], hit.z - p[2])).toBeCloseTo(hit.distance, 9);
    const weights = [1 - hit.second - hit.third, hit.second, hit.third];
    expect(Math.min(...weights)).toBeGreaterThan(-1e-9);
    const point = [0, 1, 2].map((c) =>
      weights.reduce((sum, w, corner) => sum + w * mesh.positions[3 * mesh.triangles[3 * hit.face + corner] + c], 0),
    );
    expect(Math.hypot(point[0] - hit.x, point[1] - hit.y, point[2] - hit.z)).toBeLessThan(1e-9);
  }
}

describe('closestOnTriangle', () => {
  it('agrees with a search, on whole-number triangles that are often degenerate', () => {
    const whole = fc.integer({ min: -3, max: 3 });
    const numbers = (length: number) => fc.array(whole, { minLength: length, maxLength: length });
    fc.assert(
      fc.property(numbers(9), numbers(3), (corners, p) => {
        const d = closestOnTriangle(p[0], p[1], p[2], new Float32Array(corners), 0);
        expect(Math.sqrt(d)).toBeCloseTo(Math.sqrt(searchedDistance(p, corners)), 6);
      }),
      { numRuns: 300 },
    );
  });

  it('finds points over the face, beside each edge and beyond each corner', () => {
    const corners = new Float32Array([0, 0, 0, 4, 0, 0, 0, 4, 0]);
    const cases = [
      { p: [1, 1, 5], at: [1, 1, 0] },
      { p: [2, -3, 1], at: [2, 0, 0] },
      { p: [-3, 2, 1], at: [0, 2, 0] },
      { p: [4, 4, 1], at: [2, 2, 0] },
      { p: [-1, -1, 0], at: [0, 0, 0] },
      { p: [9, 1, 0], at: [4, 0, 0] },
      { p: [1, 9, 0], at: [0, 4, 0] },
    ];
    for (const { p, at } of cases) {
      closestOnTriangle(p[0], p[1], p[2], corners, 0);
      expect([...closest.subarray(0, 3)]).toEqual(at);
    }
  });

  it('keeps its digits on slivers', () => {
    // A needle of length 1 and height 1e-6, queried beside its middle.
    const corners = new Float32Array([0, 0, 0, 1, 0, 0, 0.5, 1e-6, 0]);
    expect(Math.sqrt(closestOnTriangle(0.25, -3, 4, corners, 0))).toBeCloseTo(5, 12);
    expect(Math.sqrt(closestOnTriangle(0.25, 1e-7, 4, corners, 0))).toBeCloseTo(4, 12);
    expect(closest[0]).toBeCloseTo(0.25, 9);
  });
});

describe('nearestOnSurface', () => {
  it.each([1, 2, 3, 4, 5])('equals brute force on a triangle soup, seed %i', (seed) => {
    const random = seededRandom(seed);
    const mesh = soup(random, 60, 300);
    const queries = Array.from({ length: 100 }, () => [1, 2, 3].map(() => 3 * randomNormal(random)));
    checkQueries(mesh, buildBvh(mesh.positions, mesh.triangles), queries);
  });

  it.each([6, 7])('equals brute force with triangles of no area and coinciding ones, seed %i', (seed) => {
    const random = seededRandom(seed);
    const mesh = soup(random, 30, 200);
    mesh.positions.forEach((x, c) => {
      mesh.positions[c] = Math.round(x);
    });
    const queries = Array.from({ length: 100 }, () => [1, 2, 3].map(() => randomNormal(random)));
    checkQueries(mesh, buildBvh(mesh.positions, mesh.triangles), queries);
  });

  it.each([8, 9])('equals brute force after the vertices moved, seed %i', (seed) => {
    const random = seededRandom(seed);
    const mesh = icosphere(2);
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    const moved = { ...mesh, positions: mesh.positions.map((x) => x + 0.3 * randomNormal(random)) };
    refitBvh(bvh, moved.positions);
    const queries = Array.from({ length: 100 }, () => [1, 2, 3].map(() => 2 * randomNormal(random)));
    checkQueries(moved, bvh, queries);
  });

  it('is 0 at vertices, and the height over a plane', () => {
    const mesh = grid(20, 20);
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    const hit = surfacePoint();
    for (let i = 0; i < mesh.positions.length; i += 3) {
      nearestOnSurface(bvh, mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2], hit);
      expect(hit.distance).toBe(0);
    }
    nearestOnSurface(bvh, 7.3, 4.1, -2.5, hit);
    expect([hit.x, hit.y, hit.z, hit.distance]).toEqual([7.3, 4.1, 0, 2.5].map((x) => expect.closeTo(x, 12)));
  });

  it('finds the nearest of points', () => {
    const random = seededRandom(4);
    const [of, to] = [60, 200].map((n) => Float32Array.from({ length: 3 * n }, () => random()));
    const found = nearestPoints(of, to);
    found.forEach((nearest, i) => {
      const distance = (j: number) => Math.hypot(...[0, 1, 2].map((c) => to[3 * j + c] - of[3 * i + c]));
      const all = Array.from({ length: 200 }, (_, j) => distance(j));
      expect(nearest).toBe(all.indexOf(Math.min(...all)));
    });
  });

  it('finds nothing farther than asked, and nothing in an empty mesh', () => {
    const mesh = cube();
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    const hit = surfacePoint();
    expect(nearestOnSurface(bvh, 3, 0.5, 0.5, hit, 1.9)).toBe(false);
    expect(hit.face).toBe(-1);
    expect(nearestOnSurface(bvh, 3, 0.5, 0.5, hit, 2.1)).toBe(true);
    expect(nearestOnSurface(buildBvh(new Float32Array(), new Uint32Array()), 0, 0, 0, hit)).toBe(false);
  });
});

describe('buildBvh', () => {
  it('holds every face once, each inside its boxes', () => {
    const mesh = soup(seededRandom(11), 100, 1000);
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    expect([...bvh.faces].sort((a, b) => a - b)).toEqual([...new Array(1000).keys()]);
    const outside: [node: number, face: number][] = [];
    const visit = (node: number): number[] => {
      const below =
        bvh.right[node] === 0
          ? [...bvh.faces.subarray(bvh.start[node], bvh.start[node] + bvh.count[node])]
          : [...visit(node + 1), ...visit(bvh.right[node])];
      for (const face of below) {
        for (let q = 0; q < 9; q++) {
          const x = mesh.positions[3 * mesh.triangles[3 * face + Math.floor(q / 3)] + (q % 3)];
          if (x < bvh.boxes[6 * node + (q % 3)] || x > bvh.boxes[6 * node + 3 + (q % 3)]) outside.push([node, face]);
        }
      }
      return below;
    };
    expect(visit(0).length).toBe(1000);
    expect(outside).toEqual([]);
  });

  it('stays shallow where centroids are all alike or crowd towards a point', () => {
    const alike = { positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: new Uint32Array(3 * 5000) };
    for (let c = 0; c < alike.triangles.length; c++) alike.triangles[c] = c % 3;
    expect(depthOf(buildBvh(alike.positions, alike.triangles))).toBeLessThan(16);

    const crowd = new Float32Array(9 * 4000);
    for (let f = 0; f < 4000; f++) for (let c = 0; c < 9; c += 3) crowd[9 * f + c] = 3e38 * 0.96 ** f;
    const bvh = buildBvh(
      crowd,
      Uint32Array.from({ length: 12000 }, (_, c) => c),
    );
    expect(depthOf(bvh)).toBeLessThanOrEqual(MAX_BVH_DEPTH);
    expect(bvh.boxes.every(Number.isFinite)).toBe(true);
  });
});
