import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { largestWeights } from '../../src/model/influences.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { type SkinWeights, validateWeights } from '../../src/model/skinned-model.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import { otherSideNames } from '../../src/rig/bind/bone-names.ts';
import { findMirror, mirrorDifference, symmetrizeWeights } from '../../src/rig/bind/mirror.ts';
import { trimInfluences } from '../../src/rig/bind/trim.ts';
import { soup } from '../mesh/shapes.ts';
import { jointsAt, shattered, tube, weightOf } from './bind-shapes.ts';

/** A bar along x with a bone to each side, three units off the origin. */
const BAR = tube(-1, 7, 0.5, 33, 12);
const BONES = jointsAt([
  ['middle', undefined, [3, 0, 0]],
  ['arm.L', 'middle', [3.5, 0, 0]],
  ['arm.L_end', 'arm.L', [6.5, 0, 0]],
  ['arm.R', 'middle', [2.5, 0, 0]],
  ['arm.R_end', 'arm.R', [-0.5, 0, 0]],
]);
const N = vertexCount(BAR);

function randomWeights(seed: number): SkinWeights {
  const random = seededRandom(seed);
  return largestWeights(
    Float64Array.from({ length: N * 5 }, () => random() ** 2),
    5,
    5,
  );
}

describe('otherSideNames', () => {
  it.each([
    ['thigh.L', 'thigh.R'],
    ['LeftUpLeg', 'RightUpLeg'],
    ['mixamorig:RightArm', 'mixamorig:LeftArm'],
    ['hand_r_01', 'hand_l_01'],
    ['LHipJoint', 'RHipJoint'],
    ['L_Foot', 'R_Foot'],
    ['upper arm left', 'upper arm right'],
    ['b_LeftForeArm_010', 'b_RightForeArm_010'],
  ])('%s → %s', (name, other) => {
    expect(otherSideNames(name)).toContain(other);
    expect(otherSideNames(other)).toContain(name);
  });

  it.each(['spine', 'Root', 'curl', 'Hips'])('%s has no side', (name) => expect(otherSideNames(name)).toEqual([]));
});

describe('findMirror', () => {
  it('finds the plane in the middle of the box, partners and the bones of the other side', () => {
    const mirror = findMirror(BAR, BONES);
    expect([mirror.plane, mirror.matched]).toEqual([3, N]);
    expect([...mirror.boneOf]).toEqual([0, 3, 4, 1, 2]);
    mirror.partnerOf.forEach((partner, i) => {
      expect(mirror.partnerOf[partner]).toBe(i);
      expect(BAR.positions[3 * i] + BAR.positions[3 * partner]).toBeCloseTo(6, 4);
    });
  });

  it('pairs bones by their places where names say nothing, or the wrong thing', () => {
    const unnamed = { ...BONES, names: ['a', 'b', 'c', 'd', 'e'] };
    expect([...findMirror(BAR, unnamed).boneOf]).toEqual([0, 3, 4, 1, 2]);
    const wrong = { ...BONES, names: ['x', 'arm_L_1', 'arm_L_2', 'arm_R_2', 'arm_R_1'] };
    expect([...findMirror(BAR, wrong).boneOf]).toEqual([0, 3, 4, 1, 2]);
  });

  it('leaves what has no counterpart alone', () => {
    const mirror = findMirror(soup(seededRandom(2), 60, 40), BONES);
    expect(mirror.matched).toBeLessThan(5);
    expect(() => symmetrizeWeights(randomWeights(1), { ...mirror, partnerOf: new Int32Array(N).fill(-1) })).toThrow(
      /not symmetric across x/,
    );
    expect(findMirror(BAR, jointsAt([['only', undefined, [9, 0, 0]]])).boneOf).toEqual(Int32Array.of(0));
  });

  it('mirrors across other axes', () =>
    expect(findMirror(BAR, BONES, { mirrorAxis: 'z' }).matched).toBeGreaterThan(N / 3));
});

describe('symmetrizeWeights', () => {
  it('makes any weights symmetric, once and for all, whole or shattered', () => {
    for (const mesh of [BAR, shattered(BAR)]) {
      const n = vertexCount(mesh);
      const random = seededRandom(6);
      const dense = new Map<string, number[]>();
      // Vertices at one place have one row.
      const rows = Array.from({ length: n }, (_, i) => {
        const key = mesh.positions.slice(3 * i, 3 * i + 3).join();
        if (!dense.has(key))
          dense.set(
            key,
            Array.from({ length: 5 }, () => random() ** 2),
          );
        return dense.get(key)!;
      });
      const skin = largestWeights(Float64Array.from(rows.flat()), 5, 5);
      const mirror = findMirror(mesh, BONES);
      expect(mirror.matched).toBe(n);
      expect(mirrorDifference(skin, mirror).differing).toBeGreaterThan(n / 2);
      const even = symmetrizeWeights(skin, mirror);
      validateWeights(even, n, 5);
      expect(mirrorDifference(even, mirror).mostDifference).toBeLessThan(1e-6);
      const trimmed = trimInfluences(even, 2, true).weights;
      expect(mirrorDifference(trimmed, mirror).mostDifference).toBeLessThan(1e-6);
    }
  });

  it('measures the share of weight that lies elsewhere', () => {
    const mirror = findMirror(BAR, BONES);
    const left: SkinWeights = {
      influences: 1,
      joints: new Uint16Array(N).fill(1),
      weights: new Float32Array(N).fill(1),
    };
    const { mostDifference, differing } = mirrorDifference(left, mirror);
    expect([mostDifference, differing]).toEqual([1, N]);
  });

  it('agrees that heat on a symmetric rig is symmetric', async () => {
    const { weights } = await bind(BAR, BONES);
    const mirror = findMirror(BAR, BONES);
    expect(mirrorDifference(weights, mirror).mostDifference).toBeLessThan(2e-3);
    expect(weightOf(weights, 0, 3)).toBeGreaterThan(0.9);
  });
});
