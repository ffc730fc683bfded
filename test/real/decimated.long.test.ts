import { describe, expect, it } from 'vitest';
import { BoneSolver } from '../../src/decompose/bone-solver.ts';
import { affineKind } from '../../src/decompose/bones/bone-kinds.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { plainEngine } from '../../src/decompose/engine/engine.ts';
import { skinningError } from '../../src/decompose/frames.ts';
import { splitAndSettle } from '../../src/decompose/placing/initialize.ts';
import { emptySupport, type FitProblem, type VertexNeighbours } from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { refine } from '../../src/decompose/refine.ts';
import { sampleProblem } from '../../src/decompose/sampling/sample-vertices.ts';
import { selectSupport } from '../../src/decompose/sampling/select-vertices.ts';
import { contractProblem, decimatedProblem } from '../../src/fit/thesis/decimated.ts';
import { uniformProxyJoints } from '../../src/fit/thesis/proxy-joints.ts';
import { distanceWeights } from '../../src/fit/thesis/weights-distance.ts';
import { readObj } from '../../src/io/read-obj.ts';
import { readPc2 } from '../../src/io/read-pc2.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { neighboursOf } from '../decompose/rigs.ts';
import { realData } from './data.ts';

const AFFINE = affineKind(0);

const { path: data, absent, why } = realData('sequences/');

async function load(
  name: string,
): Promise<{ sequence: MeshSequence; problem: FitProblem; neighbours: VertexNeighbours }> {
  const mesh = await nodeFiles.open(`${data}${name}/rest.obj`);
  const rest = await readObj(mesh);
  await mesh.close();
  const sequence = await readPc2(await nodeFiles.open(`${data}${name}/frames.pc2`), rest);
  const problem = await reduceSequence(sequence, 1e-5);
  await sequence.close?.();
  return { sequence, problem, neighbours: neighboursOf(rest) };
}

describe.skipIf(absent)(`decimated fitting${why}`, () => {
  it.each([
    ['horse-collapse', 'second'],
    ['cloth-vellum', 'optimal'],
  ] as const)(
    'transforms of %s from two fifths of the vertices: at most a tenth more error (%s placement)',
    async (name, placement) => {
      const { sequence, problem, neighbours } = await load(name);
      const bones = 40;
      const support = distanceWeights(sequence.rest, uniformProxyJoints(sequence.rest, bones), 8);
      const near = new Float64Array(4 * bones * problem.rank);
      const errorFrom = (of: FitProblem, weights = support): number => {
        const solved = AFFINE.solve(of, assembleNormalEquations(of, weights, bones), near, 1e-7);
        return Math.sqrt(skinningError(problem, support, AFFINE.frames(problem, solved)));
      };
      const full = errorFrom(problem);
      const guide = { support };
      const { decimation: result } = await contractProblem(problem, sequence.rest.triangles, guide, {
        placement,
        validity: 'same',
      });
      let last = full * (1 - 1e-6);
      for (const keep of [0.8, 0.6, 0.4]) {
        const coarse = await decimatedProblem(problem, neighbours, result, Math.round(keep * problem.vertexCount), {
          support,
        });
        const error = errorFrom(coarse.problem, coarse.support);
        expect(error).toBeGreaterThanOrEqual(last * 0.999);
        expect(error).toBeLessThan(1.1 * full);
        last = error;
      }
    },
  );

  it('a whole fit of cloth-vellum from two fifths of the vertices, or a sample: at most a tenth more error', async () => {
    const { sequence, problem, neighbours } = await load('cloth-vellum');
    const fit = async (of: FitProblem, graph: VertexNeighbours) => {
      const solver = new BoneSolver(plainEngine(of, graph), AFFINE);
      const start = { bones: await splitAndSettle(solver, 20), support: emptySupport(of.vertexCount, 4) };
      return refine(solver, start, { maxIterations: 25, tolerance: 1e-5 });
    };
    const full = await fit(problem, neighbours);
    const count = Math.round(0.4 * problem.vertexCount);
    const { decimation: result } = await contractProblem(problem, sequence.rest.triangles);
    const coarse = await decimatedProblem(problem, neighbours, result, count);
    const sample = await sampleProblem(problem, neighbours, count);
    for (const [part, cellOf] of [
      [coarse, coarse.level.vertexOf],
      [sample, sample.cellOf],
    ] as const) {
      const { bones, support } = await fit(part.problem, part.neighbours);
      // Every vertex starts from the joints of its cell; two rounds on all vertices.
      const start = { bones, support: selectSupport(support, cellOf) };
      const solver = new BoneSolver(plainEngine(problem, neighbours), AFFINE);
      const { error } = await refine(solver, start, { maxIterations: 2, tolerance: 0 });
      expect(Math.sqrt(error)).toBeLessThan(1.1 * Math.sqrt(full.error));
    }
  });
});
