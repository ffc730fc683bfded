import { gramOfRows, multiply, transpose } from '../../math/dense.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { faceNeighbours, meshEdges } from '../../mesh/adjacency.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { mergeFaces } from './merge-faces.ts';

/**
 * Clusters Γ_l of vertices whose displacements u_j go together (Feng 2010, §3.4.2: hierarchical merging with clustered PCA, after
 * Sloan et al. 2003). A vertex's residual vector holds its displacement in every example. Merging Γ_a into Γ_b costs what the
 * principal directions of Γ_b miss of the vectors in Γ_a; both ways are weighed.
 *
 * Departures: squared lengths, which need no loop over examples; vectors are first reduced to their common principal
 * directions, of some of the examples; the number of directions per cluster, which the chapter does not give, is RANK. A
 * vertex between clusters goes to the one with most of its faces.
 */

/** Principal directions of a cluster; and of all vectors, before. */
const RANK = 4;
const COMMON = 24;
/** Examples that are looked at, evenly out of all. */
const DECIDING = 40;

/**
 * @param residuals E × 3N: u.
 * @returns N: vertex → cluster, 0 … count − 1, none empty.
 */
export async function detailClusters(
  rest: Mesh,
  residuals: Float64Array,
  wanted: number,
  run: RunOptions = {},
): Promise<{ clusterOf: Uint16Array; count: number }> {
  const n = vertexCount(rest);
  const { vectors, size } = reducedVectors(residuals, n);
  const members = Array.from({ length: rest.triangles.length / 3 }, (_, f) => {
    return new Set(rest.triangles.subarray(3 * f, 3 * f + 3));
  });
  const bases = members.map((each) => principalDirections(vectors, size, each));
  const missed = (a: number, b: number): number => {
    let sum = 0;
    for (const i of members[a]) sum += missedOf(vectors, i * size, bases[b], size);
    return sum;
  };
  const { clusterOf: ofFace } = await mergeFaces(
    faceNeighbours(meshEdges(rest.triangles, n)),
    wanted,
    {
      cost: (a, b) => Math.min(missed(a, b), missed(b, a)),
      merge: (a, b) => {
        for (const i of members[b]) members[a].add(i);
        members[b].clear();
        bases[a] = principalDirections(vectors, size, members[a]);
      },
    },
    run,
    'merging faces into clusters',
  );
  return majority(rest.triangles, ofFace, n);
}

/** N × size: the residual vectors of vertices in the directions in which they vary most. */
function reducedVectors(residuals: Float64Array, n: number): { vectors: Float64Array; size: number } {
  const all = residuals.length / (3 * n);
  const step = Math.max(1, Math.ceil(all / DECIDING));
  const rows = Math.ceil(all / step);
  // 3E × N: coordinates of examples by vertices.
  const table = new Float64Array(3 * rows * n);
  for (let k = 0; k < rows; k++) {
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 3; c++) table[(3 * k + c) * n + i] = residuals[3 * (k * step * n + i) + c];
    }
  }
  const { vectors } = symmetricEigen(gramOfRows(new Float64Array(9 * rows * rows), table, 3 * rows, n), 3 * rows);
  const size = Math.min(COMMON, 3 * rows);
  const reduced = multiply(new Float64Array(size * n), vectors.slice(0, size * 3 * rows), table, size, 3 * rows, n);
  return { vectors: transpose(new Float64Array(n * size), reduced, size, n), size };
}

/** ≤ RANK × size: orthonormal rows, from the smaller of the two matrices that have them. */
function principalDirections(vectors: Float64Array, size: number, members: ReadonlySet<number>): Float64Array {
  const m = members.size;
  const rows = new Float64Array(m * size);
  let at = 0;
  for (const i of members) rows.set(vectors.subarray(i * size, (i + 1) * size), size * at++);
  const rank = Math.min(RANK, m, size);
  if (m > size) {
    const columns = transpose(new Float64Array(size * m), rows, m, size);
    return symmetricEigen(gramOfRows(new Float64Array(size * size), columns, size, m), size).vectors.slice(
      0,
      rank * size,
    );
  }
  const { values, vectors: u } = symmetricEigen(gramOfRows(new Float64Array(m * m), rows, m, size), m);
  const kept = values.slice(0, rank).filter((value) => value > 1e-12 * values[0]).length;
  const out = multiply(new Float64Array(kept * size), u.slice(0, kept * m), rows, kept, m, size);
  return out.map((x, c) => x / Math.sqrt(values[Math.floor(c / size)]));
}

/** |y|² less what orthonormal rows explain of it. */
function missedOf(vectors: Float64Array, o: number, basis: Float64Array, size: number): number {
  let sum = 0;
  for (let c = 0; c < size; c++) sum += vectors[o + c] * vectors[o + c];
  for (let row = 0; row < basis.length; row += size) {
    let along = 0;
    for (let c = 0; c < size; c++) along += vectors[o + c] * basis[row + c];
    sum -= along * along;
  }
  return Math.max(0, sum);
}

/** Vertices where most of their faces are; clusters left without any vanish. A vertex without faces joins the first. */
function majority(triangles: Uint32Array, ofFace: Int32Array, n: number): { clusterOf: Uint16Array; count: number } {
  const votes = Array.from({ length: n }, () => new Map<number, number>());
  triangles.forEach((i, corner) => {
    const cluster = ofFace[Math.floor(corner / 3)];
    votes[i].set(cluster, (votes[i].get(cluster) ?? 0) + 1);
  });
  const numbers = new Map<number, number>();
  const clusterOf = Uint16Array.from(votes, (each) => {
    const [best = 0] = [...each].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([cluster]) => cluster);
    if (!numbers.has(best)) numbers.set(best, numbers.size);
    return numbers.get(best)!;
  });
  return { clusterOf, count: numbers.size };
}
