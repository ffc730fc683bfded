import { Matrix, solve } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { poseOfFrame, skinningError } from '../../src/decompose/frames.ts';
import { type FitProblem, type Support, supportOf } from '../../src/decompose/problem.ts';
import { solveDualQuaternions } from '../../src/fit/thesis/transforms-dual-quaternion.ts';
import { solveAffineLsqr } from '../../src/fit/thesis/transforms-lsqr.ts';
import { matrix34FromDual } from '../../src/math/dual-quaternion.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { bake, bonesOf, chainWeights, lbs, problemOf } from '../decompose/rigs.ts';
import { icosphere, moved, rotationOf } from '../mesh/shapes.ts';

const mesh = icosphere(2);
const largest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (x, c) => Math.abs(x - b[c])).reduce((x, y) => Math.max(x, y), 0);

/** The pose that dual quaternions, 8B numbers, blend to: (3.10), 3N. */
function dualQuaternionPose({ vertexCount, rest }: FitProblem, support: Support, frame: Float64Array): Float64Array {
  const out = new Float64Array(3 * vertexCount);
  const k = support.influences;
  const m = new Float64Array(12);
  for (let i = 0; i < vertexCount; i++) {
    const blended = new Float64Array(8);
    for (let s = i * k; s < i * k + support.count[i]; s++) {
      for (let c = 0; c < 8; c++) blended[c] += support.weights[s] * frame[8 * support.joints[s] + c];
    }
    matrix34FromDual(m, 0, blended, 0);
    for (let d = 0; d < 3; d++) {
      out[3 * i + d] = m[4 * d + 3];
      for (let c = 0; c < 3; c++) out[3 * i + d] += m[4 * d + c] * rest[4 * i + c];
    }
  }
  return out;
}

describe('frames', () => {
  it('come back from the basis', async () => {
    const rig = bake(mesh, { frames: 9 });
    const problem = await problemOf(rig.sequence);
    const frame = await rig.sequence.readFrame(4);
    const pose = poseOfFrame(problem, 4, new Float64Array(frame.length));
    const scaled = Array.from(frame, (x, c) => (x - problem.centre[c % 3]) / problem.diagonal);
    expect(largest(pose, scaled)).toBeLessThan(1e-6);
  });

  it('true bones and weights have no error', async () => {
    const rig = bake(mesh, { shear: 0.3 });
    const problem = await problemOf(rig.sequence);
    const error = skinningError(problem, rig.support, bonesOf(problem, rig));
    expect(Math.sqrt(error / (problem.vertexCount * problem.frameCount))).toBeLessThan(1e-7);
  });
});

describe('affine transforms by LSQR', () => {
  it('equal those of the direct solver', async () => {
    // Weights other than the rig's own: there is a residual, and least squares have something to do.
    const rig = bake(mesh, { bones: 3, shear: 0.3 });
    const problem = await problemOf(rig.sequence);
    const support = chainWeights(mesh, 5);
    const found = solveAffineLsqr(problem, support, 5, { tolerance: 1e-13, maxIterations: 5000 });
    expect(found.converged).toBe(true);
    const direct = solveAffine(
      assembleNormalEquations(problem, support, 5),
      new Float64Array(20 * problem.rank),
      1e-13,
    );
    expect(largest(found.bones, expandToFrames(problem, direct))).toBeLessThan(1e-6);
  });

  it('give the baked transforms back', async () => {
    const rig = bake(mesh, { shear: 0.3 });
    const problem = await problemOf(rig.sequence);
    const { bones } = solveAffineLsqr(problem, rig.support, 3, { tolerance: 1e-13 });
    expect(largest(bones, bonesOf(problem, rig))).toBeLessThan(1e-4);
  });
});

describe('dual quaternions', () => {
  it('give a single rigid motion back', async () => {
    const frames = [0.5, 2, 2.8].map((angle) => moved(mesh.positions, rotationOf([1, -2, 0.5], angle), 1, [3, 1, -2]));
    const sequence = memorySequence('turns', mesh, frames);
    const problem = await problemOf(sequence);
    const one = chainWeights(mesh, 1);
    const { bones, converged, halfTurns } = solveDualQuaternions(problem, one, 1, { tolerance: 1e-13 });
    expect(converged).toBe(true);
    expect(halfTurns).toEqual([]);
    expect(Math.sqrt(skinningError(problem, one, bones) / (3 * problem.vertexCount))).toBeLessThan(1e-6);
  });

  it('give the motions of separate rigid pieces back', async () => {
    const rig = bake(mesh, { bones: 3, frames: 4, angle: 1.5 });
    const nearest = Int32Array.from({ length: 162 }, (_, i) => rig.support.joints[2 * i]);
    const support = supportOf(nearest);
    const frames = [0, 1, 2, 3].map((k) => Float32Array.from(lbs(mesh.positions, support, rig.transforms, 3, k)));
    const problem = await problemOf(memorySequence('pieces', mesh, frames));
    const { dualQuaternions } = solveDualQuaternions(problem, support, 3, { tolerance: 1e-13, maxIterations: 3000 });
    const pose = new Float64Array(3 * problem.vertexCount);
    for (let k = 0; k < 4; k++) {
      const shown = dualQuaternionPose(problem, support, dualQuaternions.subarray(24 * k, 24 * k + 24));
      expect(largest(shown, poseOfFrame(problem, k, pose))).toBeLessThan(1e-5);
    }
  });

  it('solve the printed matrix (3.12)', async () => {
    const rig = bake(mesh, { bones: 2, frames: 1, angle: 1 });
    const problem = await problemOf(rig.sequence);
    const pose = poseOfFrame(problem, 0, new Float64Array(3 * problem.vertexCount));
    const rows: number[][] = [];
    const right: number[] = [];
    for (let i = 0; i < problem.vertexCount; i++) {
      const [px, py, pz] = [0, 1, 2].map((c) => pose[3 * i + c] + problem.rest[4 * i + c]);
      const [mx, my, mz] = [0, 1, 2].map((c) => pose[3 * i + c] - problem.rest[4 * i + c]);
      const block = [
        [mx, my, mz, 2, 0, 0, 0],
        [0, pz, -py, 0, 2, 0, 0],
        [-pz, 0, px, 0, 0, 2, 0],
        [py, -px, 0, 0, 0, 0, 2],
      ];
      const w = [0, 0];
      for (let s = 0; s < rig.support.count[i]; s++) w[rig.support.joints[2 * i + s]] = rig.support.weights[2 * i + s];
      rows.push(...block.map((row) => w.flatMap((weight) => row.map((x) => weight * x))));
      right.push(0, mx, my, mz);
    }
    const expected = solve(new Matrix(rows), Matrix.columnVector(right)).to1DArray();
    const { dualQuaternions } = solveDualQuaternions(problem, rig.support, 2, {
      tolerance: 1e-13,
      maxIterations: 3000,
    });
    for (let b = 0; b < 2; b++) {
      const [x, y, z, w, ex, ey, ez, ew] = dualQuaternions.subarray(8 * b, 8 * b + 8);
      expect(w).toBe(1);
      expect(largest([x, y, z, ew, ex, ey, ez], expected.slice(7 * b, 7 * b + 7))).toBeLessThan(1e-7);
    }
  });

  it('say where a half turn is beyond them', async () => {
    const frames = [0.5, Math.PI, 1].map((angle) => moved(mesh.positions, rotationOf([0, 0, 1], angle)));
    const problem = await problemOf(memorySequence('half', mesh, frames));
    const one = chainWeights(mesh, 1);
    const { halfTurns, bones } = solveDualQuaternions(problem, one, 1);
    expect(halfTurns.map(({ bone, frame }) => [bone, frame])).toEqual([[0, 1]]);
    expect(halfTurns[0].angle).toBeCloseTo(Math.PI, 4);
    // And it is true: the frame is far off.
    expect(skinningError(problem, one, bones)).toBeGreaterThan(1);
  });
});
