import { describe, expect, it } from 'vitest';
import { vertexCount } from '../../src/model/mesh.ts';
import type { Clip } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { choosePoses, DEFAULT_POSE, keepsShape, type Pose } from '../../src/skin/choose-poses.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { smallSample } from '../rig/linearize-rigs.ts';

const tube = await smallSample('tube', 60, 40);
const key = ({ name, time }: Pose) => `${name} ${time}`;

describe('poses that levels are made for', () => {
  it('starts with the default pose, holds others out, and takes moments of every clip', () => {
    const twice: SkinnedModel = { ...tube, clips: [tube.clips[0], { ...tube.clips[0], name: 'again' }] };
    const { poses, held } = choosePoses([twice], { poses: 12, held: 6 });
    expect(poses[0].name).toBe(DEFAULT_POSE);
    expect([poses.length, held.length]).toEqual([12, 6]);
    const fitted = new Set(poses.map(key));
    expect(fitted.size).toBe(12);
    expect(held.every((pose) => !fitted.has(key(pose)))).toBe(true);
    expect(new Set(held.map(({ name }) => name)).size).toBe(2);
    const [, second] = poses;
    const clip = twice.clips.find(({ name }) => name === second.name)!;
    expect(second.parts[0].transforms).toEqual(poseAt(twice.skeleton, clip, second.time));
  });

  it('moves a rig without clips through a range of motion', () => {
    const { poses, held } = choosePoses([{ ...tube, clips: [] }], { poses: 5, held: 3 });
    expect(poses.map(({ name }) => name)).toEqual([DEFAULT_POSE, ...Array(4).fill('range of motion')]);
    expect(held).toHaveLength(3);
  });

  it('poses all models of a file at the same moments, at rest where a clip does not move them', () => {
    const still: SkinnedModel = { ...tube, clips: [] };
    const { poses } = choosePoses([tube, still], { poses: 6 });
    for (const { parts } of poses) expect(parts[1].transforms).toEqual(poses[0].parts[1].transforms);
    expect(poses[1].parts[0].transforms).not.toEqual(poses[0].parts[0].transforms);
  });

  it('needs one pose of what one bone moves, and one more for each morph that no clip dials', () => {
    const n = vertexCount(tube.mesh);
    const weights = { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
    const rigid: SkinnedModel = { ...tube, weights };
    expect(choosePoses([rigid]).poses).toHaveLength(1);
    const morphs = ['smile', 'frown'].map((name) => ({ name, positions: tube.mesh.positions.map(() => 0.1) }));
    const { poses, held } = choosePoses([{ ...rigid, morphs }]);
    expect(poses.map(({ name }) => name)).toEqual([DEFAULT_POSE, 'smile', 'frown']);
    expect(poses[2].parts[0].morphWeights).toEqual(Float32Array.of(0, 1));
    expect(held).toHaveLength(0);
  });

  it('takes moments of a clip that scales what one bone moves', () => {
    const n = vertexCount(tube.mesh);
    const weights = { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
    const [clip] = tube.clips;
    const grown = { ...clip, transforms: clip.transforms.map((x) => 2 * x) };
    const model = (clips: Clip[]): SkinnedModel => ({ ...tube, weights, clips });
    expect([model([]), model([clip]), model([grown])].map(keepsShape)).toEqual([true, true, false]);
    const { poses, held } = choosePoses([model([grown])], { poses: 4, held: 2 });
    expect([poses.length, held.length]).toEqual([4, 2]);
  });

  it('takes moments of a clip that dials morphs, also where one bone moves all', () => {
    const n = vertexCount(tube.mesh);
    const weights = { influences: 1, joints: new Uint16Array(n), weights: new Float32Array(n).fill(1) };
    const morphs = [{ name: 'smile', positions: tube.mesh.positions.map((x) => 0.1 * x) }];
    const [clip] = tube.clips;
    const smiling = { ...clip, morphWeights: Float32Array.from(clip.times.keys(), (k) => k / clip.times.length) };
    const { poses, held } = choosePoses([{ ...tube, weights, morphs, clips: [smiling] }], { poses: 4, held: 2 });
    expect([poses.length, held.length]).toEqual([4, 2]);
    expect(Math.max(...poses.map(({ parts }) => parts[0].morphWeights![0]))).toBeGreaterThan(0.5);
  });
});
