import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import { validateSequence } from '../../src/model/sequence.ts';
import { type Clip, clipFrame, validateClip } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { ClipSampler, poseAt, restClip, steadyClip } from '../../src/skin/poses.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { expectRefusal, refusal } from '../refusal.ts';
import { farthest, randomPose, randomRig, rigidMotion } from './rigs.ts';
import { skin } from './skin.ts';

/** A square of two triangles whose diagonal is a seam, and one loose vertex: N = 5, W = 6. */
function seamed(): SkinnedModel {
  const model = randomRig({ seed: 1, vertices: 5, bones: 3 });
  model.mesh.triangles = new Uint32Array([0, 1, 2, 2, 1, 3]);
  model.mesh.seams = {
    vertexOf: new Uint32Array([3, 2, 1, 1, 0, 2]),
    triangles: new Uint32Array([4, 2, 1, 5, 3, 0]),
  };
  model.mesh.normals = new Float32Array([0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0]);
  return model;
}

const clipOf = (name: string, times: number[], transforms: Float32Array, locals?: Float32Array) => ({
  name,
  times: Float64Array.from(times),
  transforms,
  locals,
});

function caught(action: () => unknown): PliantError {
  try {
    action();
  } catch (error) {
    if (error instanceof PliantError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('Skinner', () => {
  it.each(['wasm', 'typescript'] as const)('returns the same views every time, %s', (kernel) => {
    const rig = randomRig({ seed: 2 });
    const skinner = new Skinner(rig, { operator: 'dqs', kernel });
    expect(skinner.kernel).toBe(kernel);
    const first = skinner.pose(identity34(7));
    const { positions, normals } = first;
    const second = skinner.pose(randomPose(rig, { seed: 3 }));
    expect(second).toBe(first);
    expect(second.positions).toBe(positions);
    expect(second.normals).toBe(normals);
    expect(farthest(positions, rig.mesh.positions)).toBeGreaterThan(0.1);
    skinner.pose(identity34(7));
    expect(farthest(positions, rig.mesh.positions)).toBeLessThan(1e-6);
  });

  it('leaves the model and the transforms as they were', () => {
    const rig = randomRig({ seed: 4 });
    const pose = randomPose(rig, { seed: 5 });
    const [rigBefore, poseBefore] = [structuredClone(rig), pose.slice()];
    skin(rig, pose, { operator: 'mix' });
    expect(rig).toEqual(rigBefore);
    expect(pose).toEqual(poseBefore);
  });

  it('poses normals per split vertex and positions per vertex', () => {
    const model = seamed();
    const pose = randomPose(model, { seed: 6, scale: 1.5 });
    const { positions, normals, splitPositions } = skin(model, pose);
    const withoutNormals = skin(model, pose, { normals: false });
    expect(positions).toHaveLength(15);
    expect(normals).toHaveLength(18);
    expect(splitPositions).toHaveLength(18);
    expect(positions).toEqual(withoutNormals.positions);
    expect(withoutNormals.splitPositions).toBeUndefined();
    model.mesh.seams!.vertexOf.forEach((i, w) => {
      expect(splitPositions!.slice(3 * w, 3 * w + 3)).toEqual(positions.slice(3 * i, 3 * i + 3));
    });
    // Split vertices 1 and 5 belong to one vertex: its two normals are posed by the same matrix.
    expect(normals!.slice(3, 6)).not.toEqual(normals!.slice(15, 18));
  });

  it('poses no normals where the mesh has none', () => {
    const rig = randomRig({ seed: 7 });
    delete rig.mesh.normals;
    expect(skin(rig, identity34(7)).normals).toBeUndefined();
  });

  it('uses the operator of the model unless told otherwise', () => {
    const rig = { ...randomRig({ seed: 8 }), operator: 'dqs' as const };
    expect(new Skinner(rig).operator).toBe('dqs');
    expect(new Skinner(rig, { operator: 'rigid' }).operator).toBe('rigid');
  });

  it('refuses what it cannot pose', () => {
    const rig = randomRig({ seed: 9 });
    const skinner = new Skinner(rig);
    expect(() => skinner.pose(identity34(6))).toThrow(refusal('bad-input', { values: [72, 84, 7] }));
    expect(() => skinner.pose(identity34(7).fill(Number.NaN, 30, 31))).toThrow(
      refusal('bad-input', { values: [2, 'NaN'] }),
    );
    expect(() => skinner.pose(identity34(7), Int8Array.of(1))).toThrow(refusal('bad-input', { values: [1, 7] }));
    skinner.dispose();
    expect(() => skinner.pose(identity34(7))).toThrow(refusal('bad-input'));
    const plain = { ...rig, mixWeights: undefined };
    expect(caught(() => new Skinner(plain, { operator: 'mix' })).code).toBe('bad-input');
    expect(caught(() => new Skinner(rig, { operator: 'dib', kernel: 'wasm' })).code).toBe('unsupported');
    expect(caught(() => new Skinner(rig, { operator: 'soft' as never })).code).toBe('bad-option');
    const short = { ...rig, mixWeights: new Float32Array(1) };
    expect(() => new Skinner(short, { operator: 'mix' })).toThrow(refusal('bad-input', { values: [1] }));
    const weights = { ...rig.weights, joints: rig.weights.joints.slice().fill(7, 0, 1) };
    expect(() => new Skinner({ ...rig, weights })).toThrow(refusal('bad-input', { values: [7, 7] }));
  });

  it('poses rigid transforms without decomposing them, to the same end', () => {
    const rig = randomRig({ seed: 21 });
    const pose = randomPose(rig, { seed: 22 });
    const skinner = new Skinner(rig, { operator: 'dqs' });
    const slow = skinner.pose(pose).positions.slice();
    expect(farthest(skinner.poseRigid(pose).positions, slow)).toBeLessThan(1e-5);
    const linear = new Skinner(rig, { operator: 'lbs' });
    expect(() => linear.poseRigid(pose)).toThrow(refusal('bad-input'));
  });

  it('takes options that are undefined as not given', () => {
    const { operator } = new Skinner(randomRig({ seed: 9 }), { operator: undefined, kernel: undefined });
    expect(operator).toBe('lbs');
  });

  it('can be made a thousand times', () => {
    const rig = randomRig({ seed: 10, vertices: 3 });
    for (let made = 0; made < 1000; made++) new Skinner(rig).pose(identity34(7));
  });
});

describe('posedSequence', () => {
  const rig = randomRig({ seed: 11 });
  const frames = [1, 2, 3].map((seed) => randomPose(rig, { seed, angle: 1 }));
  rig.clips = [clipOf('wave', [0, 0.5, 2], Float32Array.from(frames.flatMap((frame) => [...frame])))];

  it('has one frame per key, the same in any order and into a given array', async () => {
    const sequence = posedSequence(rig, 'wave');
    await validateSequence(sequence);
    expect(sequence.frameCount).toBe(3);
    expect([...sequence.times]).toEqual([0, 0.5, 2]);
    for (const k of [2, 0, 1]) {
      const expected = skin(rig, frames[k]).positions;
      expect(await sequence.readFrame(k)).toEqual(expected);
      const out = new Float32Array(expected.length);
      expect(await sequence.readFrame(k, out)).toBe(out);
      expect(out).toEqual(expected);
    }
    await sequence.close?.();
    await expectRefusal(sequence.readFrame(0), 'bad-input');
  });

  it('finds clips by index or name, and says which there are', async () => {
    expect(posedSequence(rig, 0).name).toBe(posedSequence(rig, 'wave').name);
    expect(() => posedSequence(rig, 'run')).toThrow(refusal('not-found', { values: ['run', 'wave'] }));
    expect(caught(() => posedSequence(rig, 1)).code).toBe('not-found');
    await expectRefusal(posedSequence(rig, 0).readFrame(3), 'bad-option', { values: [3] });
  });

  it('follows turns beyond 180° with antipodality off', async () => {
    const model = randomRig({ seed: 12, vertices: 3, bones: 2, influences: 2 });
    model.mesh.positions.set([0, 1, 0]);
    model.weights.weights.set([0.5, 0.5]);
    model.weights.joints.set([0, 1]);
    const degrees = [0, 100, 200, 300];
    const still = rigidMotion([1, 0, 0], 0);
    const transforms = degrees.flatMap((d) => [...still, ...rigidMotion([1, 0, 0], (d * Math.PI) / 180)]);
    model.clips = [clipOf('twist', [0, 1, 2, 3], Float32Array.from(transforms))];
    const sequence = posedSequence(model, 0, { operator: 'dib', antipodality: false });
    for (let k = 0; k < 4; k++) {
      const [, y, z] = await sequence.readFrame(k);
      expect((Math.atan2(z, y) * 180) / Math.PI).toBeCloseTo(degrees[k] / 2, 3);
    }
  });
});

describe('poseAt', () => {
  const { skeleton } = randomRig({ seed: 13, bones: 2 });
  skeleton.parents[1] = 0;
  const turn = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const locals = Float32Array.from([
    ...[1, 2, 3, ...turn(0), 1, 1, 1, 0, 1, 0, ...turn(0), 1, 1, 1],
    ...[3, 2, 1, ...turn(1), 2, 2, 2, 0, 3, 0, ...turn(2), 1, 1, 1],
  ]);
  const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
  const clip = clipOf('bend', [1, 3], transforms, locals);

  it('is the key at a key, and stands still outside', () => {
    for (const time of [-5, 1]) expect(poseAt(skeleton, clip, time)).toEqual(transforms.slice(0, 24));
    for (const time of [3, 99]) expect(poseAt(skeleton, clip, time)).toEqual(transforms.slice(24));
  });

  it('interpolates local poses, rotations spherically', () => {
    const between = Float32Array.from([
      ...[1.5, 2, 2.5, ...turn(0.25), 1.25, 1.25, 1.25, 0, 1.5, 0, ...turn(0.5), 1, 1, 1],
    ]);
    const expected = skinTransforms(skeleton.parents, skeleton.inverseBind, between);
    poseAt(skeleton, clip, 1.5).forEach((x, c) => {
      expect(x).toBeCloseTo(expected[c], 5);
    });
  });

  it('interpolates matrices where there are only those', () => {
    const bare = clipOf('bare', [1, 3], transforms);
    const out = new Float32Array(24);
    expect(new ClipSampler(skeleton, bare).poseAt(2, out)).toBe(out);
    out.forEach((x, c) => {
      expect(x).toBeCloseTo((transforms[c] + transforms[24 + c]) / 2, 6);
    });
  });
});

describe('clips', () => {
  const rig = randomRig({ seed: 14, bones: 2 });
  const { skeleton } = rig;
  const keys = [1, 2].map((seed) => randomPose(rig, { seed, angle: 1 }));
  const clip: Clip = {
    ...clipOf('wave', [1, 2], Float32Array.from(keys.flatMap((key) => [...key]))),
    morphWeights: Float32Array.of(0, 4, 1, 0),
  };

  it('at a steady rate have the poses and morph weights of their times, and end before they end', () => {
    const steady = steadyClip(skeleton, clip, 4);
    validateClip(steady, 2, 'test', 2);
    expect([...steady.times]).toEqual([1, 1.25, 1.5, 1.75, 2]);
    steady.times.forEach((time, k) => {
      expect(clipFrame(steady, k)).toEqual(poseAt(skeleton, clip, time));
    });
    expect([...steady.morphWeights!]).toEqual([0, 4, 0.25, 3, 0.5, 2, 0.75, 1, 1, 0]);
    expect([...steadyClip(skeleton, clip, 1.5).times]).toEqual([1, 1 + 1 / 1.5]);
  });

  it('of the rest pose stand still there', () => {
    const still = restClip(skeleton, 'rest');
    validateClip(still, 2);
    // Free joints without rotation: at rest they undo their inverse bind matrices.
    still.transforms.forEach((x, c) => {
      expect(x).toBeCloseTo(identity34(2)[c], 6);
    });
  });
});
