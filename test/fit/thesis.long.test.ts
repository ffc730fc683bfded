import { describe, expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { skinningError } from '../../src/decompose/frames.ts';
import { supportOf } from '../../src/decompose/problem.ts';
import {
  applyCorrections,
  CORRECTION_OPTIONS,
  type CorrectionOptions,
} from '../../src/fit/thesis/corrections/correct.ts';
import { eigenSkin } from '../../src/fit/thesis/corrections/eigen-skin.ts';
import { completeFlatBones } from '../../src/fit/thesis/corrections/flat-bones.ts';
import { decomposeThesis } from '../../src/fit/thesis/thesis.ts';
import { THESIS_OPTIONS, type ThesisOptions } from '../../src/fit/thesis/thesis-options.ts';
import { determinant34 } from '../../src/math/matrix34.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { checkSupport, neighboursOf, problemOf } from '../decompose/rigs.ts';
import { grid, icosphere, moved, rotationOf } from '../mesh/shapes.ts';

/** A sheet that rolls up at its right end and ripples. */
function ripplingSheet(): MeshSequence {
  const mesh = grid(24, 8);
  const frames = Array.from({ length: 8 }, (_, k) =>
    mesh.positions.map((x, c) => {
      const i = c - (c % 3);
      const px = mesh.positions[i];
      const lift = 0.02 * k * Math.max(0, px - 10) ** 1.5;
      return c % 3 === 2 ? lift + 0.05 * k * Math.sin(px + k) : c % 3 === 0 ? px - 0.2 * lift : x;
    }),
  );
  return memorySequence('sheet', mesh, frames);
}

type Settings = Partial<ThesisOptions & CorrectionOptions> & { bones: number; influences?: number };

/** The thesis from joints to corrections. */
const fit = async (sequence: MeshSequence, options: Settings) => {
  const problem = await problemOf(sequence);
  const settings = { influences: 4, ...options };
  const found = await decomposeThesis(sequence, problem, neighboursOf(sequence.rest), settings);
  const corrections = { ...defaultsOf(CORRECTION_OPTIONS), kind: 'affine' as const, seed: 1, ...options };
  return { ...found, ...applyCorrections(problem, found.support, found.frames, corrections) };
};

describe('decomposeThesis', () => {
  const sequence = ripplingSheet();

  it.each([
    { start: 'uniform' },
    { start: 'deformation' },
    { start: 'deformation', startWeights: 'distance' },
    ...THESIS_OPTIONS.clustering.choices.map((clustering) => ({ clustering })),
    ...THESIS_OPTIONS.solver.choices.map((solver) => ({ solver })),
    { correctRestPose: true, correctWeights: true, eigenSkin: 2 },
    { decimate: 0.4 },
    { decimate: 0.4, queues: 'regions', placement: 'optimal' },
  ] as Partial<Settings>[])('%o: as many joints as asked for, and an error worth having', async (options) => {
    const result = await fit(sequence, { bones: 12, ...options });
    expect(result.boneCount).toBe(12);
    checkSupport(result.support, 12);
    expect([...result.frames].every(Number.isFinite)).toBe(true);
    const still = await fit(sequence, { bones: 1 });
    expect(result.error).toBeLessThan(still.error);
    expect(result.notes).toEqual([]);
  });

  it('corrections only lower the error', async () => {
    const plain = await fit(sequence, { bones: 8 });
    const weights = await fit(sequence, { bones: 8, correctWeights: true });
    const both = await fit(sequence, { bones: 8, correctWeights: true, correctRestPose: true });
    const all = await fit(sequence, { bones: 8, correctWeights: true, correctRestPose: true, eigenSkin: 3 });
    expect(weights.error).toBeLessThan(plain.error);
    expect(both.error).toBeLessThan(weights.error);
    expect(all.error).toBeLessThan(both.error);
    expect(all.eigenSkin?.fieldCount).toBe(3);
  });

  it('the same seed gives the same bytes', async () => {
    const [a, b] = [await fit(sequence, { bones: 9 }), await fit(sequence, { bones: 9 })];
    expect(a.frames).toEqual(b.frames);
    expect(a.support).toEqual(b.support);
  });

  it('rigid motion is fitted exactly, whatever the joints', async () => {
    const mesh = icosphere(1);
    const frames = [0.3, 0.9].map((angle) => moved(mesh.positions, rotationOf([1, 0, 2], angle), 1, [1, 2, 3]));
    for (const start of ['uniform', 'deformation'] as const) {
      const { error } = await fit(memorySequence('rigid', mesh, frames), { bones: 5, start });
      expect(Math.sqrt(error / (2 * 42))).toBeLessThan(1e-6);
    }
  });

  it.each([
    ['one triangle', { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: Uint32Array.of(0, 1, 2) }],
    ['no triangle', { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: new Uint32Array(0) }],
    [
      'a degenerate triangle and an isolated vertex',
      { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 5, 5]), triangles: Uint32Array.of(0, 1, 2) },
    ],
  ] as [string, Mesh][])('%s, more joints than vertices: a result without NaN', async (_, mesh) => {
    const sequence = memorySequence('tiny', mesh, [mesh.positions.map((x) => 2 * x + 1)]);
    const result = await fit(sequence, { bones: 9, correctRestPose: true, correctWeights: true, eigenSkin: 1 });
    checkSupport(result.support, result.boneCount);
    expect([...result.frames, ...result.problem.rest].every(Number.isFinite)).toBe(true);
    expect(result.error).toBeLessThan(1e-9);
  });
});

describe('flat bones', () => {
  it('get a third dimension without moving a vertex, and EigenSkin can use it', async () => {
    const sequence = ripplingSheet();
    const problem = await problemOf(sequence);
    const support = supportOf(Int32Array.from({ length: problem.vertexCount }, (_, i) => ((i % 25) / 9) | 0));
    const equations = assembleNormalEquations(problem, support, 3);
    const bones = expandToFrames(problem, solveAffine(equations, new Float64Array(12 * problem.rank), 1e-9));
    const complete = completeFlatBones(problem, support, bones);
    const before = skinningError(problem, support, bones);
    expect(skinningError(problem, support, complete)).toBeCloseTo(before, 9);

    const determinant = (of: Float64Array): number => {
      const columns = 3 * problem.frameCount;
      return determinant34(Float64Array.from({ length: 12 }, (_, c) => of[(c % 4) * columns + Math.floor(c / 4)]));
    };
    expect(Math.abs(determinant(bones))).toBeLessThan(1e-6);
    expect(Math.abs(determinant(complete))).toBeGreaterThan(0.1);
    expect(eigenSkin(problem, support, complete, 4).error).toBeLessThan(
      0.2 * eigenSkin(problem, support, bones, 4).error,
    );
  });
});
