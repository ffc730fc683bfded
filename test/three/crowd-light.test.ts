import { type AnimationClip, Matrix4, MeshBasicMaterial, MeshLambertMaterial, type SkinnedMesh } from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { LightEnvironment, SkinnedCrowd, useLight } from '../../adapters/three/index.ts';
import { type CrowdCharacter, crowdCharacter } from '../../bench/engines/crowd-character.ts';
import { refusal } from '../refusal.ts';
import { poseAt } from '../three-pose.ts';

const sky = new LightEnvironment(new Float32Array(75).fill(0.1));

describe('light on a crowd', () => {
  let character: CrowdCharacter;
  let clip: AnimationClip;
  let crowd: SkinnedCrowd;
  beforeAll(async () => {
    character = await crowdCharacter(300, 2);
    [clip] = character.clips;
    crowd = new SkinnedCrowd(character.scene, { clips: [clip], rate: 10 });
  });

  /** The spheres of a character alone, in the space of its root. */
  const ballsAlone = (time?: number): Float32Array => {
    const root = clone(character.scene);
    root.traverse((object) => {
      // That of the crowd is lit as a crowd.
      if ((object as SkinnedMesh).isSkinnedMesh) (object as SkinnedMesh).material = new MeshLambertMaterial();
    });
    root.updateMatrixWorld(true);
    const light = useLight(root, sky, { spheres: 24 });
    if (time !== undefined) poseAt(root, clip, time);
    root.updateMatrixWorld(true);
    light.spheres.pose();
    const balls = light.spheres.posed.balls.slice();
    light.dispose();
    return balls;
  };

  it('has the spheres that a character alone has, in every stored pose and in those that are set live', () => {
    const light = useLight(crowd, sky, { spheres: 24 });
    const { width, height } = light.spheres.texture.image;
    expect(width * height).toBeGreaterThanOrEqual(24 * crowd.drawing.bones.capacity);
    const expectNear = (found: Float32Array, expected: Float32Array) =>
      found.forEach((x, c) => {
        expect(x).toBeCloseTo(expected[c], 2);
      });
    expectNear(light.spheres.ballsOf(0), ballsAlone());
    const { first, intervals, duration } = crowd.drawing.bones.baked[1];
    expectNear(light.spheres.ballsOf(first + 3), ballsAlone((3 * duration) / intervals));

    // Another pose, and room for more: the texture is made anew.
    const before = light.spheres.texture;
    const i = crowd.addInstance(new Matrix4());
    poseAt(character.scene, clip, duration / 3);
    crowd.setPoseAt(i);
    expect(light.spheres.texture).not.toBe(before);
    const live = Array.from({ length: crowd.drawing.bones.capacity }, (_, pose) => light.spheres.ballsOf(pose)).filter(
      (_, pose) => pose >= first + intervals + 1,
    );
    const wanted = ballsAlone(duration / 3);
    expect(live.some((balls) => balls.every((x, c) => Math.abs(x - wanted[c]) < 5e-3))).toBe(true);
    light.dispose();
  });

  it('says what it does not light, and refuses what crowds do not have', () => {
    const light = useLight(crowd, sky, { spheres: 4 });
    expect(light.unlit).toEqual([]);
    light.dispose();
    for (const options of [{ path: 'pass' }, { floor: true }, { baked: true }, { neighbours: 3 }]) {
      expect(() => useLight(crowd, sky, options as object)).toThrow(
        refusal('bad-option', { option: Object.keys(options)[0] }),
      );
    }
    expect(() => useLight(crowd, sky, { directions: 20 })).toThrow(refusal('bad-option', { option: 'directions' }));
    const basic = new MeshBasicMaterial();
    const plain = clone(character.scene);
    plain.traverse((object) => {
      if ((object as SkinnedMesh).isSkinnedMesh) (object as SkinnedMesh).material = basic;
    });
    expect(useLight(new SkinnedCrowd(plain), sky, { spheres: 4 }).unlit).toEqual([basic]);
  });
});
