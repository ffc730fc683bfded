import { describe, expect, it } from 'vitest';
import { boneGroups } from '../../src/light/bone-groups.ts';
import { ModeSums } from '../../src/light/mode-sums.ts';
import { storePoses } from '../../src/light/pose-features.ts';
import { PoseKernel } from '../../src/light/pose-kernel.ts';
import { PoseModes } from '../../src/light/pose-modes.ts';
import { addResidual, ResidualFit, ResidualPose } from '../../src/light/residual.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import type { LightResidual } from '../../src/model/light.ts';
import { LOCAL_STRIDE } from '../../src/model/skeleton.ts';
import { smallFigure } from './small-figure.ts';

const model = smallFigure();
const groups = boneGroups(model);
const N = groups.groupOf.length;
const C = 4;
const POSES = 10;
/** Every bone turned anyhow, in every pose: each tells all poses apart. */
const anyTurns = seededRandom(3);
const transforms = Array.from({ length: POSES }, () => {
  const locals = model.skeleton.restLocals.slice();
  for (let q = 3; q < locals.length; q += LOCAL_STRIDE) {
    const axis = [anyTurns() - 0.5, anyTurns() - 0.5, anyTurns() - 0.5];
    const length = Math.hypot(...axis);
    quaternionFromAxisAngle(locals, q, axis[0] / length, axis[1] / length, axis[2] / length, 2 * anyTurns());
  }
  return skinTransforms(model.skeleton.parents, model.skeleton.inverseBind, locals);
});

/** Any residuals: of each pose N × C numbers. */
function anyResiduals(count = POSES): Float32Array[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, () => Float32Array.from({ length: N * C }, () => random() - 0.3));
}

function fitted(residuals: readonly Float32Array[], modes: number, ridge?: number) {
  const poses = storePoses(groups, transforms);
  const kernel = new PoseKernel({ ...groups, poses });
  const fit = new ResidualFit(groups, C);
  for (const each of residuals) fit.add(each);
  const residual: LightResidual = { ...groups, poses, diffuse: fit.finish(kernel, { modes, ridge }) };
  return { residual, pose: new ResidualPose(residual, kernel), kernel };
}

function predicted({ residual, pose }: ReturnType<typeof fitted>, of: Float32Array): Float32Array {
  pose.set(of);
  const out = new Float32Array(N * C);
  addResidual(out, residual.groupOf, residual.diffuse, pose.diffuse);
  return out;
}

const rms = (values: ArrayLike<number>): number =>
  Math.sqrt(Array.from(values).reduce((sum, x) => sum + x * x, 0) / values.length);
const difference = (a: Float32Array, b: Float32Array): Float32Array => a.map((x, at) => x - b[at]);

describe('modes of rows that come one by one', () => {
  it('with all modes give the rows back', () => {
    const rows = anyResiduals();
    const modes = new PoseModes(N * C);
    for (const row of rows) modes.add(row);
    const { mean, basis, scores } = modes.finish(POSES);
    rows.forEach((row, p) => {
      const back = row.map((_, at) => {
        let sum = mean[at];
        for (let r = 0; r < POSES; r++) sum += scores[p * POSES + r] * basis[r * N * C + at];
        return sum;
      });
      expect(rms(difference(back, row))).toBeLessThan(1e-5);
    });
  });

  it('finds few strong modes among many rows, more than it can hold', () => {
    const random = seededRandom(9);
    const size = 300;
    const parts = Array.from({ length: 3 }, () => Float64Array.from({ length: size }, () => random() - 0.5));
    const truth = Array.from({ length: 200 }, () => {
      const scores = [4 * random(), 2 * random() - 1, random() - 0.5];
      return Float32Array.from({ length: size }, (_, c) =>
        parts.reduce((sum, part, m) => sum + scores[m] * part[c], 0),
      );
    });
    const modes = new PoseModes(size);
    for (const row of truth) modes.add(row);
    const { mean, basis, scores } = modes.finish(3);
    const worst = truth.map((row, p) =>
      rms(row.map((x, c) => x - mean[c] - [0, 1, 2].reduce((s, r) => s + scores[3 * p + r] * basis[r * size + c], 0))),
    );
    expect(Math.max(...worst)).toBeLessThan(1e-4);
  });

  it('count a row of share 2 as two equal rows, and one of share 0 as none', () => {
    const [a, b, c, d] = anyResiduals(4);
    const [shared, doubled] = [
      [a, b, c, d],
      [a, a, b, c],
    ].map((rows) => {
      const modes = new PoseModes(N * C);
      for (const row of rows) modes.add(row);
      return modes;
    });
    const got = shared.finish(2, [2, 1, 1, 0]);
    const wanted = doubled.finish(2);
    expect(rms(got.mean.map((x, at) => x - wanted.mean[at]))).toBeLessThan(1e-6);
    for (let r = 0; r < 2; r++) {
      const [mine, theirs] = [got, wanted].map(({ basis }) => basis.subarray(r * N * C, (r + 1) * N * C));
      const along = mine.reduce((sum, x, at) => sum + x * theirs[at], 0);
      expect(Math.abs(along)).toBeCloseTo(1, 6); // either sign
    }
  });

  it('of equal rows are nothing', () => {
    const modes = new PoseModes(2);
    for (let p = 0; p < 3; p++) modes.add(Float32Array.of(1, 2));
    const { mean, basis, scores } = modes.finish(2);
    expect([...mean]).toEqual([1, 2].map((x) => expect.closeTo(x, 12)));
    expect([...basis, ...scores].every((x) => Math.abs(x) < 1e-7)).toBe(true);
  });
});

describe('the residual of traced light', () => {
  it('with all modes and no ridge gives the poses that were traced back, to the bytes it is stored in', () => {
    const residuals = anyResiduals();
    const fit = fitted(residuals, POSES - 1, 1e-9);
    const { basis, basisScales, meanScales } = fit.residual.diffuse;
    expect(Math.max(...basis)).toBeLessThanOrEqual(127);
    residuals.forEach((truth, p) => {
      const got = predicted(fit, transforms[p]);
      // Half a step of the mean, and of each mode times its coefficient.
      fit.pose.set(transforms[p]);
      let bound = 0;
      for (let g = 0; g < groups.bones.length; g++) {
        for (let c = 0; c < C; c++) {
          let own = 0.5 * meanScales[g * C + c];
          for (let r = 0; r < POSES - 1; r++) {
            own += 0.5 * basisScales[g * (POSES - 1) + r] * Math.abs(fit.pose.diffuse[g * (POSES - 1) + r]);
          }
          bound = Math.max(bound, own);
        }
      }
      const worst = difference(got, truth).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      expect(worst).toBeLessThan(bound + 2e-3);
      expect(rms(difference(got, truth))).toBeLessThan(0.01);
    });
  });

  it('comes back to what was traced close to a pose, and is smooth in between', () => {
    const residuals = anyResiduals();
    const fit = fitted(residuals, POSES - 1);
    const mean = residuals[0].map((_, at) => residuals.reduce((sum, each) => sum + each[at] / POSES, 0));
    residuals.forEach((truth, p) => {
      const away = rms(difference(predicted(fit, transforms[p]), truth));
      expect(away).toBeLessThan(0.05 * rms(difference(mean, truth)));
    });
  });

  it('falls back to the mean far from all poses', () => {
    const fit = fitted(anyResiduals(), 4);
    const far = transforms[0].slice();
    for (let j = 0; j < far.length / 12; j++) far[12 * j + 3] += 1000 * j;
    fit.pose.set(far);
    expect(rms(fit.pose.diffuse)).toBeLessThan(1e-9);
  });

  it('does not depend on where the model stands and how it is turned', () => {
    const fit = fitted(anyResiduals(), 4);
    const turned = transforms[3].slice();
    for (let at = 0; at < turned.length; at += 12) {
      // A quarter turn about y, then a step.
      for (let c = 0; c < 4; c++) {
        turned[at + c] = transforms[3][at + 8 + c] + (c === 3 ? 7 : 0);
        turned[at + 8 + c] = -transforms[3][at + c];
      }
    }
    const before = predicted(fit, transforms[3]);
    expect(rms(difference(predicted(fit, turned), before))).toBeLessThan(1e-5 * rms(before));
  });

  it('of a model whose bones do not move against each other is the mean', () => {
    const still = { ...groups, poses: storePoses(groups, [transforms[0], transforms[0]]) };
    const kernel = new PoseKernel(still);
    const fit = new ResidualFit(groups, C);
    const [a, b] = anyResiduals(2);
    fit.add(a);
    fit.add(b);
    const diffuse = fit.finish(kernel, { modes: 1 });
    expect(diffuse.coefficients.every((x) => x === 0)).toBe(true);
  });

  it('is summed by the kernel as by its twin', () => {
    const { residual, pose } = fitted(anyResiduals(), 3);
    pose.set(transforms[1]);
    const [fast, slow] = [0, 1].map(() => new Float32Array(residual.groupOf.length * C).fill(0.5));
    addResidual(slow, residual.groupOf, residual.diffuse, pose.diffuse);
    ModeSums.of(residual.groupOf, residual.diffuse)!.add(fast, pose.diffuse);
    expect(rms(slow)).toBeGreaterThan(0.51);
    expect(difference(fast, slow).reduce((most, x) => Math.max(most, Math.abs(x)), 0)).toBeLessThan(1e-5);
  });

  it('is in the kernel as alike to itself as can be', () => {
    const { kernel } = fitted(anyResiduals(), 1);
    const matrix = kernel.matrix(0);
    for (let p = 0; p < POSES; p++) {
      expect(matrix[p * POSES + p]).toBeCloseTo(matrix[0], 6);
      for (let q = 0; q < POSES; q++) {
        expect(matrix[p * POSES + q]).toBeCloseTo(matrix[q * POSES + p], 9);
        expect(matrix[p * POSES + q]).toBeLessThanOrEqual(matrix[0] + 1e-9);
      }
    }
  });
});
