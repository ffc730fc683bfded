import { describe, expect, it } from 'vitest';
import { edgeCount, meshEdges } from '../../src/mesh/adjacency.ts';
import { ContractibleMesh } from '../../src/mesh/decimation/contractible-mesh.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, torus } from './shapes.ts';
import { topology } from './topology.ts';

/** A small mesh with every kind of neighbourhood: a decimated torus, disc, sphere or strip. */
const SMALL: [string, Mesh][] = [
  [
    'tetrahedron',
    { positions: new Float32Array(12), triangles: Uint32Array.from([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]) },
  ],
  ['cube', cube()],
  ['icosahedron', icosphere(0)],
  ['triangle', { positions: new Float32Array(9), triangles: Uint32Array.from([0, 1, 2]) }],
  ['2 × 2 grid', grid(2, 2)],
  ['strip', grid(5, 1)],
  ['smallest torus', torus(3, 3)],
  ['torus', torus(4, 5)],
];

describe('the link condition', () => {
  it.each(SMALL)('of a %s allows exactly the contractions that keep its topology', (_, mesh) => {
    const n = vertexCount(mesh);
    const before = topology(mesh.triangles, n);
    const { vertices: ends } = meshEdges(mesh.triangles, n);
    for (let e = 0; e < ends.length; e++) {
      const [i, j] = [ends[e], ends[e ^ 1]];
      const contractible = new ContractibleMesh(mesh.triangles, n).isContractible(i, j);
      const after = new ContractibleMesh(mesh.triangles, n);
      after.contract(i, j);
      const sound = after.triangles();
      const edges = meshEdges(sound, n);
      // Beside the counts, no boundary loop may have vanished: every edge of the contracted mesh still has a face.
      const images = new Set<string>();
      for (let c = 0; c < ends.length; c += 2) {
        const [a, b] = [ends[c], ends[c + 1]].map((v) => (v === i ? j : v));
        if (a !== b) images.add(a < b ? `${a} ${b}` : `${b} ${a}`);
      }
      const kept = images.size === edgeCount(edges);
      const same = JSON.stringify(topology(sound, n)) === JSON.stringify(before);
      expect(contractible, `${i} into ${j}`).toBe(kept && same);
    }
  });

  it('never removes a vertex on an edge of three faces or where two fans touch', () => {
    // Three triangles on the edge 0–1; two triangles that touch in vertex 5.
    const triangles = Uint32Array.from([0, 1, 2, 0, 1, 3, 0, 1, 4, 5, 6, 7, 5, 8, 9]);
    const mesh = new ContractibleMesh(triangles, 10);
    for (const i of [0, 1, 5]) {
      for (const j of mesh.neighbours(i, [])) expect(mesh.isContractible(i, j)).toBe(false);
    }
  });
});
