import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import {
  boundaryEdges,
  connectedComponents,
  edgeCount,
  faceNeighbours,
  type Lists,
  meshEdges,
  NO_EDGE,
  vertexFaces,
  vertexNeighbours,
} from '../../src/mesh/adjacency.ts';
import { inspectMesh, isClosed } from '../../src/mesh/inspect.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, soup, torus } from './shapes.ts';

const rows = ({ offsets, items }: Lists): number[][] =>
  Array.from({ length: offsets.length - 1 }, (_, r) => [...items.subarray(offsets[r], offsets[r + 1])]);
const join = (...meshes: Mesh[]): Mesh => {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions.map((x) => x + first));
    triangles.push(...mesh.triangles.map((i) => i + first));
  }
  return { positions: new Float32Array(positions), triangles: new Uint32Array(triangles) };
};

describe('adjacency', () => {
  it('equals the slow and obvious lists on random triangles', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 30 }), (seed, faces) => {
        const { triangles } = soup(seededRandom(seed), 8, faces);
        const corners = [...triangles.keys()];
        const next = (c: number) => (c % 3 === 2 ? c - 2 : c + 1);
        const key = (c: number) => [triangles[c], triangles[next(c)]].sort((a, b) => a - b).join();
        const sides = corners.filter((c) => triangles[c] !== triangles[next(c)]);
        const edges = meshEdges(triangles, 8);

        expect(edgeCount(edges)).toBe(new Set(sides.map(key)).size);
        for (const c of corners) {
          if (!sides.includes(c)) {
            expect(edges.edgeOf[c]).toBe(NO_EDGE);
            continue;
          }
          const e = edges.edgeOf[c];
          expect([...edges.vertices.subarray(2 * e, 2 * e + 2)].join()).toBe(key(c));
          expect(rows(edges.corners)[e]).toEqual(sides.filter((d) => key(d) === key(c)));
        }

        const around = rows(vertexFaces(triangles, 8));
        const neighbours = rows(vertexNeighbours(edges, 8));
        for (let i = 0; i < 8; i++) {
          expect(around[i]).toEqual(corners.filter((c) => triangles[c] === i).map((c) => Math.floor(c / 3)));
          const expected = sides.flatMap((c) => {
            const ends = [triangles[c], triangles[next(c)]];
            return ends.includes(i) ? ends.filter((v) => v !== i) : [];
          });
          expect(neighbours[i]).toEqual([...new Set(expected)].sort((a, b) => a - b));
        }
        const across = rows(faceNeighbours(edges));
        across.forEach((list, f) => {
          const expected = sides
            .filter((c) => Math.floor(c / 3) === f)
            .flatMap((c) => sides.filter((d) => d !== c && key(d) === key(c)).map((d) => Math.floor(d / 3)));
          expect(list).toEqual(expected);
        });
      }),
    );
  });

  it('finds the border of a grid and the parts of a mesh', () => {
    const { triangles } = grid(4, 3);
    expect(boundaryEdges(meshEdges(triangles, 20)).length).toBe(14);
    const two = join(cube(), icosphere(0));
    const { count, componentOf } = connectedComponents(two.triangles, 20);
    expect(count).toBe(2);
    expect([...componentOf]).toEqual([...new Array(8).fill(0), ...new Array(12).fill(1)]);
    expect(connectedComponents(new Uint32Array(), 3).count).toBe(3);
  });
});

describe('inspectMesh', () => {
  it('knows a sphere, a torus and an open grid', () => {
    expect(inspectMesh(icosphere(2))).toMatchObject({
      vertices: 162,
      triangles: 320,
      edges: 480,
      closed: true,
      problems: [],
      components: [{ eulerCharacteristic: 2, genus: 0 }],
    });
    const ring = inspectMesh(torus(8, 6));
    expect(ring.problems).toEqual([]);
    expect(ring.components).toMatchObject([{ eulerCharacteristic: 0, genus: 1 }]);
    const sheet = inspectMesh(grid(4, 3));
    expect(sheet).toMatchObject({ closed: false, boundaryEdges: 14, problems: [], diagonal: 5 });
    expect(sheet.components[0].eulerCharacteristic).toBe(1);
    expect(sheet.components[0].genus).toBeUndefined();
    expect(inspectMesh(join(cube(), icosphere(1))).components.map((part) => part.triangles)).toEqual([80, 12]);
  });

  it('survives empty meshes and point clouds', () => {
    const empty = inspectMesh({ positions: new Float32Array(), triangles: new Uint32Array() });
    expect(empty).toMatchObject({ vertices: 0, edges: 0, closed: false, components: [], problems: [] });
    const cloud = inspectMesh({ positions: new Float32Array([0, 0, 0, 1, 1, 1]), triangles: new Uint32Array() });
    expect(cloud.problems).toEqual([]);
  });

  it('reports each kind of problem, with the first place', () => {
    const base = cube();
    const mesh: Mesh = {
      positions: new Float32Array([...base.positions, 1, 1, 1, 5, 5, 5]), // vertex 8 on vertex 7; 9 alone, 8 in use
      triangles: new Uint32Array([...base.triangles, 0, 1, 8, 2, 2, 3, 2, 3, 0]),
    };
    const found = Object.fromEntries(inspectMesh(mesh).problems.map((p) => [p.kind, p]));
    expect(found['isolated-vertices']).toMatchObject({ count: 1, first: 9 });
    expect(found['duplicate-vertices']).toMatchObject({ count: 1, first: 8 });
    expect(found['degenerate-triangles']).toMatchObject({ count: 1, first: 13 });
    expect(found['duplicate-triangles']).toMatchObject({ count: 1, first: 14 });
    expect(found['non-manifold-edges'].count).toBe(4);
    expect(found['inconsistent-winding']).toBeUndefined();
    expect(found['isolated-vertices'].text).toBe('1 vertex belongs to no triangle (first: vertex 9).');

    const turned = { ...base, triangles: base.triangles.slice() };
    turned.triangles.set([turned.triangles[1], turned.triangles[0]]);
    const facts = inspectMesh(turned);
    expect(facts.problems).toMatchObject([{ kind: 'inconsistent-winding', count: 3 }]);
    expect(facts.components[0].genus).toBeUndefined();
  });

  it('calls needles that only rounding separates from a line degenerate', () => {
    const needle = (height: number): Mesh => ({
      positions: new Float32Array([0, 0, 0, 1, 1, 1, 0.5, 0.5, 0.5 + height]),
      triangles: new Uint32Array([0, 1, 2]),
    });
    expect(inspectMesh(needle(1e-8)).problems.length).toBe(1);
    expect(inspectMesh(needle(1e-4)).problems).toEqual([]);
  });

  it('isClosed tells a box from a sheet', () => {
    expect(isClosed(cube())).toBe(true);
    expect(isClosed(grid(1, 1))).toBe(false);
    expect(isClosed({ positions: new Float32Array(), triangles: new Uint32Array() })).toBe(false);
  });
});
