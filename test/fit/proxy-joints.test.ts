import { describe, expect, it } from 'vitest';
import { facetsOf } from '../../src/fit/thesis/clustering/facets.ts';
import { regionGrowing } from '../../src/fit/thesis/clustering/region-growing.ts';
import {
  deformationIndicators,
  deformationProxyJoints,
  jointShares,
  type ProxyJoints,
  uniformProxyJoints,
} from '../../src/fit/thesis/proxy-joints.ts';
import { distanceWeights } from '../../src/fit/thesis/weights-distance.ts';
import { propagatedWeights } from '../../src/fit/thesis/weights-propagated.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { checkSupport, neighboursOf } from '../decompose/rigs.ts';
import { grid, icosphere } from '../mesh/shapes.ts';

/** A plane whose right third deforms. */
function restless(): { mesh: Mesh; facets: ReturnType<typeof facetsOf>; regions: Int32Array } {
  const mesh = grid(18, 6);
  const plain = facetsOf(mesh, []);
  const edge = 12 / Math.hypot(18, 6);
  const deformation = Float64Array.from({ length: plain.count }, (_, f) => (plain.centroids[3 * f] < edge ? 0.1 : 1));
  const facets = { ...plain, deformation };
  return { mesh, facets, regions: regionGrowing(facets, 2) };
}

function check(mesh: Mesh, proxies: ProxyJoints, count: number): void {
  expect(proxies.joints.length).toBe(count);
  expect(new Set(proxies.joints).size).toBe(count);
  expect(proxies.clusterOf.length).toBe(vertexCount(mesh));
  proxies.joints.forEach((joint, b) => {
    expect(proxies.clusterOf[joint]).toBe(b);
  });
}

describe('proxy joints', () => {
  it('uniform: as many as asked for, each in its own cluster, also along edges', () => {
    const mesh = icosphere(2);
    for (const count of [1, 5, 40]) check(mesh, uniformProxyJoints(mesh, count), count);
    check(mesh, uniformProxyJoints(mesh, 1000), vertexCount(mesh));
  });

  it('isolated vertices follow the nearest joint and take none', () => {
    const mesh = grid(3, 3);
    const positions = Float32Array.from([...mesh.positions, 3.2, 3.2, 0, 9, 9, 9]);
    const proxies = uniformProxyJoints({ ...mesh, positions }, 4);
    expect(proxies.joints.every((joint) => joint < 16)).toBe(true);
    expect(proxies.clusterOf[16]).toBe(proxies.clusterOf[15]);
    check({ ...mesh, positions }, uniformProxyJoints({ ...mesh, positions }, 18), 18);
    check(
      { positions, triangles: new Uint32Array(0) },
      uniformProxyJoints({ positions, triangles: new Uint32Array(0) }, 3),
      3,
    );
  });

  it('indicators lie between the least and the largest deformation', () => {
    const { facets } = restless();
    const quiet = facets.deformation as Float64Array;
    const members = [[...quiet.keys()].filter((f) => quiet[f] < 0.5), [...quiet.keys()].filter((f) => quiet[f] > 0.5)];
    expect([...deformationIndicators(facets, members)]).toEqual([0, 1]);
  });

  it('by deformation: the restless third gets all but one joint', () => {
    const { mesh, facets, regions } = restless();
    const proxies = deformationProxyJoints(mesh, facets, regions, 10);
    check(mesh, proxies, 10);
    const quiet = regions[0];
    expect([...proxies.regionOf].filter((region) => region === quiet).length).toBe(1);
  });

  it('(3.32): shares are rounded down, what is left goes by priority', () => {
    const mesh = grid(8, 1);
    const plain = facetsOf(mesh, []);
    // Indicators 0, ½ and 1 on regions of a half, a quarter and a quarter of the area: participation 0, ⅓, ⅔.
    const facetRegions = Int32Array.from({ length: 16 }, (_, f) => (f < 8 ? 0 : f < 12 ? 1 : 2));
    const facets = { ...plain, deformation: Float64Array.from(facetRegions, (region) => region / 2) };
    expect([...jointShares(facets, facetRegions, [99, 99, 99], 3 + 9)]).toEqual([1, 4, 7]);
    // 11 to share: ⌊11/3⌋ = 3, ⌊22/3⌋ = 7, one left for the highest indicator.
    expect([...jointShares(facets, facetRegions, [99, 99, 99], 3 + 11)]).toEqual([1, 4, 9]);
    expect([...jointShares(facets, facetRegions, [99, 99, 3], 3 + 11)]).toEqual([4, 7, 3]);
  });

  it('nothing deforms: area decides', () => {
    const mesh = grid(8, 1);
    const facets = { ...facetsOf(mesh, []), deformation: new Float64Array(16) };
    const facetRegions = Int32Array.from({ length: 16 }, (_, f) => (f < 12 ? 0 : 1));
    expect([...jointShares(facets, facetRegions, [99, 99], 10)]).toEqual([7, 3]);
  });

  it('more joints than vertices: every vertex is one', () => {
    const { mesh, facets, regions } = restless();
    expect(new Set(deformationProxyJoints(mesh, facets, regions, 5000).joints).size).toBe(vertexCount(mesh));
  });
});

describe('weights', () => {
  const { mesh, facets, regions } = restless();
  const uniform = uniformProxyJoints(mesh, 9);
  const deforming = deformationProxyJoints(mesh, facets, regions, 9);
  const neighbours = neighboursOf(mesh);

  it.each([1, 4, 8])('are convex with at most %i influences', (influences) => {
    for (const proxies of [uniform, deforming]) {
      checkSupport(distanceWeights(mesh, proxies, influences), 9);
      checkSupport(distanceWeights(mesh, proxies, influences, 1), 9);
      checkSupport(propagatedWeights(mesh, proxies, neighbours, influences), 9);
      checkSupport(propagatedWeights(mesh, proxies, neighbours, influences, { passes: 0, pFactor: 1 }), 9);
    }
  });

  it('by distance equal (3.15)–(3.16), written out', () => {
    const { joints, clusterOf } = uniform;
    const support = distanceWeights(mesh, uniform, 9, 1.6);
    const at = (i: number) => [...mesh.positions.slice(3 * i, 3 * i + 3)];
    const d = (i: number, b: number) => Math.hypot(...at(i).map((x, c) => x - at(joints[b])[c]));
    const radius = [...joints.keys()].map(
      (b) => 1.6 * Math.max(...[...clusterOf.keys()].filter((i) => clusterOf[i] === b).map((i) => d(i, b))),
    );
    for (let i = 0; i < vertexCount(mesh); i++) {
      const w = radius.map((r, b) => Math.max(0, 1 - d(i, b) / r));
      const sum = w.reduce((x, y) => x + y, 0);
      const got = new Float64Array(9);
      for (let s = 0; s < support.count[i]; s++) got[support.joints[9 * i + s]] = support.weights[9 * i + s];
      w.forEach((value, b) => {
        expect(got[b]).toBeCloseTo(value / sum, 6);
      });
    }
  });

  it('a larger P-factor reaches further', () => {
    const used = (pFactor: number) => distanceWeights(mesh, uniform, 9, pFactor).count.reduce((x, y) => x + y, 0);
    expect(used(1)).toBeLessThan(used(1.6));
    expect(used(1.6)).toBeLessThan(used(3));
  });

  it('without smoothing no influence crosses a border; with it, it does', () => {
    const quiet = regions[0];
    const foreign = (passes: number): number => {
      const support = propagatedWeights(mesh, deforming, neighbours, 9, { passes });
      let count = 0;
      for (let i = 0; i < vertexCount(mesh); i++) {
        if (mesh.positions[3 * i] >= 12) continue; // the quiet side, without the border
        for (let s = 0; s < support.count[i]; s++) if (deforming.regionOf[support.joints[9 * i + s]] !== quiet) count++;
      }
      return count;
    };
    expect(foreign(0)).toBe(0);
    expect(foreign(1)).toBeGreaterThan(0);
    expect(foreign(5)).toBeGreaterThan(foreign(1));
  });

  it('single-vertex clusters and one joint alone', () => {
    const all = uniformProxyJoints(mesh, vertexCount(mesh));
    const support = distanceWeights(mesh, all, 4);
    expect([...support.count].every((count) => count === 1)).toBe(true);
    expect(
      [...distanceWeights(mesh, uniformProxyJoints(mesh, 1), 4).weights].filter((w) => w > 0).every((w) => w === 1),
    ).toBe(true);
  });
});
