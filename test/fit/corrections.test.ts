import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { paletteOfFrame, poseOfFrame, skinFrame, skinningError } from '../../src/decompose/frames.ts';
import { copySupport, type FitProblem, type Support } from '../../src/decompose/problem.ts';
import { type EigenSkin, eigenSkin } from '../../src/fit/thesis/corrections/eigen-skin.ts';
import { correctRestPose } from '../../src/fit/thesis/corrections/rest-pose.ts';
import { correctWeights } from '../../src/fit/thesis/corrections/weights.ts';
import { randomNormal, seededRandom } from '../../src/math/rng.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { bake, bonesOf, chainWeights, checkSupport, lbs, problemOf } from '../decompose/rigs.ts';
import { icosphere } from '../mesh/shapes.ts';

const mesh = icosphere(2);
const rmse = (problem: FitProblem, error: number) => Math.sqrt(error / (problem.vertexCount * problem.frameCount));

/** A fit that is not exact: the rig's frames with noise, and weights of another chain. */
async function roughFit(seed: number): Promise<{ problem: FitProblem; support: Support; bones: Float64Array }> {
  const rig = bake(mesh, { bones: 4, frames: 5, shear: 0.2, seed });
  const random = seededRandom(seed);
  const frames = await Promise.all([0, 1, 2, 3, 4].map((k) => rig.sequence.readFrame(k)));
  const noisy = frames.map((frame) => frame.map((x) => x + 0.02 * randomNormal(random)));
  const problem = await problemOf(memorySequence('noisy', mesh, noisy));
  const support = chainWeights(mesh, 3);
  const bones = solveAffine(assembleNormalEquations(problem, support, 3), new Float64Array(12 * problem.rank), 1e-9);
  return { problem, support, bones: expandToFrames(problem, bones) };
}

/** Frame k with its corrections (5.7), 3N. */
function eigenSkinFrame(problem: FitProblem, support: Support, bones: Float64Array, skin: EigenSkin, k: number) {
  const rest = problem.rest.slice();
  const size = 3 * problem.vertexCount;
  for (let a = 0; a < skin.fieldCount; a++) {
    const c = skin.coefficients[k * skin.fieldCount + a];
    for (let x = 0; x < size; x++) rest[4 * Math.floor(x / 3) + (x % 3)] += c * skin.fields[a * size + x];
  }
  const palette = paletteOfFrame(bones, problem.frameCount, k, new Float64Array(bones.length / problem.frameCount));
  return skinFrame(rest, support, palette, new Float64Array(size));
}

describe('corrections never raise the error, and report it truly', () => {
  it('rest pose, weights and EigenSkin on rough fits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1000 }), async (seed) => {
        const { problem, support, bones } = await roughFit(seed);
        const before = skinningError(problem, support, bones);

        const rest = correctRestPose(problem, support, bones);
        expect(skinningError(rest, support, bones)).toBeLessThan(before);

        const weights = correctWeights(problem, support, bones);
        checkSupport(weights, 3);
        expect(skinningError(problem, weights, bones)).toBeLessThanOrEqual(before * (1 + 1e-9));

        let last = before;
        for (const fields of [1, 2, 4]) {
          const skin = eigenSkin(problem, support, bones, fields);
          expect(skin.error).toBeLessThan(last * (1 + 1e-9));
          last = skin.error;
          const pose = new Float64Array(3 * problem.vertexCount);
          let total = 0;
          for (let k = 0; k < problem.frameCount; k++) {
            poseOfFrame(problem, k, pose);
            const shown = eigenSkinFrame(problem, support, bones, skin, k);
            for (let c = 0; c < pose.length; c++) total += (pose[c] - shown[c]) ** 2;
          }
          expect(total).toBeCloseTo(skin.error, 8);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('as many fields as frames leave only what damping holds back', async () => {
    const { problem, support, bones } = await roughFit(7);
    const { error } = eigenSkin(problem, support, bones, 5);
    expect(error).toBeLessThan(0.05 * skinningError(problem, support, bones));
  });

  it('leave their inputs alone', async () => {
    const { problem, support, bones } = await roughFit(3);
    const copy = structuredClone({ problem, support, bones });
    correctRestPose(problem, support, bones);
    correctWeights(problem, support, bones);
    eigenSkin(problem, support, bones, 2);
    expect({ problem, support, bones }).toEqual(copy);
  });
});

describe('known corrections come back', () => {
  it('rest pose: a moved vertex returns', async () => {
    const rig = bake(mesh, { frames: 6, shear: 0.2 });
    const problem = await problemOf(rig.sequence);
    const bones = bonesOf(problem, rig);
    const random = seededRandom(5);
    const moved = { ...problem, rest: problem.rest.map((x, c) => (c % 4 < 3 ? x + 0.05 * randomNormal(random) : x)) };
    const corrected = correctRestPose(moved, rig.support, bones);
    expect(rmse(problem, skinningError(corrected, rig.support, bones))).toBeLessThan(1e-6);
    for (let c = 0; c < problem.rest.length; c++) expect(corrected.rest[c]).toBeCloseTo(problem.rest[c], 5);
  });

  it('weights: disturbed ones return', async () => {
    const rig = bake(mesh, { frames: 8, shear: 0.2 });
    const problem = await problemOf(rig.sequence);
    const bones = bonesOf(problem, rig);
    const support = copySupport(rig.support);
    for (let i = 0; i < support.count.length; i++) {
      if (support.count[i] === 2) support.weights.set([0.5, 0.5], 2 * i);
    }
    const corrected = correctWeights(problem, support, bones);
    expect(rmse(problem, skinningError(problem, corrected, bones))).toBeLessThan(1e-6);
    for (let c = 0; c < support.weights.length; c++) {
      expect(corrected.weights[c]).toBeCloseTo(rig.support.weights[c], 4);
    }
  });

  it('EigenSkin: two displacement fields with their own motion return with f = 2', async () => {
    const rig = bake(mesh, { frames: 10, shear: 0.1 });
    const random = seededRandom(6);
    const fields = [0, 1].map(() => mesh.positions.map(() => 0.05 * randomNormal(random)));
    const frames = Array.from({ length: 10 }, (_, k) => {
      const c = [Math.sin(k), Math.cos(2 * k)];
      const rest = mesh.positions.map((x, e) => x + c[0] * fields[0][e] + c[1] * fields[1][e]);
      return Float32Array.from(lbs(rest, rig.support, rig.transforms, 3, k));
    });
    const problem = await problemOf(memorySequence('corrected', mesh, frames));
    const bones = bonesOf(problem, rig);
    expect(rmse(problem, skinningError(problem, rig.support, bones))).toBeGreaterThan(0.01);
    const skin = eigenSkin(problem, rig.support, bones, 2);
    expect(rmse(problem, skin.error)).toBeLessThan(1e-4);
    expect(skin.coefficients.length).toBe(20);
    expect(rmse(problem, eigenSkin(problem, rig.support, bones, 1).error)).toBeGreaterThan(1e-3);
  });
});
