import { describe, expect, it } from 'vitest';
import { detailClusters } from '../../../src/cloth/paper/detail-clusters.ts';
import { detailShapes } from '../../../src/cloth/paper/eigenskin.ts';
import { mergeFaces } from '../../../src/cloth/paper/merge-faces.ts';
import { fitPatches } from '../../../src/cloth/paper/patches.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import { faceNeighbours, meshEdges } from '../../../src/mesh/adjacency.ts';
import { vertexCount } from '../../../src/model/mesh.ts';
import { fineSheet, steps, waves } from './waves.ts';

const { positions, triangles } = fineSheet;
const n = vertexCount(fineSheet);
const neighbours = faceNeighbours(meshEdges(triangles, n));

/** How many pieces the faces of each cluster make. */
function piecesOf(clusterOf: Int32Array): number {
  const seen = new Uint8Array(clusterOf.length);
  let pieces = 0;
  clusterOf.forEach((cluster, first) => {
    if (seen[first]) return;
    pieces++;
    const stack = [first];
    seen[first] = 1;
    for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
      for (const g of neighbours.items.subarray(neighbours.offsets[f], neighbours.offsets[f + 1])) {
        if (seen[g] || clusterOf[g] !== cluster) continue;
        seen[g] = 1;
        stack.push(g);
      }
    }
  });
  return pieces;
}

describe('merging faces', () => {
  it.each([1, 7, 60, 10_000])('into %i clusters of one piece each', async (wanted) => {
    const random = seededRandom(wanted);
    const { clusterOf, count } = await mergeFaces(
      neighbours,
      wanted,
      { cost: () => random(), merge: () => {} },
      {},
      'merging',
    );
    expect(count).toBe(Math.min(wanted, triangles.length / 3));
    expect(new Set(clusterOf).size).toBe(count);
    expect(Math.max(...clusterOf)).toBe(count - 1);
    expect(piecesOf(clusterOf)).toBe(count);
  });
});

describe('patches', () => {
  it('of a sheet that is folded along a line are its two halves', async () => {
    // Faces left of the line stay; the others turn about it.
    const folds = [0.3, 0.8, -0.5].map((angle) =>
      positions.map((value, c) => {
        const x = positions[c - (c % 3)];
        if (x <= 0.5 || c % 3 === 2) return value;
        return c % 3 === 0 ? 0.5 + (x - 0.5) * Math.cos(angle) : (x - 0.5) * Math.sin(angle);
      }),
    );
    const wanted = 2;
    const { boneOf, count } = await fitPatches(fineSheet, folds, wanted);
    expect(count).toBe(wanted);
    const straddling = triangles.filter((_, corner) => corner % 3 === 0).map((_, f) => f);
    for (const f of straddling) {
      const xs = [...triangles.subarray(3 * f, 3 * f + 3)].map((i) => positions[3 * i]);
      if (Math.min(...xs) >= 0.5) expect(boneOf[f]).toBe(boneOf[triangles.length / 3 - 1]);
    }
  });

  it('turn by rotations, and explain more the more there are', async () => {
    const { fine } = waves('patches', steps(5, 0.5));
    const poses = await Promise.all(steps(5, 1).map((k) => fine.readFrame(k)));
    const errors = [];
    let stretch = 0;
    for (const wanted of [4, 20, 100]) {
      const { boneOf, count, transforms: m } = await fitPatches(fineSheet, poses, wanted);
      let sum = 0;
      poses.forEach((x, k) => {
        triangles.forEach((i, corner) => {
          const o = 12 * (k * count + boneOf[Math.floor(corner / 3)]);
          for (let r = 0; r < 3; r++) {
            const row = o + 4 * r;
            const y = m[row] * positions[3 * i] + m[row + 1] * positions[3 * i + 1] + m[row + 2] * positions[3 * i + 2];
            sum += (y + m[row + 3] - x[3 * i + r]) ** 2;
            stretch = Math.max(stretch, Math.abs(Math.hypot(m[row], m[row + 1], m[row + 2]) - 1));
          }
        });
      });
      errors.push(sum);
    }
    expect(stretch).toBeLessThan(1e-9);
    expect(errors[1]).toBeLessThan(errors[0] / 2);
    expect(errors[2]).toBeLessThan(errors[1] / 2);
  });
});

describe('clusters of displacements', () => {
  const e = 6;
  const random = seededRandom(8);
  const amounts = Array.from({ length: e }, () => [random() - 0.5, random() - 0.5]);
  // Left and right half follow amounts of their own.
  const residuals = Float64Array.from({ length: e * 3 * n }, (_, at) => {
    const i = Math.floor(at / 3) % n;
    const k = Math.floor(at / (3 * n));
    return amounts[k][positions[3 * i] < 0.5 ? 0 : 1] * Math.sin(40 * i + (at % 3));
  });

  it('none is empty, and no vertex is without', async () => {
    const { clusterOf, count } = await detailClusters(fineSheet, residuals, 12);
    expect(count).toBeLessThanOrEqual(12);
    expect(new Set(clusterOf).size).toBe(count);
    expect(Math.max(...clusterOf)).toBe(count - 1);
    expect(clusterOf).toHaveLength(n);
  });

  it('with as many shapes as examples have the examples back', async () => {
    const { clusterOf, count } = await detailClusters(fineSheet, residuals, 5);
    const { mean, basis, coefficients } = detailShapes(residuals, clusterOf, count, 50);
    expect(basis.length).toBe(3 * n * e);
    let off = 0;
    for (let k = 0; k < e; k++) {
      for (let c = 0; c < 3 * n; c++) {
        let u = mean[c];
        const from = (k * count + clusterOf[Math.floor(c / 3)]) * e;
        for (let p = 0; p < e; p++) u += basis[c * e + p] * coefficients[from + p];
        off = Math.max(off, Math.abs(u - residuals[k * 3 * n + c]));
      }
    }
    expect(off).toBeLessThan(3e-5);
  });
});
