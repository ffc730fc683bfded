import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identity34, transformPoint34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { SKIN_OPERATORS } from '../../src/model/skinned-model.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { farthest, oneVertex, poseOf, product, randomDirection, randomPose, randomRig, rigidMotion } from './rigs.ts';

const seeds = { seed: fc.integer({ min: 1, max: 1e6 }) };

describe.each(SKIN_OPERATORS)('%s', (operator) => {
  it('shows the rest pose for identity transforms', () => {
    const rig = randomRig({ seed: 1 });
    const { positions, normals } = skinPlain(rig, identity34(7), { operator });
    expect(farthest(positions, rig.mesh.positions)).toBeLessThan(1e-7); // weights sum to 1 in single precision
    expect(farthest(normals!, rig.mesh.normals!)).toBeLessThan(1e-6);
  });

  it('moves everything rigidly when all bones do', () => {
    const rig = randomRig({ seed: 2 });
    const motion = Float32Array.from(rigidMotion(randomDirection(seededRandom(3)), 2.5, [1, 2, 3]));
    const pose = Float32Array.from({ length: 7 * 12 }, (_, c) => motion[c % 12]);
    const { positions, normals } = skinPlain(rig, pose, { operator });
    const expected = new Float64Array(positions.length);
    const turned = new Float64Array(positions.length);
    const rotation = Float64Array.from(motion, (x, c) => (c % 4 === 3 ? 0 : x));
    for (let i = 0; i < positions.length; i += 3) {
      transformPoint34(expected, i, Float64Array.from(motion), 0, rig.mesh.positions, i);
      transformPoint34(turned, i, rotation, 0, rig.mesh.normals!, i);
    }
    expect(farthest(positions, expected)).toBeLessThan(1e-6);
    expect(farthest(normals!, turned)).toBeLessThan(1e-6);
  });

  it('moves the result when a motion is put after all bones', () => {
    fc.assert(
      fc.property(fc.record(seeds), ({ seed }) => {
        const rig = randomRig({ seed });
        const motion = rigidMotion(randomDirection(seededRandom(seed)), 0.9, [0.3, -0.2, 0.5]);
        const pose = randomPose(rig, { seed: seed + 1, angle: 1.2 });
        const moved = pose.slice();
        for (let j = 0; j < 7; j++) moved.set(product(motion, pose.subarray(12 * j, 12 * j + 12)), 12 * j);
        const before = skinPlain(rig, pose, { operator }).positions;
        const after = skinPlain(rig, moved, { operator }).positions;
        for (let i = 0; i < before.length; i += 3) transformPoint34(before, i, motion, 0, before, i);
        expect(farthest(after, before)).toBeLessThan(1e-5);
      }),
      { numRuns: 20 },
    );
  });

  it('does not depend on where the rest pose stands or how it is turned', () => {
    fc.assert(
      fc.property(fc.record(seeds), ({ seed }) => {
        const rig = randomRig({ seed });
        const pose = randomPose(rig, { seed: seed + 1, angle: 1.2, scale: 1.5 });
        const motion = rigidMotion(randomDirection(seededRandom(seed)), 0.7, [2, -1, 3]);
        const back = rigidMotion(randomDirection(seededRandom(seed)), -0.7);
        for (let r = 0; r < 3; r++) back[4 * r + 3] = -(back[4 * r] * 2 - back[4 * r + 1] + back[4 * r + 2] * 3);

        const moved = structuredClone(rig);
        for (let i = 0; i < rig.mesh.positions.length; i += 3) {
          transformPoint34(moved.mesh.positions, i, motion, 0, rig.mesh.positions, i);
        }
        const movedPose = pose.slice();
        for (let j = 0; j < 7; j++) {
          const at = 12 * j;
          movedPose.set(product(motion, pose.subarray(at, at + 12), back), at);
          moved.skeleton.inverseBind.set(product(rig.skeleton.inverseBind.subarray(at, at + 12), back), at);
        }
        const before = skinPlain(rig, pose, { operator }).positions;
        const after = skinPlain(moved, movedPose, { operator }).positions;
        for (let i = 0; i < before.length; i += 3) transformPoint34(before, i, motion, 0, before, i);
        expect(farthest(after, before)).toBeLessThan(1e-5);
      }),
      { numRuns: 20 },
    );
  });

  it('scales with the model', () => {
    const rig = randomRig({ seed: 5 });
    const pose = randomPose(rig, { seed: 6, angle: 1.2, scale: 1.5 });
    const large = structuredClone(rig);
    const largePose = pose.map((x, c) => (c % 4 === 3 ? 1024 * x : x));
    large.mesh.positions = rig.mesh.positions.map((x) => 1024 * x);
    large.skeleton.inverseBind = rig.skeleton.inverseBind.map((x, c) => (c % 4 === 3 ? 1024 * x : x));
    const expected = skinPlain(rig, pose, { operator }).positions.map((x) => 1024 * x);
    expect(farthest(skinPlain(large, largePose, { operator }).positions, expected)).toBeLessThan(1e-9 * 1024);
  });

  it('follows a single bone exactly, but for the scale that dqs and dib do not know', () => {
    const scale = operator === 'dqs' || operator === 'dib' || operator === 'mix' ? 1 : 1.7;
    const rig = randomRig({ seed: 7, influences: 1 });
    const pose = randomPose(rig, { seed: 8, scale });
    const { positions } = skinPlain(rig, pose, { operator });
    const expected = new Float64Array(positions.length);
    for (let i = 0; i < positions.length / 3; i++) {
      transformPoint34(expected, 3 * i, pose, 12 * rig.weights.joints[i], rig.mesh.positions, 3 * i);
    }
    expect(farthest(positions, expected)).toBeLessThan(1e-6);
  });

  it.each([
    ['mirrored', { scale: 2, mirror: true }, undefined],
    ['flattened to a plane', { scale: 2 }, [0, 1, 2, 3]],
    ['flattened to a point', { scale: 2 }, [0, 1, 2, 4, 5, 6, 8, 9, 10]],
  ])('stays finite with bones %s, normals at length 1', (_, options, zeros) => {
    const rig = randomRig({ seed: 9 });
    const pose = randomPose(rig, { seed: 10, ...options });
    for (let j = 0; j < 7; j++) for (const c of zeros ?? []) pose[12 * j + c] = 0;
    const { positions, normals } = skinPlain(rig, pose, { operator });
    expect(positions.every(Number.isFinite)).toBe(true);
    for (let i = 0; i < normals!.length; i += 3) {
      expect(Math.hypot(normals![i], normals![i + 1], normals![i + 2])).toBeCloseTo(1, 5);
    }
  });
});

describe('linear blend skinning', () => {
  it('is linear in the transforms', () => {
    const rig = randomRig({ seed: 11 });
    const a = randomPose(rig, { seed: 12 });
    const b = randomPose(rig, { seed: 13 });
    const half = a.map((x, c) => (x + b[c]) / 2);
    const [pa, pb] = [a, b].map((pose) => skinPlain(rig, pose, { operator: 'lbs' }).positions);
    expect(
      farthest(
        skinPlain(rig, half, { operator: 'lbs' }).positions,
        pa.map((x, c) => (x + pb[c]) / 2),
      ),
    ).toBeLessThan(1e-6);
  });

  it('shrinks a half-turned joint to nothing, and keeps a finite normal there', () => {
    const model = oneVertex(
      [0, 1, 0],
      [0.5, 0.5],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    );
    const { positions, normals } = skinPlain(model, poseOf(rigidMotion([1, 0, 0], 0), rigidMotion([1, 0, 0], Math.PI)));
    expect(Math.hypot(...positions)).toBeLessThan(1e-7);
    expect(Math.hypot(...normals!)).toBeCloseTo(1);
  });

  it('turns normals by the inverse transpose under non-uniform scale', () => {
    const model = oneVertex([1, 1, 0], [1], [[0, 0, 0]]);
    model.mesh.normals = new Float32Array([Math.SQRT1_2, Math.SQRT1_2, 0]);
    const { normals } = skinPlain(model, new Float32Array([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    expect([...normals!]).toEqual([1 / Math.sqrt(5), 2 / Math.sqrt(5), 0].map((x) => expect.closeTo(x, 6)));
  });

  it('turns normals with a mirrored surface', () => {
    const model = oneVertex([1, 0, 0], [1], [[0, 0, 0]]);
    model.mesh.normals = new Float32Array([1, 0, 0]);
    const { normals } = skinPlain(model, new Float32Array([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]));
    expect([...normals!]).toEqual([-1, 0, 0].map((x) => expect.closeTo(x, 12)));
  });
});
