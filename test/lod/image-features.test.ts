import { describe, expect, it } from 'vitest';
import { surfaceBends } from '../../src/lod/features/bends.ts';
import { detectFeatures } from '../../src/lod/features/detect.ts';
import { cornerVertices, segmentsOf } from '../../src/lod/features/lines.ts';
import { borderEdges, refineBorders } from '../../src/lod/features/refine-borders.ts';
import { meshEdges } from '../../src/mesh/adjacency.ts';
import { dualGraph } from '../../src/mesh/dual-graph.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, grid, icosphere, rotationOf, transformed } from '../mesh/shapes.ts';

/** A sheet with a ridge along x = 12. */
function ridge(height: number): Mesh {
  const mesh = grid(24, 12);
  const positions = mesh.positions.map((x, c) =>
    c % 3 === 2 ? height * Math.max(0, 1 - Math.abs(mesh.positions[c - 2] - 12) / 1.5) : x,
  );
  return { ...mesh, positions };
}

/** A sheet whose right half turns about x = 8. */
function hinge() {
  const mesh = grid(16, 6);
  const poses = [0, 0.5, 1].map((angle) => {
    const r = rotationOf([0, 1, 0], angle);
    return mesh.positions.map((x, c) => {
      const along = mesh.positions[c - (c % 3)] - 8;
      return along <= 0 ? x : c % 3 === 0 ? 8 + r[0] * along : c % 3 === 2 ? r[6] * along : x;
    });
  });
  return { mesh, poses };
}

const pairs = (lines: Uint32Array): [number, number][] =>
  Array.from({ length: lines.length / 2 }, (_, l) => [lines[2 * l], lines[2 * l + 1]]);

describe('detectFeatures', () => {
  it('finds nothing unless asked', async () => {
    const mesh = cube();
    const { lines, points } = await detectFeatures({ mesh, poses: [mesh.positions] });
    expect([lines.length, points.length]).toEqual([0, 0]);
  });

  it('finds the creases of a cube and no diagonals, however it is turned and scaled', async () => {
    for (const mesh of [cube(), transformed(cube(), rotationOf([1, 2, 3], 0.7), 1e-3, [5, 5, 5])]) {
      const { lines } = await detectFeatures({ mesh, poses: [mesh.positions] }, { creaseAngle: 30 });
      const edges = pairs(lines);
      expect(edges).toHaveLength(12);
      // Vertices are numbered by the bits of their place: an edge of the cube changes one bit.
      for (const [a, b] of edges) expect([1, 2, 4]).toContain(a ^ b);
    }
    const sphere = icosphere(2);
    const smooth = await detectFeatures({ mesh: sphere, poses: [sphere.positions] }, { creaseAngle: 30 });
    expect(smooth.lines.length).toBe(0);
  });

  it('draws borders of curvature clusters along a ridge, exactly and with landmarks', async () => {
    const mesh = ridge(2);
    for (const landmarks of [200, 40]) {
      const { lines } = await detectFeatures({ mesh, poses: [mesh.positions] }, { curvatureClusters: 2, landmarks });
      const xs = pairs(lines).map(([a, b]) => (mesh.positions[3 * a] + mesh.positions[3 * b]) / 2);
      expect(xs.length).toBeGreaterThanOrEqual(12);
      expect(Math.max(...xs.map((x) => Math.abs(x - 12)))).toBeLessThanOrEqual(2);
    }
  });

  it('draws borders of motion clusters along a hinge', async () => {
    const { mesh, poses } = hinge();
    const { lines } = await detectFeatures({ mesh, poses }, { deformationClusters: 2 });
    const edges = pairs(lines);
    expect(edges).toHaveLength(6);
    for (const [a, b] of edges) expect([mesh.positions[3 * a], mesh.positions[3 * b]]).toEqual([8, 8]);
    // A single pose does not move.
    expect((await detectFeatures({ mesh, poses: poses.slice(0, 1) }, { deformationClusters: 2 })).lines.length).toBe(0);
  });

  it('finds the tips of horns', () => {
    const sphere = icosphere(4);
    const horns = [
      [0, 0, 1],
      [0, 1, 0],
    ];
    const positions = sphere.positions.slice();
    for (let i = 0; i < positions.length; i += 3) {
      for (const h of horns) {
        const cos = positions[i] * h[0] + positions[i + 1] * h[1] + positions[i + 2] * h[2];
        const grow = 1 + Math.max(0, cos - 0.9) * 8;
        for (let d = 0; d < 3; d++) positions[i + d] *= grow;
      }
    }
    const tips = cornerVertices(surfaceBends(positions, sphere.triangles));
    for (const h of horns) {
      const near = tips.some(
        (i) => positions[3 * i] * h[0] + positions[3 * i + 1] * h[1] + positions[3 * i + 2] * h[2] > 1.5,
      );
      expect(near).toBe(true);
    }
  });
});

describe('refineBorders', () => {
  it('straightens a jagged border to the shortest that is near', () => {
    const mesh = grid(20, 10);
    const edges = meshEdges(mesh.triangles, mesh.positions.length / 3);
    const dual = dualGraph(mesh, edges);
    const middle = 10 / Math.hypot(20, 10);
    const jagged = Int32Array.from({ length: dual.count }, (_, f) =>
      dual.centroids[3 * f] < middle + (f % 3 === 0 ? 0.04 : -0.02) ? 0 : 1,
    );
    const lengths = Float64Array.from({ length: edges.vertices.length / 2 }, (_, e) => {
      const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
      return Math.hypot(
        mesh.positions[3 * a] - mesh.positions[3 * b],
        mesh.positions[3 * a + 1] - mesh.positions[3 * b + 1],
      );
    });
    const total = (clusters: Int32Array): number =>
      borderEdges(clusters, edges).reduce((sum, e) => sum + lengths[e], 0);
    const before = jagged.slice();
    const refined = refineBorders(jagged, dual, edges, lengths);
    expect(jagged).toEqual(before);
    expect(total(jagged)).toBeGreaterThan(12);
    expect(total(refined)).toBe(10);
  });

  it('cuts lines at junctions and keeps loops whole', () => {
    const mesh = grid(2, 2);
    const edges = meshEdges(mesh.triangles, 9);
    const all = Array.from({ length: edges.vertices.length / 2 }, (_, e) => e);
    const on = (keep: (i: number) => boolean) =>
      all.filter((e) => keep(edges.vertices[2 * e]) && keep(edges.vertices[2 * e + 1]));
    // The rim without the centre is one loop of 8; a row through the middle cuts it into three runs.
    const rim = on((i) => i !== 4).filter((e) => edges.corners.offsets[e + 1] - edges.corners.offsets[e] === 1);
    expect(segmentsOf(rim, edges).map((s) => s.length)).toEqual([8]);
    const row = on((i) => i >= 3 && i <= 5);
    expect(
      segmentsOf([...rim, ...row], edges)
        .map((s) => s.length)
        .sort(),
    ).toEqual([2, 4, 4]);
  });
});
