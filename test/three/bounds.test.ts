import fc from 'fast-check';
import {
  AnimationClip,
  type Box3,
  Group,
  NumberKeyframeTrack,
  Quaternion,
  QuaternionKeyframeTrack,
  SkinnedMesh,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { computeClipBounds, exactBounds, THREE_OPERATORS, useSkinning } from '../../adapters/three/index.ts';
import { influenceSets } from '../../adapters/three/influence-sets.ts';
import { poseBounds } from '../../adapters/three/pose-bounds.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { BonePose } from '../../src/skin/bones.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { refusal } from '../refusal.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';
import { threeModel } from '../three-mesh.ts';

/** The box of boxes. */
function around(boxes: Float64Array): Float64Array {
  const { min, max } = boundsOf(boxes);
  return Float64Array.of(...min, ...max);
}

describe('poseBounds', () => {
  it.each(THREE_OPERATORS)('contains every vertex of any pose, by %s', (operator) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0 }),
        fc.double({ min: 1, max: 2, noNaN: true }),
        fc.boolean(),
        (seed, scale, mirror) => {
          const model = randomRig({ seed, vertices: 80, bones: 5 });
          model.mesh.triangles = Uint32Array.from({ length: 78 }, (_, c) => c);
          const morphs = [0, 1].map((m) => ({
            name: `${m}`,
            positions: model.mesh.positions.map((x, c) => Math.sin(c + m + x)),
          }));
          const weights = Float32Array.from([0.4, -0.2]);
          const transforms = randomPose(model, { seed: seed + 1, scale, mirror });
          const bones = new BonePose(model.skeleton);
          bones.set(transforms);
          const box = around(poseBounds(influenceSets({ ...model, morphs }), bones, operator, weights));
          const { positions } = skinPlain({ ...model, morphs }, transforms, { operator, morphWeights: weights });
          const outside = positions.subarray(0, 3 * 78).map((x, c) => Math.max(box[c % 3] - x, x - box[3 + (c % 3)]));
          expect(Math.max(...outside)).toBeLessThan(1e-6);
        },
      ),
      { numRuns: 30, seed: 3 },
    );
  });

  it('is the box itself where bones do not move, and nearly so where they bend', () => {
    const model = sampleTube(400, 24, 24);
    const sets = influenceSets(model);
    const bones = new BonePose(model.skeleton);
    const looseness = (transforms: Float32Array, operator: 'lbs' | 'dqs') => {
      bones.set(transforms);
      const box = around(poseBounds(sets, bones, operator, []));
      const { min, max } = boundsOf(skinPlain(model, transforms, { operator }).positions);
      const size = (low: ArrayLike<number>, high: ArrayLike<number>) =>
        Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
      return size(box.subarray(0, 3), box.subarray(3)) / size(min, max);
    };
    for (const operator of ['lbs', 'dqs'] as const) {
      expect(looseness(clipFrame(model.clips[0], 0), operator)).toBeCloseTo(1, 5);
      expect(looseness(clipFrame(model.clips[0], 12), operator)).toBeLessThan(operator === 'lbs' ? 1.3 : 1.6);
    }
  });
});

/** The box of bones that three.js moves: its upper bone turns about z by `degrees`, and a morph comes up. */
function bendingBox(degrees: number) {
  const model = sampleBox(200, 2, 24);
  model.morphs = [{ name: 'wide', positions: model.mesh.positions.map((x, c) => (c % 3 === 0 ? x : 0)) }];
  const three = threeModel(model);
  three.mesh.morphTargetInfluences = [0];
  three.pose(clipFrame(model.clips[0], 0));
  const [, upper] = three.mesh.skeleton.bones;
  upper.matrix.decompose(upper.position, upper.quaternion, upper.scale);
  upper.matrixAutoUpdate = true;
  const turned = new Quaternion()
    .setFromAxisAngle(new Vector3(0, 0, 1), (degrees * Math.PI) / 180)
    .multiply(upper.quaternion);
  const clip = new AnimationClip('bend', 1, [
    new QuaternionKeyframeTrack(
      `${upper.name}.quaternion`,
      [0, 1],
      [...upper.quaternion.toArray(), ...turned.toArray()],
    ),
    new NumberKeyframeTrack('body.morphTargetInfluences[0]', [0, 1], [0, 0.5]),
  ]);
  three.mesh.name = 'body';
  const root = new Group();
  root.add(three.mesh);
  root.updateMatrixWorld(true);
  return { mesh: three.mesh, upper, turned, clip };
}

describe('bounds of a skinned mesh', () => {
  it.each(THREE_OPERATORS.filter((operator) => operator !== 'mix'))('over a clip, by %s', (operator) => {
    const { mesh, upper, clip } = bendingBox(100);
    useSkinning(mesh, operator);
    const before = upper.quaternion.clone();
    const conservative = computeClipBounds(mesh, clip);
    const sparse = computeClipBounds(mesh, clip, { rate: 4 });
    const exact = computeClipBounds(mesh, clip, { method: 'exact', rate: 200 });
    // Left as it was.
    expect(upper.quaternion.equals(before)).toBe(true);
    expect(mesh.morphTargetInfluences).toEqual([0]);
    const slack = exact.box.clone().expandByScalar(-1e-6);
    expect(conservative.box.containsBox(slack)).toBe(true);
    expect(sparse.box.containsBox(slack)).toBe(true);
    expect(conservative.sphere.radius).toBeGreaterThanOrEqual(0.9 * exact.sphere.radius);
    const diagonal = (box: Box3) => box.getSize(new Vector3()).length();
    expect(diagonal(conservative.box) / diagonal(exact.box)).toBeLessThan(operator === 'lbs' ? 1.25 : 1.6);
    // A rest pose alone would not do.
    expect(exactBounds(mesh).box.containsBox(slack)).toBe(false);
  });

  it('exactly now', () => {
    const { mesh, upper, turned } = bendingBox(70);
    useSkinning(mesh, 'dqs');
    upper.quaternion.copy(turned);
    mesh.updateMatrixWorld(true);
    const { box, sphere } = exactBounds(mesh);
    SkinnedMesh.prototype.computeBoundingBox.call(mesh);
    expect(box.min.distanceTo(mesh.boundingBox!.min)).toBeLessThan(1e-6);
    expect(box.max.distanceTo(mesh.boundingBox!.max)).toBeLessThan(1e-6);
    mesh.computeBoundingSphere();
    expect(mesh.boundingSphere!.equals(sphere)).toBe(true);
    for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
      expect(sphere.distanceToPoint(mesh.getVertexPosition(i, new Vector3()))).toBeLessThan(1e-6);
    }
  });

  it('stands in the space of the mesh, whatever its place and scale', () => {
    const { mesh, clip } = bendingBox(60);
    useSkinning(mesh, 'dqs');
    const { box } = computeClipBounds(mesh, clip);
    mesh.position.set(4, 5, 6);
    mesh.rotation.set(1, 2, 3);
    mesh.scale.setScalar(0.01);
    const moved = computeClipBounds(mesh, clip).box;
    expect(moved.min.distanceTo(box.min)).toBeLessThan(1e-4);
    expect(moved.max.distanceTo(box.max)).toBeLessThan(1e-4);
  });

  it('says what is wrong', () => {
    const { mesh, clip } = bendingBox(60);
    expect(() => computeClipBounds(mesh, clip, { rate: 0 })).toThrow(
      refusal('bad-option', { option: 'rate', values: [0, 1] }),
    );
    expect(() => computeClipBounds(mesh, clip, { root: new Group() })).toThrow(
      refusal('not-found', { values: ['bend'] }),
    );
    useSkinning(mesh, 'dqs', { antipodality: false });
    expect(() => computeClipBounds(mesh, clip)).toThrow(refusal('bad-option', { values: ['conservative', 'exact'] }));
    expect(computeClipBounds(mesh, clip, { method: 'exact' }).box.isEmpty()).toBe(false);
  });
});
