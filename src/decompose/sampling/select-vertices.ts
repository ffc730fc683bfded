import { gatherRows } from '../../math/rows.ts';
import { type FitProblem, monomialsOf, type Support, type VertexNeighbours } from '../problem.ts';

/** The problem of some of its vertices, each counting as much as `mass` says. Basis, centre and diagonal are shared. */
export function selectVertices(problem: FitProblem, vertices: Uint32Array, mass: Float64Array): FitProblem {
  const { z, rest, rank } = problem;
  return withVertices(problem, gatherRows(z, rank, vertices), gatherRows(rest, 4, vertices), mass);
}

/** The problem with other vertices: n·r coordinates, 4n rest positions. */
export function withVertices(problem: FitProblem, z: Float64Array, rest: Float64Array, mass: Float64Array): FitProblem {
  const vertexCount = mass.length;
  const zNorm2 = new Float64Array(vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    for (let c = i * problem.rank; c < (i + 1) * problem.rank; c++) zNorm2[i] += z[c] * z[c];
  }
  return { ...problem, vertexCount, z, zNorm2, rest, monomials: monomialsOf(rest), mass };
}

/** The rows of a support for some of the vertices. */
export function selectSupport(support: Support, vertices: Uint32Array): Support {
  const { influences, count, joints, weights } = support;
  return {
    influences,
    count: gatherRows(count, 1, vertices),
    joints: gatherRows(joints, influences, vertices),
    weights: gatherRows(weights, influences, vertices),
  };
}

/** Total mass of every cell. `cellOf` (N) numbers the cells. */
export function cellMasses(mass: Float64Array, cellOf: Uint32Array, cellCount: number): Float64Array {
  const out = new Float64Array(cellCount);
  for (let i = 0; i < mass.length; i++) out[cellOf[i]] += mass[i];
  return out;
}

/** Cell → the cells that an edge leads to, rising, each once. */
export function cellNeighbours(neighbours: VertexNeighbours, cellOf: Uint32Array, cellCount: number): VertexNeighbours {
  // (1) The vertices of every cell, by counting.
  const start = new Uint32Array(cellCount + 1);
  for (const cell of cellOf) start[cell + 1]++;
  for (let cell = 0; cell < cellCount; cell++) start[cell + 1] += start[cell];
  const next = start.slice();
  const members = new Uint32Array(cellOf.length);
  for (let i = 0; i < cellOf.length; i++) members[next[cellOf[i]]++] = i;
  // (2) Where their edges lead.
  const seen = new Int32Array(cellCount).fill(-1);
  const offsets = new Uint32Array(cellCount + 1);
  const items: number[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    seen[cell] = cell;
    const found: number[] = [];
    for (let m = start[cell]; m < start[cell + 1]; m++) {
      const i = members[m];
      for (let c = neighbours.offsets[i]; c < neighbours.offsets[i + 1]; c++) {
        const other = cellOf[neighbours.items[c]];
        if (seen[other] === cell) continue;
        seen[other] = cell;
        found.push(other);
      }
    }
    for (const other of found.sort((a, b) => a - b)) items.push(other);
    offsets[cell + 1] = items.length;
  }
  return { offsets, items: Uint32Array.from(items) };
}
