import { describe, expect, it } from 'vitest';
import { kernelsAvailable } from '../../src/kernels/load.ts';
import { type Random, randomNormal, seededRandom } from '../../src/math/rng.ts';
import { type RayHits, RayTracer } from '../../src/mesh/rays.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, soup, torus } from './shapes.ts';

interface Rays {
  origins: Float32Array;
  directions: Float32Array;
}
const hitsFor = (count: number): RayHits => ({
  distances: new Float32Array(count),
  faces: new Int32Array(count),
  us: new Float32Array(count),
  vs: new Float32Array(count),
});
const numbers = (count: number, make: () => number): Float32Array => Float32Array.from({ length: count }, make);

/** Where a ray meets a triangle's plane, and the weights of the three corners there, by volumes; undefined if it is parallel. */
function crossing(
  { positions, triangles }: Mesh,
  face: number,
  { origins, directions }: Rays,
  ray: number,
): { t: number; weights: [number, number, number] } | undefined {
  const [dx, dy, dz] = directions.subarray(3 * ray, 3 * ray + 3);
  const corner = new Float64Array(9);
  for (let q = 0; q < 9; q++) {
    corner[q] = positions[3 * triangles[3 * face + Math.floor(q / 3)] + (q % 3)] - origins[3 * ray + (q % 3)];
  }
  /** direction · (b × c) of two corners. */
  const volume = (b: number, c: number): number =>
    dx * (corner[b + 1] * corner[c + 2] - corner[b + 2] * corner[c + 1]) +
    dy * (corner[b + 2] * corner[c] - corner[b] * corner[c + 2]) +
    dz * (corner[b] * corner[c + 1] - corner[b + 1] * corner[c]);
  const parts = [volume(3, 6), volume(6, 0), volume(0, 3)];
  const sum = parts[0] + parts[1] + parts[2];
  if (sum === 0) return undefined;
  const weights: [number, number, number] = [parts[0] / sum, parts[1] / sum, parts[2] / sum];
  const meets = (c: number) => weights[0] * corner[c] + weights[1] * corner[3 + c] + weights[2] * corner[6 + c];
  return { t: (meets(0) * dx + meets(1) * dy + meets(2) * dz) / (dx * dx + dy * dy + dz * dz), weights };
}

/** Single precision, on shapes of size about 1. */
const TOLERANCE = 2e-4;
const inside = (weights: readonly number[], margin: number): boolean => weights.every((w) => w > margin);

/**
 * Every hit is one of its face, and no face that is surely met is nearer. Faces met within `TOLERANCE` of their edges may
 * count or not. Returns how many rays met something.
 */
function expectRight(mesh: Mesh, rays: Rays, hits: RayHits, blocked: Uint8Array): number {
  const wrong: string[] = [];
  let met = 0;
  for (let ray = 0; ray < hits.faces.length; ray++) {
    const face = hits.faces[ray];
    const distance = hits.distances[ray];
    let nearest = Infinity;
    let possible = Infinity;
    for (let f = 0; f < mesh.triangles.length / 3; f++) {
      const found = crossing(mesh, f, rays, ray);
      if (!found || found.t < -TOLERANCE) continue;
      if (found.t > TOLERANCE && inside(found.weights, TOLERANCE)) nearest = Math.min(nearest, found.t);
      if (inside(found.weights, -TOLERANCE)) possible = Math.min(possible, found.t);
    }
    const check = (right: boolean, what: string) => right || wrong.push(`ray ${ray}, face ${face}: ${what}`);
    if (nearest < Infinity) {
      check(distance <= nearest + TOLERANCE, `at ${distance}, another at ${nearest}`);
      check(blocked[ray] === 1, 'not blocked');
    }
    if (possible === Infinity) check(face === -1 && blocked[ray] === 0, 'there is none');
    if (face < 0) {
      check(distance === Infinity, `none at ${distance}`);
      continue;
    }
    met++;
    const { t, weights } = crossing(mesh, face, rays, ray)!;
    check(Math.abs(t - distance) < TOLERANCE && inside(weights, -TOLERANCE), `at ${distance} is not its own`);
    const [, u, v] = weights;
    check(Math.abs(u - hits.us[ray]) + Math.abs(v - hits.vs[ray]) < 5 * TOLERANCE, 'other weights');
  }
  expect(wrong).toEqual([]);
  return met;
}

const randomRays = (random: Random, count: number): Rays => ({
  origins: numbers(3 * count, () => 0.7 * randomNormal(random)),
  directions: numbers(3 * count, () => randomNormal(random)),
});
/** Along an axis, from points of a grid: through edges and corners of what lies on that grid. */
const axisRays = (random: Random, count: number): Rays => {
  const directions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) directions[3 * i + c] = random() < 0.5 ? 0 : -0;
    directions[3 * i + Math.floor(3 * random())] = random() < 0.5 ? 1 : -1;
  }
  return { origins: numbers(3 * count, () => Math.round(8 * (random() - 0.5)) / 4), directions };
};
/** From anywhere to points on edges and to vertices. */
function edgeRays(mesh: Mesh, random: Random, count: number): Rays {
  const { origins } = randomRays(random, count);
  const directions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const face = Math.floor((random() * mesh.triangles.length) / 3);
    const [a, b] = [mesh.triangles[3 * face], mesh.triangles[3 * face + 1]];
    const t = random() < 0.3 ? 0 : random();
    for (let c = 0; c < 3; c++) {
      const target = mesh.positions[3 * a + c] * (1 - t) + mesh.positions[3 * b + c] * t;
      directions[3 * i + c] = target - origins[3 * i + c];
    }
  }
  return { origins, directions };
}

/** A third of the faces without area: all corners in a point or on a line. */
function withDegenerates(mesh: Mesh, random: Random): Mesh {
  const triangles = mesh.triangles.slice();
  for (let f = 0; f < triangles.length / 3; f++) {
    const kind = random();
    if (kind < 0.3) triangles[3 * f + 1] = triangles[3 * f];
    if (kind < 0.15) triangles[3 * f + 2] = triangles[3 * f];
  }
  return { ...mesh, triangles };
}

const SHAPES: Record<string, (random: Random) => Mesh> = {
  'a cube': () => cube(),
  'a flat grid': () => grid(6, 5),
  'a torus': () => torus(16, 10),
  'a soup': (random) => soup(random, 60, 80),
  'a soup with degenerate faces': (random) => withDegenerates(soup(random, 60, 80), random),
  'one triangle': (random) => soup(random, 3, 1),
  'many equal triangles': (random) => ({ ...soup(random, 3, 1), triangles: new Uint32Array(60).map((_, c) => c % 3) }),
  nothing: () => ({ positions: new Float32Array(9), triangles: new Uint32Array(0) }),
};

describe.each([
  ['kernels', true],
  ['twins', false],
] as const)('RayTracer on %s', (_, simd) => {
  const trace = (mesh: Mesh, rays: Rays): [RayHits, Uint8Array] => {
    const count = rays.origins.length / 3;
    const tracer = new RayTracer(mesh.triangles, { simd });
    tracer.build(mesh.positions);
    const hits = hitsFor(count);
    const blocked = new Uint8Array(count).fill(7);
    tracer.closest(rays.origins, rays.directions, count, hits);
    tracer.any(rays.origins, rays.directions, count, blocked);
    return [hits, blocked];
  };

  it.skipIf(!simd)('runs here', () => expect(kernelsAvailable(false)).toBe(true));

  describe.each(Object.entries(SHAPES))('against %s', (name, make) => {
    it.each([1, 2])('equals brute force (seed %i)', (seed) => {
      const random = seededRandom(seed);
      const mesh = make(random);
      const rays = randomRays(random, 80);
      const met = expectRight(mesh, rays, ...trace(mesh, rays));
      if (name === 'a cube' || name === 'a torus') expect(met).toBeGreaterThan(5);
      if (name === 'nothing') expect(met).toBe(0);
      const along = axisRays(random, 60);
      expectRight(mesh, along, ...trace(mesh, along));
      if (mesh.triangles.length === 0) return;
      const edges = edgeRays(mesh, random, 80);
      expectRight(mesh, edges, ...trace(mesh, edges));
    });
  });

  it('lets nothing out of a closed surface, not even through edges and vertices (seed 4)', () => {
    const random = seededRandom(4);
    const sphere = icosphere(3);
    const count = 5000;
    const { directions } = edgeRays(sphere, random, count);
    const origins = numbers(3 * count, () => 0.2 * (random() - 0.5));
    for (let c = 0; c < 3 * count; c++) if (random() < 0.5) directions[c] -= origins[c];
    const aimed = edgeRays(sphere, random, count);
    for (let i = 0; i < count; i++) {
      const length = Math.hypot(...aimed.origins.subarray(3 * i, 3 * i + 3));
      for (let c = 0; c < 3; c++) {
        // From inside, towards the same point of the surface.
        const target = aimed.origins[3 * i + c] + aimed.directions[3 * i + c];
        aimed.origins[3 * i + c] *= (0.9 * random()) / Math.max(1, length);
        aimed.directions[3 * i + c] = target - aimed.origins[3 * i + c];
      }
    }
    for (const rays of [aimed, { origins, directions }, { ...randomRays(random, count), origins }]) {
      const [hits, blocked] = trace(sphere, rays);
      expect(hits.faces.every((face) => face >= 0)).toBe(true);
      expect(blocked.every((x) => x === 1)).toBe(true);
    }
  });

  it('follows the vertices when it is built again', () => {
    const random = seededRandom(6);
    const mesh = torus(20, 12);
    const tracer = new RayTracer(mesh.triangles, { simd });
    for (const factor of [1, 0.3, 2]) {
      const positions = mesh.positions.map((x, c) => factor * x + Math.sin(c));
      tracer.build(positions);
      const rays = randomRays(random, 100);
      const hits = hitsFor(100);
      const blocked = new Uint8Array(100);
      tracer.closest(rays.origins, rays.directions, 100, hits);
      tracer.any(rays.origins, rays.directions, 100, blocked);
      expectRight({ ...mesh, positions }, rays, hits, blocked);
    }
  });

  it('goes no farther than it is told', () => {
    const mesh = cube();
    const tracer = new RayTracer(mesh.triangles, { simd });
    tracer.build(mesh.positions);
    const centre = [0, 1, 2].map((c) => (Math.min(...mesh.positions) + Math.max(...mesh.positions)) / 2 + 0 * c);
    const half = (Math.max(...mesh.positions) - Math.min(...mesh.positions)) / 2;
    const ray = Float32Array.from(centre.map((x, c) => x + 0.01 * c));
    const along = Float32Array.of(1, 0, 0);
    const hits = hitsFor(1);
    const blocked = new Uint8Array(1);
    for (const [limit, found] of [
      [0.9 * half, false],
      [1.1 * half, true],
    ] as const) {
      tracer.closest(ray, along, 1, hits, limit);
      tracer.any(ray, along, 1, blocked, limit);
      expect([hits.faces[0] >= 0, blocked[0] === 1, hits.distances[0] < Infinity]).toEqual([found, found, found]);
    }
  });

  it('traces more rays than fit into its memory at once', () => {
    const mesh = icosphere(2);
    const count = 5000;
    const rays = randomRays(seededRandom(8), count);
    const [hits, blocked] = trace(mesh, rays);
    for (const start of [0, 1023, 1024, 4999]) {
      const one = {
        origins: rays.origins.slice(3 * start, 3 * start + 3),
        directions: rays.directions.slice(3 * start, 3 * start + 3),
      };
      const [own] = trace(mesh, one);
      expect(hits.faces[start]).toBe(own.faces[0]);
      expect(hits.distances[start]).toBe(own.distances[0]);
      expect(blocked[start]).toBe(own.faces[0] < 0 ? 0 : 1);
    }
  });
});
