import { describe, expect, it } from 'vitest';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { SKIN_OPERATORS, type SkinnedModel } from '../../src/model/skinned-model.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { farthest, freeJoints, type PoseOptions, product, randomPose, randomRig, rigidMotion } from './rigs.ts';
import { skin } from './skin.ts';

/** Kernels agree with the plain operators to this fraction of the diagonal; normals to ten times this, as unit vectors. */
const TOLERANCE = 1e-5;

const KERNELS = SKIN_OPERATORS.flatMap((operator) =>
  (['wasm', 'typescript'] as const).map((kernel) => ({ operator, kernel })),
).filter(({ operator, kernel }) => operator !== 'dib' || kernel === 'typescript');

const POSES: [string, Omit<PoseOptions, 'seed'>][] = [
  ['small turns', { angle: 0.5 }],
  ['turns to 180°', { angle: Math.PI }],
  ['turns beyond 180°', { angle: 2 * Math.PI }],
  ['turns and scale', { angle: 2, scale: 2 }],
  ['mirrored bones', { angle: 1, scale: 1.5, mirror: true }],
];

/** Where Φ nearly flattens the surface, normals are noise in any precision: there only positions are compared. */
function stableNormals(model: SkinnedModel, pose: Float32Array, operator: (typeof SKIN_OPERATORS)[number]): boolean[] {
  const nudged = pose.map((x, c) => x * (1 + 1e-6 * Math.sin(c)));
  const a = skinPlain(model, pose, { operator }).normals!;
  const b = skinPlain(model, nudged, { operator }).normals!;
  return Array.from(
    { length: a.length / 3 },
    (_, w) => farthest(a.slice(3 * w, 3 * w + 3), b.slice(3 * w, 3 * w + 3)) < 1e-5,
  );
}

describe.each(KERNELS)('$operator, $kernel kernel', ({ operator, kernel }) => {
  it.each(POSES)('equals the plain operator: %s', (_, options) => {
    for (const influences of [1, 2, 3, 4, 5, 8, 11]) {
      const seed = 100 * influences;
      const rig = randomRig({ seed, influences, vertices: 203 });
      const pose = randomPose(rig, { seed: seed + 1, ...options });
      const plain = skinPlain(rig, pose, { operator });
      const fast = skin(rig, pose, { operator, kernel });
      expect(farthest(fast.positions, plain.positions)).toBeLessThan(TOLERANCE * diagonalOf(rig.mesh.positions));
      const stable = stableNormals(rig, pose, operator);
      const kept = (normals: ArrayLike<number>) => Array.from(normals).filter((_, c) => stable[Math.floor(c / 3)]);
      expect(stable.filter(Boolean).length).toBeGreaterThan(0.7 * stable.length);
      expect(farthest(kept(fast.normals!), kept(plain.normals!))).toBeLessThan(10 * TOLERANCE);
    }
  });

  it('equals the plain operator without antipodality, for bones of both signs', () => {
    for (const influences of [2, 4, 6]) {
      const rig = randomRig({ seed: 7 + influences, influences });
      const pose = randomPose(rig, { seed: 8, angle: Math.PI / 2 });
      // With opposite signs a blend may nearly cancel, and then amplifies rounding: unequal weights keep away from that.
      for (let s = 0; s < rig.weights.weights.length; s += influences) {
        rig.weights.weights.fill(0.2 / (influences - 1), s, s + influences);
        rig.weights.weights[s] = 0.8;
      }
      const signs = Int8Array.from({ length: 7 }, (_, j) => (j % 2 ? 1 : -1));
      const plain = skinPlain(rig, pose, { operator, antipodality: false, signs });
      const fast = skin(rig, pose, { operator, kernel, antipodality: false, signs });
      expect(farthest(fast.positions, plain.positions)).toBeLessThan(TOLERANCE * diagonalOf(rig.mesh.positions));
    }
  });

  it('equals the plain operator far from the origin, but for the rounding of what it returns', () => {
    const rig = randomRig({ seed: 60, offset: [3000, -2000, 1000] });
    const pose = randomPose(rig, { seed: 61, angle: 2, scale: 1.5 });
    const plain = skinPlain(rig, pose, { operator });
    const rounding = 3000 * 2 ** -22;
    expect(farthest(skin(rig, pose, { operator, kernel }).positions, plain.positions)).toBeLessThan(2 * rounding);
  });

  it('follows the heaviest bone where opposite bones cancel', () => {
    const rig = randomRig({ seed: 70, influences: 2 });
    rig.weights.weights.fill(0.5);
    rig.weights.joints.forEach((_, s) => {
      rig.weights.joints[s] = s % 2;
    });
    const turn = rigidMotion([0, 1, 0], 1);
    const pose = Float32Array.from({ length: 84 }, (_, c) => turn[c % 12]);
    const signs = Int8Array.from({ length: 7 }, (_, j) => (j % 2 ? -1 : 1));
    const { positions } = skin(rig, pose, { operator, kernel, antipodality: false, signs });
    expect(farthest(positions, skinPlain(rig, pose, { operator: 'lbs' }).positions)).toBeLessThan(1e-6);
  });

  it('turns either way at exactly 180°, and nothing in between', () => {
    const rig = randomRig({ seed: 80, bones: 2, influences: 2 });
    rig.skeleton = freeJoints([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const halfTurn = (side: number) => {
      const turned = rigidMotion([0, 0, 1], side * Math.PI * (1 - 1e-7));
      return Float32Array.from([...rigidMotion([0, 0, 1], 0), ...turned]);
    };
    const exact = Float32Array.from([...rigidMotion([0, 0, 1], 0), ...rigidMotion([0, 0, 1], Math.PI)]);
    const { positions } = skin(rig, exact, { operator, kernel });
    const ways = [halfTurn(1), halfTurn(-1)].map((pose) => skinPlain(rig, pose, { operator }).positions);
    expect(Math.min(...ways.map((way) => farthest(positions, way)))).toBeLessThan(1e-5);
  });

  it('stays finite where bones flatten everything', () => {
    const rig = randomRig({ seed: 90 });
    for (const rank of [0, 1, 2]) {
      const pose = randomPose(rig, { seed: 91 });
      const flat = new Float64Array([rank > 0 ? 1 : 0, 0, 0, 0, 0, rank > 1 ? 1 : 0, 0, 0, 0, 0, 0, 0]);
      for (let j = 0; j < 7; j++) pose.set(product(pose.subarray(12 * j, 12 * j + 12), flat), 12 * j);
      const { positions, normals } = skin(rig, pose, { operator, kernel });
      expect(positions.every(Number.isFinite)).toBe(true);
      for (let w = 0; w < normals!.length; w += 3) {
        expect(Math.hypot(normals![w], normals![w + 1], normals![w + 2])).toBeCloseTo(1, 4);
      }
    }
  });

  it('gives the same positions with and without normals', () => {
    const rig = randomRig({ seed: 95 });
    const pose = randomPose(rig, { seed: 96, scale: 1.5 });
    const { positions, normals } = skin(rig, pose, { operator, kernel, normals: false });
    expect(normals).toBeUndefined();
    expect(positions).toEqual(skin(rig, pose, { operator, kernel }).positions);
  });
});
