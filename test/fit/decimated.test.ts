import { describe, expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { squaredError } from '../../src/decompose/bones/transforms-per-frame.ts';
import { boneProducts } from '../../src/decompose/engine/bone-products.ts';
import { poseOfFrame, skinningError } from '../../src/decompose/frames.ts';
import { type FitProblem, type Support, supportOf } from '../../src/decompose/problem.ts';
import { selectSupport } from '../../src/decompose/sampling/select-vertices.ts';
import { solveWeights } from '../../src/decompose/weights/weights.ts';
import { contractProblem, decimatedProblem } from '../../src/fit/thesis/decimated.ts';
import { keyPoses, posesOfFrames, restPoseOf } from '../../src/fit/thesis/key-poses.ts';
import { interiorRegions } from '../../src/fit/thesis/proxy-joint-validity.ts';
import { inverseDeformationIndicators } from '../../src/fit/thesis/region-queues.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { decimate } from '../../src/mesh/decimation/decimate.ts';
import { levelOf, PosePlacer } from '../../src/mesh/decimation/levels.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { bake, checkSupport, neighboursOf, problemOf } from '../decompose/rigs.ts';
import { grid, icosphere } from '../mesh/shapes.ts';
import { bendingSheet, noisySheet } from './bending-sheet.ts';

/** Root mean square error, in diagonals, of the full model with given weights and bones (4B × r). */
function rmse(problem: FitProblem, support: Support, bones: Float64Array): number {
  const { rank, rest, z } = problem;
  const k = support.influences;
  let sum = 0;
  for (let i = 0; i < problem.vertexCount; i++) {
    for (let c = 0; c < rank; c++) {
      let residual = z[i * rank + c];
      for (let s = i * k; s < i * k + support.count[i]; s++) {
        for (let d = 0; d < 4; d++) {
          residual -= support.weights[s] * rest[4 * i + d] * bones[(4 * support.joints[s] + d) * rank + c];
        }
      }
      sum += residual * residual;
    }
  }
  return Math.sqrt(sum / (problem.vertexCount * problem.frameCount));
}

const transforms = (problem: FitProblem, support: Support, boneCount: number): Float64Array =>
  solveAffine(
    assembleNormalEquations(problem, support, boneCount),
    new Float64Array(4 * boneCount * problem.rank),
    1e-9,
  );

/** The sets of joints that vertices follow, as text. */
const jointsOf = (support: Support, i: number): string =>
  [...support.joints.slice(i * support.influences, i * support.influences + support.count[i])].sort().join();

describe('key poses', () => {
  it('are all frames, once each, when there are enough', async () => {
    const problem = await problemOf(noisySheet(1));
    const { frames, weights } = keyPoses(problem, 100);
    expect([...frames].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(weights).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('stand for the frames nearest to them, wherever the mesh has moved', async () => {
    const sequence = bendingSheet();
    const first = await sequence.readFrame(0);
    const last = await sequence.readFrame(11);
    // Eight frames of one shape, drifting away, and three of another.
    const shapes = Array.from({ length: 11 }, (_, k) => (k < 8 ? first : last).map((x, c) => x + (c % 3) * k));
    const problem = await problemOf({
      ...sequence,
      frameCount: 11,
      readFrame: async (k) => shapes[k],
    });
    const { frames, weights } = keyPoses(problem, 2);
    expect([frames[0] < 8, frames[1] >= 8]).toEqual([true, true]);
    expect(weights).toEqual([8, 3]);
  });
});

describe('some frames by one product', () => {
  it('are the frames one by one', async () => {
    const problem = await problemOf(noisySheet(4));
    const poses = posesOfFrames(problem, [5, 0, 3]);
    [5, 0, 3].forEach((k, f) => {
      const expected = poseOfFrame(problem, k, new Float64Array(3 * problem.vertexCount));
      expected.forEach((x, c) => {
        expect(poses[f][c]).toBeCloseTo(x, 12);
      });
    });
    expect(posesOfFrames(problem, [])).toEqual([]);
  });
});

describe('the squared error from the normal equations', () => {
  it('is that of skinning every frame, for any bones', async () => {
    const rig = bake(icosphere(2), { bones: 4, shear: 0.2 });
    const problem = await problemOf(rig.sequence);
    const random = seededRandom(6);
    const solved = expandToFrames(problem, transforms(problem, rig.support, 4));
    const bones = solved.map((x) => x + 0.02 * (random() - 0.5));
    const equations = assembleNormalEquations(problem, rig.support, 4);
    const slow = skinningError(problem, rig.support, bones);
    expect(squaredError(problem, equations, bones) / slow).toBeCloseTo(1, 9);
  });
});

describe('contracting a problem', () => {
  it('is contracting the mesh in all its frames, when every frame is a key pose', async () => {
    const sequence = noisySheet(2);
    const problem = await problemOf(sequence);
    const frame = (k: number) => poseOfFrame(problem, k, new Float64Array(3 * problem.vertexCount));
    const poses = [restPoseOf(problem), ...[0, 1, 2, 3, 4, 5].map(frame)];
    const plain = await decimate({ triangles: sequence.rest.triangles, poses }, { keep: 0.5, pointWeight: 0.1 });
    const { decimation: result } = await contractProblem(problem, sequence.rest.triangles, {}, { keep: 0.5, poses: 6 });
    expect(result.removed).toEqual(plain.removed);
    expect(result.into).toEqual(plain.into);
  });

  it('keeps enough vertices for every joint, or merges only those that follow the same ones', async () => {
    const rig = bake(icosphere(3), { bones: 5 });
    const problem = await problemOf(rig.sequence);
    const { support } = rig;
    const enough = await contractProblem(problem, rig.mesh.triangles, { support }, { keep: 0, minVertices: 20 });
    const left = new Set(levelOf(enough.decimation, 0).vertices);
    for (let b = 0; b < 5; b++) {
      const followers = [...left].filter((i) => jointsOf(support, i).split(',').includes(`${b}`));
      expect(followers.length).toBeGreaterThanOrEqual(20);
    }
    expect(enough.report.notes).toEqual([note('fewer-contractions', { vertices: left.size, asked: 0 })]);

    const same = await contractProblem(problem, rig.mesh.triangles, { support }, { keep: 0.3, validity: 'same' });
    expect(same.decimation.removed.length).toBeGreaterThan(300);
    same.decimation.removed.forEach((i, s) => {
      expect(jointsOf(support, i)).toBe(jointsOf(support, same.decimation.into[s]));
    });
  });

  it('keeps the borders of regions, and contracts most where least is deformed', async () => {
    const sequence = bendingSheet(24, 16, 6);
    const { triangles } = sequence.rest;
    const problem = await problemOf(sequence);
    // Left, middle, right; the right third deforms ten times as much as the left one.
    const regionOf = Int32Array.from({ length: triangles.length / 3 }, (_, f) =>
      Math.floor(((Math.floor(f / 2) % 24) * 3) / 24),
    );
    const deformation = Float64Array.from(regionOf, (region) => [0.1, 0.3, 1][region]);
    const interior = interiorRegions(triangles, regionOf, problem.vertexCount);
    expect(interior.filter((region) => region < 0).length).toBe(2 * 17);
    for (const queues of ['global', 'regions'] as const) {
      const guide = { regionOf, deformation };
      const { decimation: result } = await contractProblem(problem, triangles, guide, { keep: 0.6, queues });
      expect(result.removed.length).toBe(170);
      const shares = [0, 0, 0];
      result.removed.forEach((i, s) => {
        expect(interior[i]).toBeGreaterThanOrEqual(0);
        expect(interior[i]).toBe(interior[result.into[s]]);
        shares[interior[i]]++;
      });
      if (queues === 'regions') {
        expect(shares[0]).toBeGreaterThan(shares[1]);
        expect(shares[1]).toBeGreaterThan(shares[2]);
        expect(shares[2]).toBeGreaterThan(0);
      }
    }
  });

  it('ends when regions have nothing left to contract', async () => {
    const sequence = bendingSheet(8, 8, 3);
    const problem = await problemOf(sequence);
    const regionOf = new Int32Array(sequence.rest.triangles.length / 3);
    const { decimation: result } = await contractProblem(
      problem,
      sequence.rest.triangles,
      { regionOf },
      { keep: 0, queues: 'regions' },
    );
    expect(result.removed.length).toBeGreaterThan(40);
    expect(levelOf(result, 0).triangles.length).toBeGreaterThan(0);
  });

  it('refuses queues by region without regions, and regions of another mesh', async () => {
    const sequence = bendingSheet(4, 4, 2);
    const problem = await problemOf(sequence);
    const { triangles } = sequence.rest;
    await expect(contractProblem(problem, triangles, {}, { queues: 'regions' })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
    const regionOf = new Int32Array(3);
    await expect(contractProblem(problem, triangles, { regionOf })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });
});

describe('inverse deformation indicators (4.4)', () => {
  it('run from 0 in the most deformed region to 1 in the least, linear in 1/deformation', () => {
    const indicators = inverseDeformationIndicators(Int32Array.of(0, 1, 1, 2), [1, 0.25, 0.5, 0.1]);
    expect(indicators[0]).toBe(0);
    expect(indicators[1]).toBeCloseTo((2 - 1) / (10 - 1), 12);
    expect(indicators[2]).toBe(1);
  });

  it('are finite without deformation', () => {
    expect([...inverseDeformationIndicators(Int32Array.of(0, 1), [0, 0])]).toEqual([1, 1]);
    expect([...inverseDeformationIndicators(Int32Array.of(0, 1), [0, 5])]).toEqual([1, 0]);
  });
});

describe('a decimated problem', () => {
  it('of a rig gives back its transforms exactly, for the full model too', async () => {
    const rig = bake(icosphere(3), { bones: 4, shear: 0.2 });
    const problem = await problemOf(rig.sequence);
    const neighbours = neighboursOf(rig.mesh);
    const { support } = rig;
    const { decimation: result } = await contractProblem(problem, rig.mesh.triangles, { support }, { keep: 0.2 });
    const z = problem.z.slice();
    for (const keep of [0.8, 0.6, 0.4, 0.2]) {
      const count = Math.round(keep * problem.vertexCount);
      const coarse = await decimatedProblem(problem, neighbours, result, count, { support });
      expect(coarse.problem.vertexCount).toBe(count);
      checkSupport(coarse.support!, 4);
      expect(rmse(problem, support, transforms(coarse.problem, coarse.support!, 4))).toBeLessThan(1e-6);
    }
    expect(problem.z).toEqual(z);
  });

  it('weighs vertices by what was merged into them, and knows their neighbours', async () => {
    const sequence = bendingSheet();
    const n = vertexCount(sequence.rest);
    const problem = await problemOf(sequence);
    const { decimation: result } = await contractProblem(problem, sequence.rest.triangles);
    const neighbours = neighboursOf(sequence.rest);
    const coarse = await decimatedProblem(problem, neighbours, result, 0);
    expect(coarse.problem.mass.reduce((a, b) => a + b, 0)).toBe(n);
    // Neighbours through the cells are neighbours through the triangles.
    const { triangles, vertices } = coarse.level;
    expect(coarse.neighbours).toEqual(neighboursOf({ positions: new Float32Array(3 * vertices.length), triangles }));
  });

  it('with optimal placement has every frame’s own optimum', async () => {
    const sequence = noisySheet(3);
    const problem = await problemOf(sequence); // noise: the basis is complete, nothing is lost by it
    expect(problem.rank).toBe(3 * problem.frameCount);
    const options = { placement: 'optimal', poses: 2 } as const;
    const { decimation: result } = await contractProblem(problem, sequence.rest.triangles, {}, options);
    const coarse = await decimatedProblem(problem, neighboursOf(sequence.rest), result, 0);
    const placer = new PosePlacer(result);
    for (let k = 0; k < problem.frameCount; k++) {
      const frame = poseOfFrame(problem, k, new Float64Array(3 * problem.vertexCount));
      const expected = placer.place(frame, coarse.level);
      const got = poseOfFrame(coarse.problem, k, new Float64Array(expected.length));
      expected.forEach((x, c) => {
        expect(got[c]).toBeCloseTo(x, 9);
      });
    }
    const rest = placer.place(restPoseOf(problem), coarse.level);
    expect(restPoseOf(coarse.problem)).toEqual(rest);
  });

  it('with optimal placement passes on mean weights of at most k joints', async () => {
    const rig = bake(grid(20, 6), { bones: 5 });
    const problem = await problemOf(rig.sequence);
    const { support } = rig;
    const options = { placement: 'optimal', keep: 0.3 } as const;
    const { decimation: result } = await contractProblem(problem, rig.mesh.triangles, { support }, options);
    const coarse = await decimatedProblem(problem, neighboursOf(rig.mesh), result, 0, { support });
    checkSupport(coarse.support!, 5);
    expect(coarse.support!.influences).toBe(2);
  });

  it.each(['second', 'optimal'] as const)(
    'costs little when the model cannot be exact (%s placement)',
    async (placement) => {
      const sequence = bendingSheet(30, 20, 8);
      const problem = await problemOf(sequence);
      const n = problem.vertexCount;
      // Eight bones in two rows, weights from the bones' own best fit: none is exact.
      const clusters = Int32Array.from({ length: n }, (_, i) => {
        const [x, y] = [i % 31, Math.floor(i / 31)];
        return Math.min(3, Math.floor(x / 8)) + 4 * Math.min(1, Math.floor(y / 11));
      });
      const bones = transforms(problem, supportOf(clusters), 8);
      const support = {
        influences: 4,
        count: new Uint8Array(n),
        joints: new Int32Array(4 * n),
        weights: new Float64Array(4 * n),
      };
      solveWeights(problem, boneProducts(bones, problem.rank), support, { exchange: true });
      const full = rmse(problem, support, transforms(problem, support, 8));

      const { decimation: result } = await contractProblem(
        problem,
        sequence.rest.triangles,
        { support },
        { placement, keep: 0.4 },
      );
      const coarse = await decimatedProblem(problem, neighboursOf(sequence.rest), result, 0, { support });
      expect(coarse.problem.vertexCount).toBe(Math.round(0.4 * n));
      const decimated = rmse(problem, support, transforms(coarse.problem, coarse.support!, 8));
      expect(full).toBeGreaterThan(1e-4);
      expect(decimated).toBeGreaterThanOrEqual(full * (1 - 1e-6));
      expect(decimated).toBeLessThan(full * (placement === 'second' ? 1.1 : 2));
    },
  );

  it('hands its weights back to the full model by cells', async () => {
    const rig = bake(icosphere(2), { bones: 3 });
    const problem = await problemOf(rig.sequence);
    const { decimation: result } = await contractProblem(problem, rig.mesh.triangles, { support: rig.support });
    const coarse = await decimatedProblem(problem, neighboursOf(rig.mesh), result, 0, { support: rig.support });
    const back = selectSupport(coarse.support!, coarse.level.vertexOf);
    checkSupport(back, 3);
    coarse.level.vertices.forEach((i) => {
      expect(jointsOf(back, i)).toBe(jointsOf(rig.support, i));
    });
  });

  it('can be cancelled', async () => {
    const sequence = bendingSheet();
    const problem = await problemOf(sequence);
    const { decimation: result } = await contractProblem(
      problem,
      sequence.rest.triangles,
      {},
      { placement: 'optimal' },
    );
    const signal = { aborted: true } as AbortSignal;
    await expect(decimatedProblem(problem, neighboursOf(sequence.rest), result, 0, { signal })).rejects.toThrow(
      expect.objectContaining({ code: 'cancelled' }),
    );
  });
});
