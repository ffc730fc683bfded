import { describe, expect, it } from 'vitest';
import { BoneSolver } from '../../src/decompose/bone-solver.ts';
import { expandToFrames, projectToBasis } from '../../src/decompose/bones/bone-frames.ts';
import { affineKind, type BoneKind, RIGID, type TrsBones, trsKind } from '../../src/decompose/bones/bone-kinds.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { decompose } from '../../src/decompose/decompose.ts';
import { plainEngine } from '../../src/decompose/engine/engine.ts';
import { splitAndSettle } from '../../src/decompose/placing/initialize.ts';
import { emptySupport, HOMOGENEOUS, supportOf } from '../../src/decompose/problem.ts';
import { refine } from '../../src/decompose/refine.ts';
import { determinant34 } from '../../src/math/matrix34.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { bendingSheet, noisySheet } from '../fit/bending-sheet.ts';
import { expectClose, expectConvex, randomBones } from './problems.ts';
import { neighboursOf, problemOf } from './rigs.ts';

const AFFINE = affineKind(0);
const TRS = trsKind(0);

/** 3N positions turned about the z axis. */
const turned = (positions: Float32Array, angle: number): Float32Array =>
  positions.map((x, c) => {
    const other = positions[c % 3 === 0 ? c + 1 : c - 1];
    if (c % 3 === 2) return x;
    return Math.cos(angle) * x + (c % 3 === 0 ? -1 : 1) * Math.sin(angle) * other;
  });

describe('kinds of bones', () => {
  /** 3 × 3, row-major: the linear part of bone b in frame k of bones in frames (4B × 3P). */
  const linearOf = (frames: Float64Array, columns: number, b: number, k: number) =>
    Float64Array.from({ length: 9 }, (_, e) => frames[(4 * b + (e % 3)) * columns + 3 * k + Math.floor(e / 3)]);
  /** The columns of A·V are orthogonal in every frame of every bone. */
  const expectAxes = ({ frames, axes }: TrsBones, columns: number) => {
    for (let b = 0; b < axes.length / 9; b++) {
      for (let k = 0; k < columns / 3; k++) {
        const a = linearOf(frames, columns, b, k);
        const v = axes.subarray(9 * b, 9 * b + 9);
        const av = (col: number) =>
          [0, 1, 2].map((row) => a[3 * row] * v[col] + a[3 * row + 1] * v[3 + col] + a[3 * row + 2] * v[6 + col]);
        const dot = (x: number[], y: number[]) => x.reduce((sum, value, c) => sum + value * y[c], 0);
        for (const [p, q] of [
          [0, 1],
          [0, 2],
          [1, 2],
        ])
          expect(dot(av(p), av(q))).toBeCloseTo(0, 9);
      }
    }
  };

  const start = async (sequence: MeshSequence) => {
    const problem = await problemOf(sequence);
    const engine = plainEngine(problem, neighboursOf(sequence.rest));
    return { problem, engine, rigid: new BoneSolver(engine, RIGID), trs: new BoneSolver(engine, TRS) };
  };

  it('refinement lowers the error, and affine ≤ trs ≤ rigid', async () => {
    const { problem, engine } = await start(bendingSheet());
    const errors: number[] = [];
    for (const kind of [AFFINE, TRS, RIGID] as const) {
      // biome-ignore lint/suspicious/noExplicitAny: the three kinds keep their bones differently
      const solver = new BoneSolver(engine, kind as BoneKind<any>);
      const bones = await splitAndSettle(solver, 5);
      const support = emptySupport(problem.vertexCount, 4);
      const first = await solver.solveWeights(bones, support, { exchange: true });
      const options = { maxIterations: 40, tolerance: 1e-6 };
      const { error } = await refine(solver, { bones, support }, options);
      expect(error).toBeLessThan(first);
      errors.push(error);
    }
    expect(errors[0]).toBeLessThan(errors[1]);
    expect(errors[1]).toBeLessThan(errors[2]);
  });

  it('rigid bones are rotations, TRS bones have orthogonal columns along constant axes', async () => {
    const { problem, ...solvers } = await start(bendingSheet());
    const rigid = await splitAndSettle(solvers.rigid, 4);
    const trs = await splitAndSettle(solvers.trs, 4);
    const columns = 3 * problem.frameCount;
    for (let b = 0; b < 4; b++) {
      for (let k = 0; k < problem.frameCount; k++) {
        const r = linearOf(rigid, columns, b, k);
        const m34 = [r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0];
        expect(determinant34(m34)).toBeCloseTo(1, 9);
      }
    }
    expectAxes(trs, columns);
  });

  it('TRS bones that no vertex follows keep their axes with their frames', async () => {
    const { problem, engine, trs } = await start(bendingSheet());
    let bones = await splitAndSettle(trs, 4);
    const assignment = new Int32Array(problem.vertexCount);
    await engine.assign(TRS.products(problem, bones), assignment, new Float64Array(problem.vertexCount));
    const idle = assignment.map((b) => (b === 2 ? 1 : b));
    const equations = assembleNormalEquations(problem, supportOf(idle), 4);
    for (let step = 0; step < 4; step++) bones = TRS.solve(problem, equations, bones, 1e-7);
    expectAxes(bones, 3 * problem.frameCount);
  });

  it('stops splitting where fewer bones leave no error', async () => {
    const sheet = bendingSheet();
    const { engine, rigid, trs } = await start(
      memorySequence(
        'turning',
        sheet.rest,
        [0.2, 0.9].map((angle) => turned(sheet.rest.positions, angle)),
      ),
    );
    for (const solver of [new BoneSolver(engine, AFFINE), rigid]) {
      expect(solver.count(await splitAndSettle(solver, 6))).toBe(1);
    }
    expect(trs.count(await splitAndSettle(trs, 6))).toBe(1);
  });

  it('expanding to frames and projecting back is the identity', async () => {
    const { problem } = await start(noisySheet(2));
    const bones = randomBones(problem, 3, 1);
    const back = projectToBasis(problem, expandToFrames(problem, bones));
    expectClose(back, bones);
  });
});

describe('decompose', () => {
  it('finds a baked rig again', async () => {
    // Three rigid bones with smooth weights move a sheet; as many bones of any kind reproduce it.
    const sequence = await bakedRig();
    const problem = await problemOf(sequence);
    for (const kind of ['rigid', 'trs', 'affine'] as const) {
      const settings = {
        bones: 3,
        kind,
        influences: 3,
        iterations: 100,
        tolerance: 1e-6,
        moves: 0,
        sample: 4000,
        rigidity: 0,
        steadiness: 0,
        weightLevels: 0,
      };
      const { error } = await decompose(problem, neighboursOf(sequence.rest), settings);
      expect(100 * Math.sqrt(error / (problem.vertexCount * problem.frameCount))).toBeLessThan(0.03);
    }
  });

  it('is the same whether it is moved, turned or scaled', async () => {
    const sequence = bendingSheet();
    const move = (p: Float32Array) => {
      const out = new Float32Array(p.length);
      for (let i = 0; i < p.length; i += 3) {
        out[i] = 100 * p[i + 1] + 7;
        out[i + 1] = 100 * p[i + 2] - 30;
        out[i + 2] = 100 * p[i] + 2;
      }
      return out;
    };
    const moved: MeshSequence = {
      ...sequence,
      rest: { ...sequence.rest, positions: move(sequence.rest.positions) },
      readFrame: async (k) => move(await sequence.readFrame(k)),
    };
    const settings = {
      bones: 4,
      kind: 'affine',
      influences: 4,
      iterations: 10,
      tolerance: 0,
      moves: 0,
      sample: 4000,
      rigidity: 0,
      steadiness: 0,
      weightLevels: 0,
    } as const;
    const a = await decompose(await problemOf(sequence), neighboursOf(sequence.rest), settings);
    const b = await decompose(await problemOf(moved), neighboursOf(sequence.rest), settings);
    expect(b.error / a.error).toBeCloseTo(1, 2);
  });

  it.each([
    ['more bones than vertices', 200, 4],
    ['one bone', 1, 4],
    ['one influence', 4, 1],
  ])('copes with %s', async (_, bones, influences) => {
    const sequence = bendingSheet(3, 2, 2);
    const problem = await problemOf(sequence);
    const settings = {
      bones,
      kind: 'trs',
      influences,
      iterations: 5,
      tolerance: 0,
      moves: 3,
      sample: 4000,
      rigidity: 0,
      steadiness: 0,
      weightLevels: 0,
    } as const;
    const found = await decompose(problem, neighboursOf(sequence.rest), settings);
    expect(found.boneCount).toBeLessThanOrEqual(Math.min(bones, problem.vertexCount));
    expect(found.error).toBeGreaterThanOrEqual(0);
    expect(found.frames.every(Number.isFinite)).toBe(true);
    expectConvex(found.support, found.boneCount);
  });
});

/** Three bones along x that turn against each other; rigid in the middle of each, blended in between. */
async function bakedRig(): Promise<MeshSequence> {
  const clean = bendingSheet(24, 6, 10);
  const { positions } = clean.rest;
  const n = positions.length / 3;
  const ramp = (x: number) => Math.min(1, Math.max(0, x));
  return {
    ...clean,
    async readFrame(k) {
      const out = new Float32Array(3 * n);
      for (let i = 0; i < n; i++) {
        const [x, y] = [positions[3 * i], positions[3 * i + 1]];
        const [first, second] = [ramp((x - 0.25) / 0.15), ramp((x - 0.6) / 0.15)];
        [1 - first, first - second, second].forEach((w, b) => {
          const angle = 0.5 * (b - 1) * Math.sin(1 + k + b);
          const px = x - b / 2;
          out[3 * i] += w * (Math.cos(angle) * px + b / 2);
          out[3 * i + 1] += w * (y + 0.02 * k * (b - 1));
          out[3 * i + 2] += w * Math.sin(angle) * px;
        });
      }
      return out;
    },
  };
}

it('the homogeneous coordinate is part of every rest vector', async () => {
  const { rest } = await problemOf(bendingSheet(3, 2, 2));
  expect(rest[3]).toBe(HOMOGENEOUS);
});
