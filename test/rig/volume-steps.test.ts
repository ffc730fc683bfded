import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { closestOnTriangle } from '../../src/mesh/closest-point.ts';
import type { BoneSegments } from '../../src/rig/bind/bone-segments.ts';
import { boneDistances } from '../../src/rig/bind/segment-distance.ts';
import { pointsInVoxels, type VoxelGrid, voxelCount, voxelGrid } from '../../src/rig/bind/volume/grid.ts';
import { SolidHeat } from '../../src/rig/bind/volume/heat.ts';
import { facings, solidVoxels } from '../../src/rig/bind/volume/inside.ts';
import { marchBones } from '../../src/rig/bind/volume/march.ts';
import { surfaceVoxels } from '../../src/rig/bind/volume/shell.ts';
import { type Solid, solidOf } from '../../src/rig/bind/volume/solid.ts';
import { flipped, icosphere, rotationOf, transformed } from '../mesh/shapes.ts';
import { together, tube } from './bind-shapes.ts';

const cube = (size: number): VoxelGrid => ({ size: [size, size, size], origin: [0, 0, 0], cell: 1 });
/** The middles of all voxels, 3 numbers each. */
const middles = (grid: VoxelGrid): number[][] =>
  Array.from({ length: voxelCount(grid) }, (_, v) => [
    (v % grid.size[0]) + 0.5,
    (Math.floor(v / grid.size[0]) % grid.size[1]) + 0.5,
    Math.floor(v / (grid.size[0] * grid.size[1])) + 0.5,
  ]);

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.every((x, v) => x === b[v]);

describe('voxels of a surface', () => {
  it('are those that hold a point of it, and no others (seed 5)', () => {
    const random = seededRandom(5);
    const grid = cube(12);
    for (let trial = 0; trial < 40; trial++) {
      const corners = Float64Array.from({ length: 9 }, () => 1 + 10 * random());
      if (trial % 4 === 0) for (let q = 2; q < 9; q += 3) corners[q] = corners[2]; // flat along an axis
      if (trial % 8 === 1) corners.copyWithin(6, 3, 6); // a segment
      const shell = surfaceVoxels(grid, corners, Uint32Array.of(0, 1, 2));
      let [missed, apart] = [0, 0];
      for (let sample = 0; sample < 300; sample++) {
        const [a, b] = [random(), random()];
        const [s, t] = a + b > 1 ? [1 - a, 1 - b] : [a, b];
        const p = [0, 1, 2].map((c) => Math.floor(corners[c] * (1 - s - t) + s * corners[3 + c] + t * corners[6 + c]));
        missed += 1 - shell[p[0] + 12 * (p[1] + 12 * p[2])];
      }
      const single = Float32Array.from(corners);
      middles(grid).forEach(([x, y, z], v) => {
        // A box is touched at half its diagonal at most.
        if (shell[v] && closestOnTriangle(x, y, z, single, 0) > 0.7501) apart++;
      });
      expect([missed, apart]).toEqual([0, 0]);
    }
  });
});

describe('the solid of a surface', () => {
  const filled = (mesh: { positions: Float32Array; triangles: Uint32Array }, grid: VoxelGrid) => {
    const points = pointsInVoxels(grid, mesh.positions);
    const shell = surfaceVoxels(grid, points, mesh.triangles);
    return solidVoxels(grid, points, mesh.triangles, shell, facings(points, mesh.triangles)).solid;
  };
  const ball = icosphere(3);
  const grid = voxelGrid(ball.positions, 24);
  const whole = filled(ball, grid);
  const radii = middles(grid).map((p) => Math.hypot(...p.map((x, c) => grid.origin[c] + x * grid.cell)) / grid.cell);

  it('is what it touches and encloses', () => {
    const wrong = whole.filter((is, v) => (is ? radii[v] > 12 + 1 : radii[v] < 12 - 1));
    expect(wrong).toHaveLength(0);
  });

  it('does not depend on which way triangles face', () => {
    expect(isSame(filled(flipped(ball), grid), whole)).toBe(true);
  });

  it('is filled through a hole', () => {
    const open = { positions: ball.positions, triangles: ball.triangles.slice(30) };
    const found = filled(open, grid);
    const missing = whole.reduce((sum, is, v) => sum + (is && !found[v] ? 1 : 0), 0);
    expect(missing).toBeLessThan(0.03 * whole.reduce((sum, is) => sum + is, 0));
    expect(isSame(filled(flipped(open), grid), found)).toBe(true);
  });

  it('has no hollow where one surface is inside another, whichever way they face', () => {
    const inner = transformed(ball, rotationOf([1, 0, 0], 0), 0.6, [0, 0, 0]);
    expect(isSame(filled(together(ball, inner), grid), whole)).toBe(true);
    expect(isSame(filled(together(ball, flipped(inner)), grid), whole)).toBe(true);
  });
});

/** Solid voxels with nothing between them. */
const joined = (solid: Uint8Array) => ({ solid, cuts: new Uint8Array(solid.length) });

const segmentsOf = (...ends: number[][]): BoneSegments => ({
  bones: Int32Array.from(ends.keys()),
  columnOf: Int32Array.from(ends.keys()),
  ends: Float64Array.from(ends.flat()),
});

describe('the nearest bones of voxels', () => {
  it('are those by straight distance where everything is solid (seed 7)', async () => {
    const random = seededRandom(7);
    const grid = cube(24);
    const segments = segmentsOf(...Array.from({ length: 7 }, () => Array.from({ length: 6 }, () => 2 + 20 * random())));
    const { distance, column } = await marchBones(grid, joined(new Uint8Array(24 ** 3).fill(1)), segments, {});
    const exact = boneDistances(middles(grid).flat(), segments);
    let [far, wrong] = [0, 0];
    distance.forEach((d, v) => {
      const row = exact.subarray(7 * v, 7 * v + 7);
      const least = Math.min(...row);
      if (Math.abs(d - least) > 0.5 + 0.12 * least) far++;
      if (row[column[v]] > least + 0.25) wrong++;
    });
    expect(far).toBe(0);
    expect(wrong).toBeLessThan(0.02 * distance.length);
  });

  it('split what is beyond a common joint between the bones that meet there', async () => {
    const grid = cube(24);
    // A shin from above, a foot that points down: what is in front belongs to the foot.
    const segments = segmentsOf([12, 20, 4, 12, 8, 8], [12, 8, 8, 12, 6, 9]);
    const { column } = await marchBones(grid, joined(new Uint8Array(24 ** 3).fill(1)), segments, {});
    for (let z = 14; z < 24; z++) for (let y = 4; y < 9; y++) expect(column[12 + 24 * (y + 24 * z)]).toBe(1);
  });

  it('are found around a gap', async () => {
    // Two legs of a U, joined at the bottom; the nearer bone in a straight line is in the other leg.
    const grid = cube(24);
    const solid = Uint8Array.from(middles(grid), ([x, y, z]) => {
      const isLeg = (x > 2 && x < 12) || (x > 14 && x < 18);
      return z > 8 && z < 14 && y > 2 && y < 22 && (isLeg || (y < 5 && x > 2 && x < 18)) ? 1 : 0;
    });
    const segments = segmentsOf([3, 4, 11, 3, 21, 11], [16, 4, 11, 16, 21, 11]);
    const { column } = await marchBones(grid, joined(solid), segments, {});
    expect(column[11 + 24 * (18 + 24 * 11)]).toBe(0);
    expect(column[15 + 24 * (18 + 24 * 11)]).toBe(1);
  });
});

describe('heat between voxels', () => {
  /** All voxels of a grid without its border. */
  const block = async (size: [number, number, number], segments: BoneSegments): Promise<Solid> => {
    const grid: VoxelGrid = { size: [size[0] + 2, size[1] + 2, size[2] + 2], origin: [0, 0, 0], cell: 1 };
    const inside = Uint8Array.from(middles(grid), (p) => (p.every((x, c) => x > 1 && x < size[c] + 1) ? 1 : 0));
    return solidOf(grid, joined(inside), await marchBones(grid, joined(inside), segments, {})).solid;
  };

  it('solves what a dense solver solves, but for what is negligible', async () => {
    const solid = await block([14, 5, 5], segmentsOf([2, 3, 3, 6, 3, 3], [6, 3, 3, 10, 3, 3], [10, 3, 3, 15, 4, 4]));
    const m = solid.voxels.length;
    const matrix = new Float64Array(m * m);
    solid.neighbours.forEach((other, q) => {
      const v = Math.floor(q / 6);
      if (other < 0) return;
      matrix[v * m + other] -= 1;
      matrix[v * m + v] += 1;
    });
    const tie = solid.distance.map((d) => 1 / Math.max(d, 0.5) ** 2);
    for (let v = 0; v < m; v++) matrix[v * m + v] += tie[v];
    expect(choleskyFactor(matrix, m)).toBe(true);
    const solver = new SolidHeat(solid, 3, 1);
    for (let c = 0; c < 3; c++) {
      const right = Float64Array.from(tie, (t, v) => (solid.column[v] === c ? t : 0));
      choleskySolve(matrix, m, right, 1);
      const { voxels, weights } = solver.solve(c);
      const found = new Float64Array(m);
      voxels.forEach((v, i) => {
        found[v] = weights[i];
      });
      expect(Math.max(...right.map((w, v) => Math.abs(w - found[v])))).toBeLessThan(1e-3);
    }
  });

  it('falls by e^−ρ per voxel along a bar', () => {
    // A bar of single voxels, all at one distance from their bones: the left half belongs to 0, the right to 1.
    const n = 60;
    const neighbours = new Int32Array(6 * n).fill(-1);
    for (let v = 0; v < n; v++) {
      if (v > 0) neighbours[6 * v] = v - 1;
      if (v + 1 < n) neighbours[6 * v + 1] = v + 1;
    }
    const solid: Solid = {
      voxels: Uint32Array.from({ length: n }, (_, v) => v),
      neighbours,
      distance: new Float64Array(n).fill(2),
      column: Int32Array.from({ length: n }, (_, v) => (v < n / 2 ? 0 : 1)),
    };
    const { voxels, weights } = new SolidHeat(solid, 2, 1).solve(1);
    const rate = 2 * Math.asinh(0.25);
    for (let x = 1; x < 8; x++) {
      const at = voxels.indexOf(n / 2 - x);
      expect(weights[at] / weights[voxels.indexOf(n / 2 - 1)]).toBeCloseTo(Math.exp(-rate * (x - 1)), 2);
    }
    // Nothing is solved for where nothing arrives.
    expect(voxels.length).toBeLessThan(n);
  });
});

describe('a grid', () => {
  it('has the plane of symmetry between voxels', () => {
    const { size, origin, cell } = voxelGrid(tube(-3, 3, 0.7, 9, 12).positions, 40);
    size.forEach((count, c) => {
      expect(count % 2).toBe(0);
      expect(origin[c] + (count / 2) * cell).toBeCloseTo(0, 5);
    });
    expect(cell).toBeCloseTo(6 / 40, 6);
  });
});
