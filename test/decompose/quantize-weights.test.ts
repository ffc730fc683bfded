import { expect, it } from 'vitest';
import { BoneSolver } from '../../src/decompose/bone-solver.ts';
import { affineKind, RIGID } from '../../src/decompose/bones/bone-kinds.ts';
import { plainEngine } from '../../src/decompose/engine/engine.ts';
import { skinningError } from '../../src/decompose/frames.ts';
import { splitAndSettle } from '../../src/decompose/placing/initialize.ts';
import { emptySupport, type Support } from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { refine } from '../../src/decompose/refine.ts';
import { skinWeightsOf } from '../../src/decompose/skin-weights.ts';
import { quantizeSolution, quantizeSupport, supportError } from '../../src/decompose/weights/quantize-weights.ts';
import { largestRemainders } from '../../src/math/integer-simplex.ts';
import { meshEdges, vertexNeighbours } from '../../src/mesh/adjacency.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { tubeMesh } from '../io/gltf/fixtures.ts';

const AFFINE = affineKind(0);

const rest = { ...tubeMesh(20, 10), seams: undefined, uvs: undefined, normals: undefined };
const frames = Array.from({ length: 12 }, (_, k) =>
  rest.positions.map((x, c) => {
    const y = rest.positions[3 * Math.floor(c / 3) + 1];
    return x + 0.2 * Math.sin(0.4 * k + 2 * y + 5 * x * k);
  }),
);

/** Rounded one by one, whatever it costs. */
function rounded(support: Support, levels: number): Support {
  const out = { ...support, weights: support.weights.slice() };
  for (let i = 0; i < support.count.length; i++) {
    const row = out.weights.subarray(i * support.influences, i * support.influences + support.count[i]);
    largestRemainders(row, row.length, levels);
    for (let s = 0; s < row.length; s++) row[s] /= levels;
  }
  return out;
}

it.each([AFFINE, RIGID])('quantizeSupport costs less than rounding, and files keep it: $name', async (kind) => {
  const sequence = memorySequence('tube', rest, frames);
  const problem = await reduceSequence(sequence, 1e-6);
  const neighbours = vertexNeighbours(meshEdges(rest.triangles, problem.vertexCount), problem.vertexCount);
  const solver = new BoneSolver(plainEngine(problem, neighbours), kind);
  const support = emptySupport(problem.vertexCount, 4);
  const start = { bones: await splitAndSettle(solver, 5), support };
  const { bones } = await refine(solver, start, { maxIterations: 10, tolerance: 1e-5 });
  const products = kind.products(problem, bones);
  const inFrames = kind.frames(problem, bones);
  const errorOf = (s: Support) => skinningError(problem, s, inFrames);

  // The Gram matrices say what skinning says.
  expect(supportError(problem, products, support)).toBeCloseTo(errorOf(support), 8);

  const levels = 255;
  const quantized = quantizeSupport(problem, products, support, levels);
  expect(errorOf(quantized)).toBeLessThan(errorOf(rounded(support, levels)));
  expect(errorOf(quantized)).toBeLessThan(1.2 * errorOf(support));
  const solution = { bones, support, error: errorOf(support) };
  const solved = await quantizeSolution(solver, solution, levels);
  expect(solved.error).toBeLessThan(errorOf(quantized));
  expect(solved.error).toBeCloseTo(skinningError(problem, solved.support, kind.frames(problem, solved.bones)), 8);

  const skin = skinWeightsOf(solved.support);
  validateWeights(skin, problem.vertexCount, 5);
  for (let i = 0; i < problem.vertexCount; i++) {
    const row = Float64Array.from(skin.weights.subarray(4 * i, 4 * i + 4));
    const before = row.map((w) => Math.round(w * levels));
    largestRemainders(row, 4, levels);
    expect([...row]).toEqual([...before]); // what the writer makes of them
    expect(solved.support.count[i]).toBeLessThanOrEqual(support.count[i]);
  }
});
