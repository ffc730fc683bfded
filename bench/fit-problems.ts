import { expandToFrames } from '../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations, type NormalEquations } from '../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../src/decompose/bones/transforms-affine.ts';
import { skinningError } from '../src/decompose/frames.ts';
import type { FitProblem, Support, VertexNeighbours } from '../src/decompose/problem.ts';
import { reduceSequence } from '../src/decompose/reduce.ts';
import { meshEdges, vertexNeighbours } from '../src/doors/mesh.ts';
import { uniformProxyJoints } from '../src/fit/thesis/proxy-joints.ts';
import { distanceWeights } from '../src/fit/thesis/weights-distance.ts';
import { type MeshSequence, vertexCount } from '../src/index.ts';

/** What the benchmarks of single stages of `fit` start from. */

export interface StageInput {
  problem: FitProblem;
  neighbours: VertexNeighbours;
}

export async function stageInput(sequence: MeshSequence): Promise<StageInput> {
  const n = vertexCount(sequence.rest);
  return {
    problem: await reduceSequence(sequence, 1e-5),
    neighbours: vertexNeighbours(meshEdges(sequence.rest.triangles, n), n),
  };
}

/** Joints by p-center and weights by distance, Antonopoulos 2010, §3.4.1. */
export const thesisWeights = ({ rest }: MeshSequence, bones: number, influences = 4): Support =>
  distanceWeights(rest, uniformProxyJoints(rest, bones), influences);

/** 4B × 3P: affine bones from one factorisation for all frames. Normal equations may come from an engine. */
export function directTransforms(
  problem: FitProblem,
  support: Support,
  boneCount: number,
  equations: NormalEquations = assembleNormalEquations(problem, support, boneCount),
): Float64Array {
  return expandToFrames(problem, solveAffine(equations, new Float64Array(4 * boneCount * problem.rank), 1e-9));
}

/** The same problem for at most `count` of its frames, evenly spread. */
export function someFrames(problem: FitProblem, count: number): FitProblem {
  const { frameCount, rank, basis } = problem;
  if (count >= frameCount) return problem;
  const rows = new Float64Array(3 * count * rank);
  for (let k = 0; k < count; k++) {
    const from = 3 * Math.floor(((k + 0.5) * frameCount) / count) * rank;
    rows.set(basis.subarray(from, from + 3 * rank), 3 * k * rank);
  }
  return { ...problem, frameCount: count, basis: rows, discarded: (problem.discarded * count) / frameCount };
}

/** Of bones (4B × 3P), in % of the diagonal. */
export function rmsePercent(problem: FitProblem, support: Support, bones: Float64Array): number {
  const error = skinningError(problem, support, bones) + problem.discarded;
  return 100 * Math.sqrt(error / (problem.vertexCount * problem.frameCount));
}
