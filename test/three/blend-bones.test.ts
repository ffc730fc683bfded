import { Bone, Group, Matrix4 } from 'three';
import { describe, expect, it } from 'vitest';
import { BLEND_BONE_EXTENSION, BlendBoneDriver, type BlendBoneProperties } from '../../adapters/three/index.ts';
import { columnMajor44From34 } from '../../src/math/matrix34.ts';
import { BonePose } from '../../src/skin/bones.ts';
import {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendScaledDualQuaternions,
} from '../../src/skin/operators.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';
import { threeModel } from '../three-mesh.ts';

const BLENDS: Record<string, Blend> = {
  dqs: blendDualQuaternions,
  sdqs: blendScaledDualQuaternions,
  dib: blendIterative,
};

/** A rig of five bones, the last of which is a blend bone of three others, and for `chain` stands below another. */
function rig(extension: BlendBoneProperties, chain = false) {
  const model = randomRig({ seed: 21, bones: 6 });
  const three = threeModel(model);
  const root = new Group();
  root.add(three.mesh);
  const [, , , , upper, blend] = three.mesh.skeleton.bones;
  root.add(upper, blend);
  if (chain) upper.add(blend);
  blend.userData.gltfExtensions = { [BLEND_BONE_EXTENSION]: extension };
  return { model, three, root, blend, upper };
}

/** The skin matrix of a bone in the space of the mesh. */
function skinMatrix({ mesh }: { mesh: ReturnType<typeof threeModel>['mesh'] }, j: number): Matrix4 {
  const { bones, boneInverses } = mesh.skeleton;
  return mesh.matrixWorld.clone().invert().multiply(bones[j].matrixWorld).multiply(boneInverses[j]);
}

describe('BlendBoneDriver', () => {
  const EXTENSION = { joints: [0, 3, 1], weights: [0.2, 0.5, 0.3] };

  it.each([
    { operator: 'dqs' as const, chain: false },
    { operator: 'dib' as const, chain: false },
    { operator: 'sdqs' as const, chain: false },
    { operator: 'sdqs' as const, chain: true },
  ])('brings a bone to Φ of its masters: $operator, chain: $chain', ({ operator, chain }) => {
    const { model, three, root, blend } = rig({ operator, ...EXTENSION }, chain);
    const driver = new BlendBoneDriver(three.mesh);
    expect(driver.bones).toEqual([blend]);
    root.position.set(1, 2, 3);
    root.rotation.set(0.1, 0.2, 0.3);
    root.scale.setScalar(0.02);
    three.mesh.position.set(0, 1, 0);
    const transforms = randomPose(model, { seed: 22, angle: 1.2, scale: 1.3 });
    three.pose(transforms);
    driver.update();
    root.updateMatrixWorld(true); // What a renderer does.
    const bones = new BonePose(model.skeleton);
    bones.set(transforms);
    const phi = new Float64Array(12);
    BLENDS[operator](phi, { joints: [3, 1, 0], weights: [0.5, 0.3, 0.2], start: 0, k: 3 }, bones, true);
    const expected = new Matrix4();
    columnMajor44From34(expected.elements, 0, phi);
    const found = skinMatrix(three, 5);
    found.elements.forEach((x, c) => {
      expect(x).toBeCloseTo(expected.elements[c], 5);
    });
    driver.dispose();
    expect(blend.matrixAutoUpdate).toBe(true);
  });

  it('says what is wrong with a rig', () => {
    const { mesh } = threeModel(randomRig({ seed: 1 }));
    const refused = expect.objectContaining({ code: 'bad-input', operation: 'BlendBoneDriver' });
    expect(() => new BlendBoneDriver(mesh)).toThrow(refused);
    const wrong = (extension: object) => {
      const { three, blend } = rig(extension as BlendBoneProperties);
      blend.name = 'b';
      return () => new BlendBoneDriver(three.mesh);
    };
    expect(wrong({ operator: 'lbs?', ...EXTENSION })).toThrow(refused);
    expect(wrong({ operator: 'dqs', joints: [9], weights: [1] })).toThrow(refused);
    expect(wrong({ operator: 'dqs', joints: [0, 1], weights: [1] })).toThrow(refused);
    expect(wrong({ operator: 'dqs' })).toThrow(refused);
    expect(wrong({ operator: 'dqs', joints: [0, 1], weights: [1, -1] })).toThrow(refused);
  });

  it('follows bones that stand in no common tree', () => {
    const { three, upper } = rig({ operator: 'dqs', ...EXTENSION });
    upper.removeFromParent();
    new Group().add(upper, new Bone());
    const driver = new BlendBoneDriver(three.mesh);
    expect(() => driver.update()).not.toThrow();
  });
});
