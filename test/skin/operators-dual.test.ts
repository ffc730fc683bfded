import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identity34, transformPoint34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { continuousSigns } from '../../src/skin/bones.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { farthest, oneVertex, poseOf, product, randomDirection, randomPose, randomRig, rigidMotion } from './rigs.ts';

describe('dual quaternions', () => {
  const still = rigidMotion([1, 0, 0], 0);
  const joints: [number, number, number][] = [
    [0, 0, 0],
    [0, 0, 0],
  ];

  it('keep the distance from the axis of a twist', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.double({ min: -3.1, max: 3.1, noNaN: true }),
        (w, angle) => {
          const model = oneVertex([0.5, 1, 0], [1 - w, w], joints);
          for (const operator of ['dqs', 'sdqs', 'dib'] as const) {
            const { positions } = skinPlain(model, poseOf(still, rigidMotion([1, 0, 0], angle)), { operator });
            expect(Math.hypot(positions[1], positions[2])).toBeCloseTo(1, 6);
            expect(positions[0]).toBeCloseTo(0.5, 6);
          }
        },
      ),
    );
  });

  it('take the shorter way with antipodality, the way the signs say without', () => {
    const model = oneVertex([0, 1, 0], [0.5, 0.5], joints);
    const pose = poseOf(still, rigidMotion([1, 0, 0], (250 * Math.PI) / 180));
    const angleOf = ([, y, z]: Float64Array) => (Math.atan2(z, y) * 180) / Math.PI;
    const signs = Int8Array.of(1, -1);
    for (const operator of ['dqs', 'sdqs', 'dib'] as const) {
      expect(angleOf(skinPlain(model, pose, { operator, signs }).positions)).toBeCloseTo(-55, 3);
      expect(angleOf(skinPlain(model, pose, { operator, antipodality: false, signs }).positions)).toBeCloseTo(125, 3);
      expect(angleOf(skinPlain(model, pose, { operator, antipodality: false }).positions)).toBeCloseTo(-55, 3);
    }
  });

  it('DIB divides the angle of a turn by the weights, to nearly a whole turn; DQS does not', () => {
    for (const degrees of [30, 90, 170, 250, 340]) {
      for (const w of [0.1, 0.25, 0.4, 0.7]) {
        const model = oneVertex([0, 1, 0], [1 - w, w], joints);
        const pose = poseOf(still, rigidMotion([1, 0, 0], (degrees * Math.PI) / 180));
        const signs = Int8Array.of(1, degrees > 180 ? -1 : 1);
        const angle = (operator: 'dib' | 'dqs') => {
          const [, y, z] = skinPlain(model, pose, { operator, antipodality: false, signs }).positions;
          return ((Math.atan2(z, y) * 180) / Math.PI + 360) % 360;
        };
        expect(angle('dib')).toBeCloseTo(w * degrees, 3);
        if (degrees === 340) expect(Math.abs(angle('dqs') - w * degrees)).toBeGreaterThan(5);
      }
    }
  });

  it('DIB moves along the screw between two motions', () => {
    // Half of a screw motion done twice is the whole one.
    const random = seededRandom(4);
    const whole = rigidMotion(randomDirection(random), 2, [0.4, 0.1, -0.3]);
    const half = (point: ArrayLike<number>) =>
      skinPlain(oneVertex([...Array.from(point)], [0.5, 0.5], joints), poseOf(still, whole), { operator: 'dib' })
        .positions;
    const expected = new Float64Array(3);
    transformPoint34(expected, 0, whole, 0, [0.2, 0.7, -0.4], 0);
    expect(farthest(half(half([0.2, 0.7, -0.4])), expected)).toBeLessThan(1e-6);
  });

  it('agree, DQS with DIB, for small spreads', () => {
    const rig = randomRig({ seed: 20 });
    const pose = randomPose(rig, { seed: 21, angle: 0.3 });
    expect(
      farthest(
        skinPlain(rig, pose, { operator: 'dqs' }).positions,
        skinPlain(rig, pose, { operator: 'dib' }).positions,
      ),
    ).toBeLessThan(2e-3);
  });

  it('that cancel follow the heaviest bone', () => {
    const model = oneVertex([0, 1, 0], [0.5, 0.5], joints);
    for (const operator of ['dqs', 'sdqs', 'dib', 'mix'] as const) {
      const { positions } = skinPlain(model, poseOf(still, still), {
        operator,
        antipodality: false,
        signs: Int8Array.of(1, -1),
      });
      expect(farthest(positions, [0, 1, 0])).toBeLessThan(1e-12);
    }
  });
});

describe('scaled dual quaternions', () => {
  it('equal dqs on rigid bones and lbs on pure stretches', () => {
    const rig = randomRig({ seed: 30 });
    const rigid = randomPose(rig, { seed: 31 });
    expect(
      farthest(
        skinPlain(rig, rigid, { operator: 'sdqs' }).positions,
        skinPlain(rig, rigid, { operator: 'dqs' }).positions,
      ),
    ).toBeLessThan(1e-6);
    const stretch = identity34(7);
    for (let j = 0; j < 7; j++) {
      for (let c = 0; c < 3; c++) {
        stretch[12 * j + 5 * c] = 1 + 0.1 * j + 0.05 * c;
        stretch[12 * j + 4 * c + 3] = (0.1 * j + 0.05 * c) * rig.skeleton.inverseBind[12 * j + 4 * c + 3];
      }
    }
    expect(
      farthest(
        skinPlain(rig, stretch, { operator: 'sdqs' }).positions,
        skinPlain(rig, stretch, { operator: 'lbs' }).positions,
      ),
    ).toBeLessThan(1e-6);
  });

  it('keep a scaled and turned bone on its joint', () => {
    const joint: [number, number, number] = [3, -2, 1];
    const model = oneVertex(joint, [0.5, 0.5], [joint, joint]);
    const turned = rigidMotion([0, 0, 1], 1.5, [0, 0, 0], joint);
    const scaled = Float64Array.from([2, 0, 0, -3, 0, 2, 0, 2, 0, 0, 2, -1]);
    const { positions } = skinPlain(model, poseOf(rigidMotion([1, 0, 0], 0), product(turned, scaled)), {
      operator: 'sdqs',
    });
    expect(farthest(positions, joint)).toBeLessThan(1e-6);
  });
});

describe('mix', () => {
  it('is lbs at 0, dqs at 1, and between them in between', () => {
    const rig = randomRig({ seed: 40 });
    const pose = randomPose(rig, { seed: 41 });
    const [lbs, dqs] = (['lbs', 'dqs'] as const).map((operator) => skinPlain(rig, pose, { operator }).positions);
    for (const omega of [0, 0.3, 1]) {
      rig.mixWeights!.fill(omega);
      const expected = lbs.map((x, c) => (1 - omega) * x + omega * dqs[c]);
      expect(farthest(skinPlain(rig, pose, { operator: 'mix' }).positions, expected)).toBeLessThan(1e-6);
    }
  });
});

describe('continuousSigns', () => {
  it('follows a bone through two whole turns', () => {
    const degrees = Array.from({ length: 73 }, (_, k) => 10 * k);
    const poses = poseOf(...degrees.map((d) => rigidMotion([0, 0.6, 0.8], (d * Math.PI) / 180)));
    const signs = continuousSigns(poses, 1);
    // cos of the half angle, which the sign restores
    degrees.forEach((d, k) => {
      const w = Math.cos((d * Math.PI) / 360);
      if (Math.abs(w) > 1e-3) expect(signs[k]).toBe(Math.sign(w));
    });
  });
});
