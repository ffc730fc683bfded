import { describe, expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { pCenters } from '../../src/decompose/clustering/p-center.ts';
import { spectralClustering } from '../../src/decompose/clustering/spectral.ts';
import { skinningError } from '../../src/decompose/frames.ts';
import { type FitProblem, supportOf, type VertexNeighbours } from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { facetsOf } from '../../src/fit/thesis/clustering/facets.ts';
import {
  applyCorrections,
  CORRECTION_OPTIONS,
  type CorrectionOptions,
} from '../../src/fit/thesis/corrections/correct.ts';
import { decomposeThesis } from '../../src/fit/thesis/thesis.ts';
import type { ThesisOptions } from '../../src/fit/thesis/thesis-options.ts';
import { readObj } from '../../src/io/read-obj.ts';
import { readPc2 } from '../../src/io/read-pc2.ts';
import { defaultsOf } from '../../src/model/options.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { checkSupport, neighboursOf } from '../decompose/rigs.ts';
import { realData } from './data.ts';

const { path: data, absent, why } = realData('sequences/');

interface Loaded {
  sequence: MeshSequence;
  problem: FitProblem;
  neighbours: VertexNeighbours;
}

async function load(name: string): Promise<Loaded> {
  const mesh = await nodeFiles.open(`${data}${name}/rest.obj`);
  const rest = await readObj(mesh);
  await mesh.close();
  const sequence = await readPc2(await nodeFiles.open(`${data}${name}/frames.pc2`), rest);
  return {
    sequence,
    problem: await reduceSequence(sequence, 1e-5),
    neighbours: neighboursOf(rest),
  };
}

const percent = ({ problem }: Loaded, error: number): number =>
  100 * Math.sqrt(error / (problem.vertexCount * problem.frameCount));

/** Fits by the thesis; the result gives the error that is left with some corrections. */
async function fitted(
  loaded: Loaded,
  options: Partial<ThesisOptions>,
  influences = 4,
): Promise<(corrections?: Partial<CorrectionOptions>) => number> {
  const { sequence, problem, neighbours } = loaded;
  const fit = await decomposeThesis(sequence, problem, neighbours, { bones: 30, influences, ...options });
  return (given) => {
    const corrections = { ...defaultsOf(CORRECTION_OPTIONS), kind: 'affine' as const, seed: 1, ...given };
    const corrected = applyCorrections(problem, fit.support, fit.frames, corrections);
    checkSupport(corrected.support, 30);
    return percent(loaded, corrected.error);
  };
}

const corrected = { correctWeights: true, correctRestPose: true };

// Errors in % of the diagonal as measured when written, 30 joints; a tenth more is a failure.
describe.skipIf(absent)(`the thesis on real sequences${why}`, () => {
  it.each([
    [
      'horse-collapse',
      { uniform: 0.724, deformation: 0.934, uniformCorrected: 0.38, deformationCorrected: 0.202, fields: 0.16 },
    ],
    [
      'cloth-vellum',
      { uniform: 0.32, deformation: 0.536, uniformCorrected: 0.182, deformationCorrected: 0.061, fields: 0.03 },
    ],
  ])('%s', async (name, expected) => {
    const loaded = await load(name);
    const uniform = await fitted(loaded, { start: 'uniform' });
    const got = {
      uniform: uniform(),
      deformation: (await fitted(loaded, {}))(),
      uniformCorrected: uniform(corrected),
      deformationCorrected: (await fitted(loaded, {}, 16))(corrected),
      fields: uniform({ ...corrected, eigenSkin: 8 }),
    };
    for (const key of Object.keys(expected) as (keyof typeof got)[]) {
      expect(got[key], key).toBeLessThan(1.1 * expected[key]);
    }
    await loaded.sequence.close?.();
  });

  it('spectral clusters of a gallop follow its limbs better than clusters of place alone', async () => {
    const loaded = await load('horse-gallop');
    const { sequence, problem } = loaded;
    const facets = facetsOf(sequence.rest, []);
    const errorWith = (clusters: Int32Array): number => {
      const clusterOfVertex = new Int32Array(problem.vertexCount);
      sequence.rest.triangles.forEach((i, corner) => {
        clusterOfVertex[i] = clusters[Math.floor(corner / 3)];
      });
      const support = supportOf(clusterOfVertex);
      const zeros = new Float64Array(80 * problem.rank);
      const bones = expandToFrames(problem, solveAffine(assembleNormalEquations(problem, support, 20), zeros, 1e-9));
      return percent(loaded, skinningError(problem, support, bones));
    };
    const spectral = errorWith(await spectralClustering(sequence, facets, 20));
    expect(spectral).toBeLessThan(0.95);
    expect(spectral).toBeLessThan(errorWith(pCenters({ ...facets, positions: facets.centroids }, 20).clusterOf));
    await sequence.close?.();
  });
});
