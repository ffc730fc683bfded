import { describe, expect, it } from 'vitest';
import type { FitProblem, VertexNeighbours } from '../../src/decompose/problem.ts';
import { farthestOnGraph, sampleProblem } from '../../src/decompose/sampling/sample-vertices.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { bendingSheet, noisySheet } from '../fit/bending-sheet.ts';
import { grid, icosphere } from '../mesh/shapes.ts';
import { neighboursOf, problemOf } from './rigs.ts';

/** Root mean square length of the edge (a, b) over the frames. */
function edgeLength(problem: FitProblem, a: number, b: number): number {
  const { rank, z } = problem;
  let sum = 0;
  for (let c = 0; c < rank; c++) sum += (z[a * rank + c] - z[b * rank + c]) ** 2;
  return Math.sqrt(sum / problem.frameCount);
}

/** Distances along edges from one vertex to all, by relaxing every edge until nothing changes. */
function slowDistances(problem: FitProblem, { offsets, items }: VertexNeighbours, from: number): Float64Array {
  const out = new Float64Array(problem.vertexCount).fill(Infinity);
  out[from] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < problem.vertexCount; i++) {
      for (let c = offsets[i]; c < offsets[i + 1]; c++) {
        const through = out[i] + edgeLength(problem, i, items[c]);
        if (through >= out[items[c]] - 1e-15) continue;
        out[items[c]] = through;
        changed = true;
      }
    }
  }
  return out;
}

/** Parts side by side, moving as one rigid whole. */
function partsSequence(parts: Mesh[]): MeshSequence {
  const positions: number[] = [];
  const triangles: number[] = [];
  parts.forEach((part, p) => {
    const start = positions.length / 3;
    part.positions.forEach((x, c) => {
      positions.push(x + (c % 3 === 0 ? 40 * p : 0));
    });
    for (const i of part.triangles) triangles.push(i + start);
  });
  const rest = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  return memorySequence('parts', rest, [rest.positions, rest.positions.map((x, c) => x + (c % 3))]);
}

describe('sampling vertices', () => {
  it('takes the farthest vertex each time, and gives every vertex to the nearest', async () => {
    const sequence = noisySheet(4);
    const problem = await problemOf(sequence);
    const neighbours = neighboursOf(sequence.rest);
    const seeds = [0];
    const nearest = slowDistances(problem, neighbours, 0);
    const owner = new Uint32Array(problem.vertexCount);
    while (seeds.length < 12) {
      const seed = nearest.reduce((best, d, i) => (d > nearest[best] ? i : best), 0);
      seeds.push(seed);
      slowDistances(problem, neighbours, seed).forEach((d, i) => {
        if (d >= nearest[i]) return;
        nearest[i] = d;
        owner[i] = seed;
      });
    }
    const { vertices, cellOf } = await farthestOnGraph(problem, neighbours, 12);
    expect([...vertices]).toEqual([...seeds].sort((a, b) => a - b));
    expect(cellOf.map((cell) => vertices[cell])).toEqual(owner);
  });

  it('keeps the total mass, the coordinates of what it takes, and a connected graph', async () => {
    const sequence = bendingSheet(20, 14, 4);
    const problem = await problemOf(sequence);
    const sample = await sampleProblem(problem, neighboursOf(sequence.rest), 40);
    expect(sample.problem.vertexCount).toBe(40);
    expect(sample.problem.mass.reduce((a, b) => a + b, 0)).toBe(problem.vertexCount);
    expect(Math.max(...sample.problem.mass)).toBeLessThan((4 * problem.vertexCount) / 40);
    sample.vertices.forEach((i, to) => {
      const { rank } = problem;
      expect(sample.problem.z.slice(to * rank, (to + 1) * rank)).toEqual(problem.z.slice(i * rank, (i + 1) * rank));
      expect(sample.problem.rest.slice(4 * to, 4 * to + 4)).toEqual(problem.rest.slice(4 * i, 4 * i + 4));
      expect(sample.problem.zNorm2[to]).toBeCloseTo(problem.zNorm2[i], 12);
      expect(sample.cellOf[i]).toBe(to);
    });
    // Every neighbour is mutual, and all are reached from the first.
    const { offsets, items } = sample.neighbours;
    const reached = new Set([0]);
    for (const i of reached) {
      for (let c = offsets[i]; c < offsets[i + 1]; c++) {
        const other = items[c];
        expect(other).not.toBe(i);
        expect([...items.subarray(offsets[other], offsets[other + 1])]).toContain(i);
        reached.add(other);
      }
    }
    expect(reached.size).toBe(40);
  });

  it('is the whole problem when all vertices are asked for', async () => {
    const sequence = bendingSheet(6, 5, 3);
    const problem = await problemOf(sequence);
    const neighbours = neighboursOf(sequence.rest);
    const sample = await sampleProblem(problem, neighbours, 1000);
    expect(sample.problem).toEqual(problem);
    expect(sample.neighbours).toEqual(neighbours);
  });

  it('gives every part a vertex, the largest parts first when there are too many', async () => {
    const sequence = partsSequence([grid(2, 2), icosphere(1), grid(1, 1), grid(6, 6)]);
    const problem = await problemOf(sequence);
    const neighbours = neighboursOf(sequence.rest);
    const starts = [0, 9, 51, 55, vertexCount(sequence.rest)];
    const partOf = (i: number) => starts.findIndex((start) => start > i) - 1;
    expect([...(await farthestOnGraph(problem, neighbours, 4)).vertices].map(partOf)).toEqual([0, 1, 2, 3]);
    const few = await farthestOnGraph(problem, neighbours, 2);
    expect([...few.vertices].map(partOf)).toEqual([1, 3]);
    // The parts without a vertex of their own go to the one that moves most like them: here the nearest.
    expect([few.cellOf[0], few.cellOf[51]]).toEqual([0, 1]);
  });

  it('refuses a sample of nothing', async () => {
    const sequence = bendingSheet(2, 2, 2);
    const problem = await problemOf(sequence);
    await expect(sampleProblem(problem, neighboursOf(sequence.rest), 0)).rejects.toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  });
});
