import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pCenters } from '../../src/decompose/clustering/p-center.ts';
import { shareAmongParts } from '../../src/decompose/clustering/parts.ts';
import { spectralClustering } from '../../src/decompose/clustering/spectral.ts';
import { type Facets, facetsOf } from '../../src/fit/thesis/clustering/facets.ts';
import { hierarchicalKMeansClustering, kMeansClustering } from '../../src/fit/thesis/clustering/k-means.ts';
import { regionGrowing } from '../../src/fit/thesis/clustering/region-growing.ts';
import type { ThesisOptions } from '../../src/fit/thesis/thesis-options.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { analyseDeformation } from '../../src/measure/facet-deformation.ts';
import { straightDistance } from '../../src/mesh/graph-distance.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { grid, icosphere, rotationOf, soup } from '../mesh/shapes.ts';

/** Two meshes in one, the second moved aside. */
function together(a: Mesh, b: Mesh, aside: number): Mesh {
  const n = a.positions.length / 3;
  return {
    positions: Float32Array.from([...a.positions, ...b.positions.map((x, c) => (c % 3 === 0 ? x + aside : x))]),
    triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((i) => i + n)]),
  };
}

/** A strip whose right half turns about its middle: one sharp deformation discontinuity. */
function hinge(): { mesh: Mesh; sequence: ReturnType<typeof memorySequence> } {
  const mesh = grid(16, 4);
  const frames = [0.4, 0.8, 1.2].map((angle) => {
    const r = rotationOf([0, 1, 0], angle);
    const out = mesh.positions.slice();
    for (let i = 0; i < out.length; i += 3) {
      const x = out[i] - 8;
      if (x <= 0) continue;
      out[i] = 8 + r[0] * x;
      out[i + 2] = r[6] * x;
    }
    return out;
  });
  return { mesh, sequence: memorySequence('hinge', mesh, frames) };
}

const field = (mesh: Mesh, value: (x: number, y: number, z: number) => number): Facets => {
  const facets = facetsOf(mesh, []);
  const deformation = Float64Array.from({ length: facets.count }, (_, f) =>
    value(facets.centroids[3 * f], facets.centroids[3 * f + 1], facets.centroids[3 * f + 2]),
  );
  return { ...facets, deformation };
};

/** Whether the facets of every cluster hang together by edges. */
function connected(facets: Facets, clusterOf: Int32Array): boolean {
  const seen = new Uint8Array(facets.count);
  const started = new Set<number>();
  for (let first = 0; first < facets.count; first++) {
    if (seen[first]) continue;
    if (started.has(clusterOf[first])) return false;
    started.add(clusterOf[first]);
    const stack = [first];
    seen[first] = 1;
    while (stack.length > 0) {
      const f = stack.pop()!;
      for (let q = facets.neighbours.offsets[f]; q < facets.neighbours.offsets[f + 1]; q++) {
        const g = facets.neighbours.items[q];
        if (seen[g] || clusterOf[g] !== clusterOf[f]) continue;
        seen[g] = 1;
        stack.push(g);
      }
    }
  }
  return true;
}

const still = (mesh: Mesh) => memorySequence('still', mesh, [mesh.positions]);
type Cluster = (facets: Facets, count: number, mesh: Mesh) => Int32Array | Promise<Int32Array>;
/** Every clustering of facets, by its name among the options, and variants. */
const CLUSTERINGS: Record<ThesisOptions['clustering'] | 'spectral, Nyström', Cluster> = {
  'p-center': (facets, count) => pCenters({ ...facets, positions: facets.centroids }, count).clusterOf,
  'k-means': (facets, count) => kMeansClustering(facets, count),
  'hierarchical-k-means': (facets, count) => hierarchicalKMeansClustering(facets, count),
  'region-growing': (facets, count) => regionGrowing(facets, count),
  spectral: (facets, count, mesh) => spectralClustering(still(mesh), facets, count),
  'spectral, Nyström': (facets, count, mesh) =>
    spectralClustering(still(mesh), facets, count, { exactBelow: 10, landmarks: 30 }),
};

describe.each(Object.entries(CLUSTERINGS))('%s', (_, cluster) => {
  const mesh = icosphere(2);
  const facets = field(mesh, (x, y) => Math.abs(x) + y * y);

  it.each([1, 2, 7, 20])('gives %i clusters, none empty', async (count) => {
    const out = await cluster(facets, count, mesh);
    expect(out.length).toBe(facets.count);
    expect([...new Set(out)].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, c) => c));
  });

  it('is deterministic and leaves its input alone', async () => {
    const before = structuredClone(facets);
    expect(await cluster(facets, 6, mesh)).toEqual(await cluster(facets, 6, mesh));
    expect(facets).toEqual(before);
  });

  it('a field without any deformation still gives as many clusters as asked for', async () => {
    const flat = field(mesh, () => 0);
    expect(new Set(await cluster(flat, 9, mesh)).size).toBe(9);
  });

  it('more clusters than facets: one each', async () => {
    const small = grid(1, 2);
    expect(
      new Set(
        await cluster(
          field(small, (x) => x),
          50,
          small,
        ),
      ).size,
    ).toBe(4);
  });

  it('every part gets a cluster of its own', async () => {
    const two = together(icosphere(2), grid(1, 1), 5);
    const out = await cluster(
      field(two, (x, y) => x * y),
      4,
      two,
    );
    const body = new Set(out.slice(0, 320));
    const leaf = new Set(out.slice(320));
    expect(body.size + leaf.size).toBe(4);
    expect([...leaf].some((c) => body.has(c))).toBe(false);
  });

  it('fewer clusters than parts, and loose triangles', async () => {
    const loose = soup(seededRandom(8), 90, 30);
    const apart = { ...loose, triangles: Uint32Array.from({ length: 90 }, (_, c) => c) };
    expect(
      new Set(
        await cluster(
          field(apart, (x) => x),
          5,
          apart,
        ),
      ).size,
    ).toBe(5);
  });
});

describe('p-center', () => {
  it('each centre is the point farthest from those before it; points are with their nearest', () => {
    const mesh = icosphere(2);
    const facets = facetsOf(mesh, []);
    const points = { ...facets, positions: facets.centroids };
    const { centres, clusterOf } = pCenters(points, 8, 3);
    for (let c = 1; c < 8; c++) {
      const toEarlier = (i: number) =>
        Math.min(...[...centres.slice(0, c)].map((centre) => straightDistance(facets.centroids, i, centre)));
      const most = Math.max(...Array.from({ length: facets.count }, (_, i) => toEarlier(i)));
      expect(toEarlier(centres[c])).toBe(most);
    }
    for (let i = 0; i < facets.count; i++) {
      const all = [...centres].map((centre) => straightDistance(facets.centroids, i, centre));
      expect(all[clusterOf[i]]).toBe(Math.min(...all));
    }
  });
});

describe('region growing', () => {
  it('regions are connected, whatever the field', () => {
    const mesh = icosphere(2);
    const facets = facetsOf(mesh, []);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer(), (count, seed) => {
        const random = seededRandom(seed);
        const noisy = { ...facets, deformation: Float64Array.from({ length: facets.count }, random) };
        const regions = regionGrowing(noisy, count, seed);
        expect(new Set(regions).size).toBe(count);
        expect(connected(noisy, regions)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('follows a step in the field', () => {
    const mesh = grid(20, 6);
    const facets = field(mesh, (x) => (x * Math.hypot(20, 6) < 13 ? 0 : 1));
    const regions = regionGrowing(facets, 2);
    for (let f = 0; f < facets.count; f++) {
      expect(regions[f] === regions[0]).toBe(facets.deformation[f] === facets.deformation[0]);
    }
  });
});

describe('spectral clustering', () => {
  it.each([{}, { exactBelow: 10, landmarks: 40 }])('cuts a hinge in two where it bends, %o', async (options) => {
    const { mesh, sequence } = hinge();
    const deformation = await analyseDeformation(sequence);
    const facets = facetsOf(mesh, deformation.total);
    const clusters = await spectralClustering(sequence, facets, 2, options);
    const middle = 8 / Math.hypot(16, 4);
    for (let f = 0; f < facets.count; f++) {
      expect(clusters[f] === clusters[0]).toBe(facets.centroids[3 * f] < middle);
    }
  });
});

describe('parts', () => {
  it('shares add up, are at least one and never more than there is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        (sizes, extra) => {
          const total = sizes.reduce((a, b) => a + b, 0);
          const count = sizes.length + (extra % (total - sizes.length + 1));
          const shares = shareAmongParts(sizes, count);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(count);
          shares.forEach((share, p) => {
            expect(share).toBeGreaterThanOrEqual(1);
            expect(share).toBeLessThanOrEqual(sizes[p]);
          });
        },
      ),
    );
    expect(shareAmongParts([90, 9, 1], 10)).toEqual([8, 1, 1]);
  });
});
