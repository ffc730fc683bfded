import { describe, expect, it } from 'vitest';
import {
  emptySupport,
  type FitProblem,
  HOMOGENEOUS,
  type Support,
  supportOf,
  type VertexNeighbours,
} from '../../src/fit/problem.ts';
import { reduceSequence } from '../../src/fit/reduce.ts';
import { AFFINE, RIGID, TRS, type TrsBones } from '../../src/fit/solver/bone-kinds.ts';
import { type BoneProducts, boneProducts } from '../../src/fit/solver/bone-products.ts';
import { decompose } from '../../src/fit/solver/decompose.ts';
import { plainEngine } from '../../src/fit/solver/engine.ts';
import { splitAndSettle } from '../../src/fit/solver/initialize.ts';
import { kernelEngine } from '../../src/fit/solver/kernel-engine.ts';
import { assembleNormalEquations } from '../../src/fit/solver/normal-equations.ts';
import { refine } from '../../src/fit/solver/refine.ts';
import { removalCosts } from '../../src/fit/solver/removal.ts';
import { expandToFrames, projectToBasis } from '../../src/fit/solver/transforms-per-frame.ts';
import { solveWeights } from '../../src/fit/solver/weights.ts';
import { determinant34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { meshEdges, vertexNeighbours } from '../../src/mesh/adjacency.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { bendingSheet, noisySheet } from './bending-sheet.ts';

const allFrames = (sequence: MeshSequence) => Array.from({ length: sequence.frameCount }, (_, k) => k);
const problemOf = (sequence: MeshSequence, tolerance = 1e-9) =>
  reduceSequence(sequence, allFrames(sequence), tolerance);
const neighboursOf = (sequence: MeshSequence): VertexNeighbours => {
  const n = sequence.rest.positions.length / 3;
  return vertexNeighbours(meshEdges(sequence.rest.triangles, n), n);
};

/** 3N positions turned about the z axis. */
const turned = (positions: Float32Array, angle: number): Float32Array =>
  positions.map((x, c) => {
    const other = positions[c % 3 === 0 ? c + 1 : c - 1];
    if (c % 3 === 2) return x;
    return Math.cos(angle) * x + (c % 3 === 0 ? -1 : 1) * Math.sin(angle) * other;
  });

/** Squared error of vertex i for given weights, by the definition: |z − Σ w·M·ṽ|². */
function errorOf(problem: FitProblem, bones: Float64Array, i: number, joints: number[], weights: number[]): number {
  const { rank, z, rest } = problem;
  let sum = 0;
  for (let x = 0; x < rank; x++) {
    let residual = z[i * rank + x];
    joints.forEach((b, s) => {
      for (let c = 0; c < 4; c++) residual -= weights[s] * rest[4 * i + c] * bones[(4 * b + c) * rank + x];
    });
    sum += residual * residual;
  }
  return sum;
}

/** The best convex weights on `joints`, by a fine projected gradient descent: slow and obvious. */
function slowWeights(problem: FitProblem, bones: Float64Array, i: number, joints: number[]): number {
  const k = joints.length;
  const at = (w: number[]) => errorOf(problem, bones, i, joints, w);
  let w = joints.map(() => 1 / k);
  let best = at(w);
  for (let step = 0.5; step > 1e-9; ) {
    let improved = false;
    for (let from = 0; from < k; from++) {
      for (let to = 0; to < k; to++) {
        const t = Math.min(step, w[from]);
        if (from === to || t === 0) continue;
        const trial = w.map((x, s) => x + (s === to ? t : 0) - (s === from ? t : 0));
        const value = at(trial);
        if (value < best) {
          best = value;
          w = trial;
          improved = true;
        }
      }
    }
    if (!improved) step /= 2;
  }
  return best;
}

function randomBones(problem: FitProblem, count: number, seed: number): Float64Array {
  // Near the identity, so that several bones are needed and none is absurd.
  const random = seededRandom(seed);
  const { rank, basis, frameCount } = problem;
  const full = new Float64Array(4 * count * 3 * frameCount);
  for (let b = 0; b < count; b++) {
    for (let c = 0; c < 4; c++) {
      for (let k = 0; k < frameCount; k++) {
        for (let d = 0; d < 3; d++) {
          full[(4 * b + c) * 3 * frameCount + 3 * k + d] = (c === d ? 1 : 0) + 0.4 * (random() - 0.5);
        }
      }
    }
  }
  expect(basis.length).toBe(3 * frameCount * rank);
  return projectToBasis(problem, full);
}

const expectClose = (a: Float64Array, b: Float64Array, tolerance = 1e-9): void => {
  expect(a.length).toBe(b.length);
  expect(a.reduce((worst, x, c) => Math.max(worst, Math.abs(x - b[c])), 0)).toBeLessThan(tolerance);
};

function expectConvex(support: Support, bones: number): void {
  const k = support.influences;
  for (let i = 0; i < support.count.length; i++) {
    const used = support.count[i];
    expect(used).toBeGreaterThan(0);
    const joints = Array.from(support.joints.subarray(i * k, i * k + used));
    expect(new Set(joints).size).toBe(used);
    expect(Math.max(...joints)).toBeLessThan(bones);
    const weights = Array.from(support.weights.subarray(i * k, i * k + used));
    expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    expect(weights.reduce((x, y) => x + y)).toBeCloseTo(1, 9);
  }
}

describe('reduceSequence', () => {
  it('gives back every frame through its basis, whatever the block size', async () => {
    const sequence = bendingSheet(8, 5, 40);
    const problem = await problemOf(sequence);
    const { rank, basis, z, centre, diagonal } = problem;
    for (const k of [0, 17, 39]) {
      const frame = await sequence.readFrame(k);
      for (let i = 0; i < problem.vertexCount; i += 7) {
        for (let c = 0; c < 3; c++) {
          let value = 0;
          for (let x = 0; x < rank; x++) value += basis[(3 * k + c) * rank + x] * z[i * rank + x];
          expect(value * diagonal + centre[c]).toBeCloseTo(frame[3 * i + c], 6);
        }
      }
    }
    expect(rank).toBeLessThan(120);
  });

  it('discards no more than it may', async () => {
    const sequence = noisySheet(3);
    for (const tolerance of [1e-4, 1e-3, 1e-2]) {
      const problem = await problemOf(sequence, tolerance);
      expect(Math.sqrt(problem.discarded / (problem.vertexCount * problem.frameCount))).toBeLessThanOrEqual(tolerance);
    }
    expect((await problemOf(sequence, 1e-2)).rank).toBeLessThan((await problemOf(sequence, 1e-4)).rank);
  });

  it('has an orthonormal basis', async () => {
    const { rank, basis } = await problemOf(noisySheet(4));
    for (let a = 0; a < rank; a++) {
      for (let b = 0; b <= a; b++) {
        let dot = 0;
        for (let row = 0; row < basis.length / rank; row++) dot += basis[row * rank + a] * basis[row * rank + b];
        expect(dot).toBeCloseTo(a === b ? 1 : 0, 9);
      }
    }
  });
});

describe('solveWeights', () => {
  it('finds the optimum on each support, and on nearly every vertex the best of all supports', async () => {
    const problem = await problemOf(noisySheet(5, 6, 4));
    const bones = randomBones(problem, 6, 8);
    const support = emptySupport(problem.vertexCount, 3);
    const errors = new Float64Array(problem.vertexCount);
    const total = solveWeights(problem, boneProducts(bones, problem.rank), support, { exchange: true, errors });
    expectConvex(support, 6);
    let best = 0;
    let sum = 0;
    for (let i = 0; i < problem.vertexCount; i++) {
      const own = Array.from(support.joints.subarray(3 * i, 3 * i + support.count[i]));
      const weights = Array.from(support.weights.subarray(3 * i, 3 * i + support.count[i]));
      const value = errorOf(problem, bones, i, own, weights);
      expect(value).toBeCloseTo(errors[i], 7);
      expect(value).toBeLessThanOrEqual(slowWeights(problem, bones, i, own) * (1 + 1e-6) + 1e-12);
      sum += value;
      let global = Infinity;
      for (let a = 0; a < 6; a++) {
        for (let b = a + 1; b < 6; b++) {
          for (let c = b + 1; c < 6; c++) global = Math.min(global, slowWeights(problem, bones, i, [a, b, c]));
        }
      }
      if (value <= global * (1 + 1e-5) + 1e-12) best++;
    }
    expect(sum).toBeCloseTo(total, 7);
    expect(best / problem.vertexCount).toBeGreaterThan(0.9);
  });

  it('never gets worse when it runs again, and takes over better neighbours', async () => {
    const sequence = bendingSheet();
    const problem = await problemOf(sequence);
    const products = boneProducts(randomBones(problem, 9, 2), problem.rank);
    const support = emptySupport(problem.vertexCount, 4);
    const first = solveWeights(problem, products, support, { exchange: true });
    const second = solveWeights(problem, products, support, { exchange: true, neighbours: neighboursOf(sequence) });
    expect(second).toBeLessThanOrEqual(first * (1 + 1e-9));
  });

  it.each([
    ['bones that all agree', 0],
    ['bones far from everything', 50],
  ])('copes with %s', async (_, scale) => {
    const problem = await problemOf(bendingSheet(5, 4, 3));
    const one = randomBones(problem, 1, 3);
    const bones = new Float64Array(5 * one.length);
    for (let b = 0; b < 5; b++)
      bones.set(
        one.map((x) => x + scale),
        b * one.length,
      );
    const support = emptySupport(problem.vertexCount, 4);
    expect(solveWeights(problem, boneProducts(bones, problem.rank), support, { exchange: true })).not.toBeNaN();
    expectConvex(support, 5);
  });
});

describe('removalCosts', () => {
  it('are what removing a bone and solving again on the other bones of each support costs', async () => {
    const problem = await problemOf(noisySheet(9, 6, 4));
    const bones = randomBones(problem, 5, 4);
    const products = boneProducts(bones, problem.rank);
    const support = emptySupport(problem.vertexCount, 2);
    const before = solveWeights(problem, products, support, { exchange: true });
    const costs = removalCosts(problem, products, support);
    for (let bone = 0; bone < 5; bone++) {
      let after = 0;
      for (let i = 0; i < problem.vertexCount; i++) {
        const own = Array.from(support.joints.subarray(2 * i, 2 * i + support.count[i]));
        const rest = own.filter((b) => b !== bone);
        const choices = rest.length > 0 ? [rest] : [0, 1, 2, 3, 4].filter((b) => b !== bone).map((b) => [b]);
        after += Math.min(...choices.map((joints) => slowWeights(problem, bones, i, joints)));
      }
      expect(costs[bone]).toBeCloseTo(after - before, 7);
    }
  });
});

describe('normal equations', () => {
  it('are XᵀX and XᵀZ of the matrix they stand for', async () => {
    const problem = await problemOf(noisySheet(6, 5, 3, 4));
    const count = 4;
    const support = emptySupport(problem.vertexCount, 3);
    solveWeights(problem, boneProducts(randomBones(problem, count, 5), problem.rank), support, { exchange: true });
    const { h, r } = assembleNormalEquations(problem, support, count);
    const row = (i: number) => {
      const x = new Float64Array(4 * count);
      for (let s = 0; s < support.count[i]; s++) {
        for (let c = 0; c < 4; c++) {
          x[4 * support.joints[3 * i + s] + c] += support.weights[3 * i + s] * problem.rest[4 * i + c];
        }
      }
      return x;
    };
    const rows = Array.from({ length: problem.vertexCount }, (_, i) => row(i));
    for (let a = 0; a < 4 * count; a++) {
      for (let b = 0; b < 4 * count; b++) {
        expect(h[a * 4 * count + b]).toBeCloseTo(
          rows.reduce((sum, x) => sum + x[a] * x[b], 0),
          9,
        );
      }
      for (let c = 0; c < problem.rank; c++) {
        const expected = rows.reduce((sum, x, i) => sum + x[a] * problem.z[i * problem.rank + c], 0);
        expect(r[a * problem.rank + c]).toBeCloseTo(expected, 9);
      }
    }
  });
});

describe('the kernel engine', () => {
  it.each([
    [1, 4],
    [2, 2],
    [5, 4],
    [8, 8],
    [13, 1],
  ])('agrees with the plain one for %i bones and %i influences', async (bones, influences) => {
    const sequence = bendingSheet(11, 7, 5);
    const problem = await problemOf(sequence);
    problem.mass.forEach((_, i, mass) => {
      mass[i] = 1 + (i % 3);
    });
    const neighbours = neighboursOf(sequence);
    const products = boneProducts(randomBones(problem, bones, 11), problem.rank);
    const plain = plainEngine(problem);
    const kernel = kernelEngine(problem, { neighbours, maxBones: bones + 2, maxInfluences: influences });
    const a = emptySupport(problem.vertexCount, influences);
    const b = emptySupport(problem.vertexCount, influences);
    for (const pass of [{ exchange: true }, { exchange: true, neighbours }, { exchange: false }]) {
      const slow = await plain.solveWeights(products, a, pass);
      const fast = await kernel.solveWeights(products, b, pass);
      expect(fast).toBeCloseTo(slow, 9);
      expectConvex(b, bones);
    }
    const slowSums = await plain.normalEquations(b, bones);
    const fastSums = await kernel.normalEquations(b, bones);
    expectClose(fastSums.h, slowSums.h);
    expectClose(fastSums.r, slowSums.r);
    const [assignedA, assignedB] = [new Int32Array(problem.vertexCount), new Int32Array(problem.vertexCount)];
    const [errorsA, errorsB] = [new Float64Array(problem.vertexCount), new Float64Array(problem.vertexCount)];
    await plain.assign(products, assignedA, errorsA);
    await kernel.assign(products, assignedB, errorsB);
    expect(Array.from(assignedB)).toEqual(Array.from(assignedA));
    expectClose(errorsB, errorsA);
    kernel.dispose();
  });
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
    return { problem, engine: plainEngine(problem), neighbours: neighboursOf(sequence) };
  };

  it('refinement lowers the error, and affine ≤ trs ≤ rigid', async () => {
    const { problem, engine, neighbours } = await start(bendingSheet());
    const errors: number[] = [];
    for (const kind of [AFFINE, TRS, RIGID] as const) {
      // biome-ignore lint/suspicious/noExplicitAny: the three kinds keep their bones differently
      const any = kind as any;
      const bones = await splitAndSettle(engine, any, neighbours, 5);
      const support = emptySupport(problem.vertexCount, 4);
      const first = await engine.solveWeights(any.products(problem, bones) as BoneProducts, support, {
        exchange: true,
      });
      const options = { maxIterations: 40, tolerance: 1e-6 };
      const { error } = await refine(engine, any, bones, support, neighbours, options);
      expect(error).toBeLessThan(first);
      errors.push(error);
    }
    expect(errors[0]).toBeLessThan(errors[1]);
    expect(errors[1]).toBeLessThan(errors[2]);
  });

  it('rigid bones are rotations, TRS bones have orthogonal columns along constant axes', async () => {
    const { problem, engine, neighbours } = await start(bendingSheet());
    const rigid = await splitAndSettle(engine, RIGID, neighbours, 4);
    const trs = await splitAndSettle(engine, TRS, neighbours, 4);
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
    const { problem, engine, neighbours } = await start(bendingSheet());
    let bones = await splitAndSettle(engine, TRS, neighbours, 4);
    const assignment = new Int32Array(problem.vertexCount);
    await engine.assign(TRS.products(problem, bones), assignment, new Float64Array(problem.vertexCount));
    const idle = assignment.map((b) => (b === 2 ? 1 : b));
    const equations = assembleNormalEquations(problem, supportOf(idle), 4);
    for (let step = 0; step < 4; step++) bones = TRS.solve(problem, equations, bones, 1e-7);
    expectAxes(bones, 3 * problem.frameCount);
  });

  it('stops splitting where fewer bones leave no error', async () => {
    const sheet = bendingSheet();
    const { problem, engine, neighbours } = await start(
      memorySequence(
        'turning',
        sheet.rest,
        [0.2, 0.9].map((angle) => turned(sheet.rest.positions, angle)),
      ),
    );
    for (const kind of [AFFINE, RIGID]) {
      expect(kind.count(problem, await splitAndSettle(engine, kind, neighbours, 6))).toBe(1);
    }
    expect(TRS.count(problem, await splitAndSettle(engine, TRS, neighbours, 6))).toBe(1);
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
      const { error } = await decompose(problem, neighboursOf(sequence), settings);
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
    const a = await decompose(await problemOf(sequence), neighboursOf(sequence), settings);
    const b = await decompose(await problemOf(moved), neighboursOf(sequence), settings);
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
    const found = await decompose(problem, neighboursOf(sequence), settings);
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
