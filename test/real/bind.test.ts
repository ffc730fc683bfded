import { beforeAll, describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { boundsOf } from '../../src/mesh/bounds.ts';
import type { Motion } from '../../src/model/asset.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { clipFrameCount, validateClip } from '../../src/model/skeleton.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { alignment, alignSkeleton, overlapNote } from '../../src/rig/bind/align.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import { BIND_METHODS } from '../../src/rig/bind/bind-options.ts';
import { matchBones } from '../../src/rig/bind/bone-names.ts';
import { findMirror } from '../../src/rig/bind/mirror.ts';
import { retargetClip } from '../../src/rig/bind/retarget.ts';
import { trimModel } from '../../src/rig/bind/trim.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { realData } from './data.ts';

const { path, absent, why } = realData();

/** Joints of the motion capture of Carnegie Mellon → bones of the figure. */
const SIDES = { Left: 'L', Right: 'R' } as const;
const LIMBS = {
  Shoulder: 'shoulder',
  Arm: 'upperArm',
  ForeArm: 'foreArm',
  Hand: 'hand',
  UpLeg: 'thigh',
  Leg: 'shin',
  Foot: 'foot',
  ToeBase: 'toes',
};
const MAP: Record<string, string> = { Hips: 'hips', LowerBack: 'spine', Spine: 'chest', Neck: 'neck', Head: 'head' };
for (const [side, letter] of Object.entries(SIDES)) {
  for (const [joint, bone] of Object.entries(LIMBS)) MAP[side + joint] = `${bone}.${letter}`;
}

describe.skipIf(absent)(`binding what others made${why}`, () => {
  let walk: Motion;
  beforeAll(async () => {
    walk = (await readAsset(nodeFiles, [`${path}bvh/02_01.bvh`])).motions[0];
  });

  it.each([
    ['spot', BIND_METHODS],
    ['fandisk', ['heat', 'volume']],
    ['feline', ['geodesic']],
  ] as const)('%s follows a captured skeleton, by %j', async (name, methods) => {
    const [mesh] = (await readAsset(nodeFiles, [`${path}static/${name}.obj`])).meshes;
    const skeleton = alignSkeleton(walk.skeleton, alignment(walk.skeleton, mesh));
    expect(overlapNote(mesh, skeleton)).toBeUndefined();
    for (const method of methods) {
      const { weights } = await bind(mesh, skeleton, { method, resolution: 48 });
      validateWeights(weights, vertexCount(mesh), skeleton.names.length);
    }
  });

  it('the bunny, with its holes and loose vertices, follows it by heat', async () => {
    const [mesh] = (await readAsset(nodeFiles, [`${path}static/stanford-bunny.obj`])).meshes;
    const skeleton = alignSkeleton(walk.skeleton, alignment(walk.skeleton, mesh));
    const { weights, report } = await bind(mesh, skeleton, { method: 'heat' });
    validateWeights(weights, vertexCount(mesh), skeleton.names.length);
    expect(report.notes).toMatchObject([
      { code: 'surface-open' },
      { code: 'parts-without-bones', data: { without: 1113, parts: 1114 } },
    ]);
  });

  it.each(['02_01', '49_06'])('motion capture %s moves the figure, which stays on the ground', async (name) => {
    const [{ skeleton, clips }] = (await readAsset(nodeFiles, [`${path}bvh/${name}.bvh`])).motions;
    const figure = sampleFigure(1500, 2, 24);
    const sourceOf = matchBones(skeleton.names, figure.skeleton.names, MAP);
    expect(sourceOf).not.toContain(-1);
    const { clip } = retargetClip(skeleton, clips[0], figure.skeleton, sourceOf);
    validateClip(clip, figure.skeleton.names.length);
    const posed = posedSequence({ ...figure, clips: [clip] }, 0);
    const lows: number[] = [];
    for (let k = 1; k < clipFrameCount(clip); k += 7) lows.push(boundsOf(await posed.readFrame(k)).min[1]);
    // A person of 1.75 m: soles or hands are on the floor within a few centimetres, whatever the pose.
    const sorted = lows.sort((a, b) => a - b);
    expect(Math.abs(sorted[Math.floor(sorted.length / 2)])).toBeLessThan(0.08);
    expect(sorted[0]).toBeGreaterThan(-0.2);
    expect(sorted.at(-1)).toBeLessThan(0.3);
  });

  it('finds the other side of bones whose names mislead', async () => {
    const [{ mesh, skeleton }] = (await readAsset(nodeFiles, [`${path}gltf/CesiumMan.glb`])).models;
    const { boneOf, matched } = findMirror(mesh, skeleton);
    expect(matched).toBe(vertexCount(mesh));
    const other = (name: string) => skeleton.names[boneOf[skeleton.names.indexOf(name)]];
    expect(other('Skeleton_arm_joint_L__3_')).toBe('Skeleton_arm_joint_R__2_');
    expect(other('leg_joint_L_2')).toBe('leg_joint_R_2');
  });

  it.each(['CesiumMan', 'Fox'])('trimming %s costs little at three influences, and more at one', async (name) => {
    const [model] = (await readAsset(nodeFiles, [`${path}gltf/${name}.glb`])).models;
    const costs: number[] = [];
    for (const influences of [3, 2, 1]) costs.push((await trimModel(model, { influences })).errors[0].rmsePercent);
    expect(costs[0]).toBeLessThan(0.1);
    expect(costs[1]).toBeGreaterThan(costs[0]);
    expect(costs[2]).toBeGreaterThan(costs[1]);
  });
});
