import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { identity34, matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import type { Asset } from '../../src/model/asset.ts';
import { type Mesh, triangleCount, validateMesh, vertexCount } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { steadyTimes, validateSequence } from '../../src/model/sequence.ts';
import { clipFrame, validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { largestDistance, naiveLbs } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';
import { realData } from './data.ts';

const { path: data, absent, why } = realData();

const opened: Asset[] = [];
const open = async (...names: string[]): Promise<Asset> => {
  const asset = await readAsset(
    nodeFiles,
    names.map((name) => data + name),
  );
  opened.push(asset);
  for (const mesh of asset.meshes) validateMesh(mesh);
  for (const sequence of asset.sequences) await validateSequence(sequence);
  for (const model of asset.models) validateModel(model);
  for (const { skeleton, clips } of asset.motions) {
    validateSkeleton(skeleton);
    for (const clip of clips) validateClip(clip, skeleton.names.length);
  }
  return asset;
};
afterEach(async () => {
  for (const asset of opened.splice(0)) for (const sequence of asset.sequences) await sequence.close?.();
});

/** Vertices, triangles and frames. */
const SEQUENCES: Record<string, [number, number, number]> = {
  'horse-gallop': [8431, 16843, 48],
  'horse-collapse': [8431, 16843, 52],
  'cat-poses': [7207, 14410, 9],
  'face-poses': [29299, 57836, 9],
  'cow-elastic': [2904, 5804, 203],
  'cloth-vellum': [3101, 5912, 59],
  'wolf-poses': [5075, 10018, 21],
};

/** Vertices, triangles and split vertices. */
const STATIC: Record<string, [number, number, number]> = {
  'fandisk.obj': [6475, 12946, 6475],
  'feline.obj': [4998, 10000, 4998],
  'rocker-arm.obj': [10044, 20088, 10044],
  'spot.obj': [2930, 5856, 3225],
  'stanford-bunny.obj': [35947, 69451, 35947],
};

/** Bones (31 joints and 7 end sites) and frames. */
const MOTIONS: Record<string, [number, number]> = {
  '02_01.bvh': [38, 344],
  '05_02.bvh': [38, 1124],
  '16_01.bvh': [38, 323],
  '49_06.bvh': [38, 482],
};

/** Sequences, models. */
const SCENES: Record<string, [number, number]> = {
  'Horse.glb': [1, 0],
  'MorphStressTest.glb': [3, 0],
  'AnimatedMorphCube.glb': [1, 0],
  'CesiumMan.glb': [0, 1],
  'Fox.glb': [0, 1],
  'RiggedFigure.glb': [0, 1],
  'RiggedSimple.glb': [0, 1],
};

describe.skipIf(absent)(`every real file${why}`, () => {
  it('is in a table here', () => {
    expect(readdirSync(`${data}sequences`).sort()).toEqual(Object.keys(SEQUENCES).sort());
    expect(readdirSync(`${data}static`).sort()).toEqual(Object.keys(STATIC).sort());
    const bvh = readdirSync(`${data}bvh`).filter((name) => name.endsWith('.bvh'));
    expect(bvh.sort()).toEqual(Object.keys(MOTIONS).sort());
    expect(readdirSync(`${data}gltf`).sort()).toEqual([...Object.keys(SCENES), 'RobotExpressive.glb'].sort());
    expect(readdirSync(`${data}caches`).sort()).toEqual(['Bone_Anim.abc', 'cloth-drop.mdd']);
    expect(readdirSync(`${data}collada`)).toEqual(['stormtrooper.dae']);
  });

  it.each(Object.entries(SEQUENCES))('%s is a sequence', async (name, [vertices, triangles, frames]) => {
    const { sequences, notes } = await open(`sequences/${name}`);
    const [sequence] = sequences;
    expect(sequence.name).toBe(name);
    expect([vertexCount(sequence.rest), triangleCount(sequence.rest), sequence.frameCount]).toEqual([
      vertices,
      triangles,
      frames,
    ]);
    expect(notes).toEqual([]);
  });

  it.each(Object.entries(STATIC))('%s is a mesh', async (name, [vertices, triangles, split]) => {
    const [mesh] = (await open(`static/${name}`)).meshes;
    const w = mesh.seams?.vertexOf.length ?? vertexCount(mesh);
    expect([vertexCount(mesh), triangleCount(mesh), w]).toEqual([vertices, triangles, split]);
  });

  it.each(Object.entries(MOTIONS))('%s is a motion', async (name, [bones, frames]) => {
    const [motion] = (await open(`bvh/${name}`)).motions;
    expect([motion.skeleton.names.length, motion.clips[0].times.length]).toEqual([bones, frames]);
    expect(motion.clips[0].times[1]).toBeCloseTo(1 / 120, 5);
  });

  it.each(Object.entries(SCENES))('%s is a scene', async (name, [sequences, models]) => {
    const asset = await open(`gltf/${name}`);
    expect([asset.sequences.length, asset.models.length]).toEqual([sequences, models]);
    for (const model of asset.models) expect(model.clips.length).toBeGreaterThan(0);
  });

  it('RobotExpressive.glb holds one character in many parts', async () => {
    const { models } = await open('gltf/RobotExpressive.glb');
    expect(models.length).toBeGreaterThan(10);
  });

  it('cloth-drop.mdd is a sequence of points', async () => {
    const asset = await open('caches/cloth-drop.mdd');
    const [sequence] = asset.sequences;
    expect([vertexCount(sequence.rest), triangleCount(sequence.rest), sequence.frameCount]).toEqual([2500, 0, 41]);
    expect(sequence.times[24]).toBeCloseTo(1, 5);
    expect(codesOf(asset.notes)).toEqual(['cache-without-mesh']);
  });

  it('stormtrooper.dae is a skinned model of 65 joints, and the node above them', async () => {
    const { models, space, notes } = await open('collada/stormtrooper.dae');
    const [model] = models;
    expect([vertexCount(model.mesh), triangleCount(model.mesh)]).toEqual([3275, 6518]);
    expect(model.skeleton.names.filter((name) => name.startsWith('mixamorig'))).toHaveLength(65);
    expect(model.skeleton.names).toHaveLength(66);
    expect(model.clips.map((clip) => clip.times.length)).toEqual([116]);
    expect(space).toEqual({ up: 'z', metresPerUnit: 1 });
    expect(notes).toEqual([note('image-missing', { file: 'Stormtrooper_D.jpg' })]);
  });

  it('Bone_Anim.abc is a sequence', async () => {
    const { sequences, notes } = await open('caches/Bone_Anim.abc');
    const [sequence] = sequences;
    expect([vertexCount(sequence.rest), triangleCount(sequence.rest), sequence.frameCount]).toEqual([754, 1504, 400]);
    expect(notes).toEqual([]);
    await sequence.close?.();
  });
});

describe.skipIf(absent)(`the true rig of wolf-poses${why}`, () => {
  /** As the file has it: per vertex (bone, weight) pairs; per frame and bone 16 numbers, column-major, rest → pose. */
  interface Rig {
    maxLbsErrOverDiag: number;
    weights: [number, number][][];
    matrices: number[][][];
  }

  it('reproduces the frames by linear blending', async () => {
    const [sequence] = (await open('sequences/wolf-poses')).sequences;
    const { rest } = sequence;
    const rig: Rig = JSON.parse(readFileSync(`${data}sequences/wolf-poses/rig.json`, 'utf8'));
    const model = wolfModel(rig, rest);
    validateModel(model);
    // The file leaves out weights below 1e-5 and is exact to 7e-7 without them; ours are normalised after that.
    expect(rig.maxLbsErrOverDiag).toBeLessThan(1e-6);
    const tolerance = 5e-6 * diagonalOf(rest.positions);
    for (let k = 0; k < sequence.frameCount; k++) {
      const posed = naiveLbs(model, clipFrame(model.clips[0], k));
      expect(largestDistance(posed, await sequence.readFrame(k))).toBeLessThan(tolerance);
    }
  });

  function wolfModel({ weights, matrices }: Rig, mesh: Mesh): SkinnedModel {
    const bones = matrices[0].length;
    const influences = Math.max(...weights.map((row) => row.length));
    const skin = {
      influences,
      joints: new Uint16Array(influences * weights.length),
      weights: new Float32Array(influences * weights.length),
    };
    for (const [i, row] of weights.entries()) {
      const sum = row.reduce((total, [, weight]) => total + weight, 0);
      for (const [s, [joint, weight]] of row.toSorted((a, b) => b[1] - a[1]).entries()) {
        skin.joints[i * influences + s] = joint;
        skin.weights[i * influences + s] = weight / sum;
      }
    }
    // Frame 0 is the rest pose, which the cache leaves out.
    const transforms = new Float32Array(12 * bones * (matrices.length - 1));
    for (const [k, frame] of matrices.slice(1).entries()) {
      for (const [j, matrix] of frame.entries()) matrix34FromColumnMajor44(transforms, 12 * (bones * k + j), matrix);
    }
    const restLocals = new Float32Array(10 * bones);
    for (let j = 0; j < bones; j++) restLocals.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], 10 * j);
    return {
      name: 'wolf',
      mesh,
      weights: skin,
      skeleton: {
        names: Array.from({ length: bones }, (_, j) => `bone ${j}`),
        parents: new Int32Array(bones).fill(-1),
        restLocals,
        inverseBind: identity34(bones),
      },
      clips: [{ name: 'poses', times: steadyTimes(matrices.length - 1), transforms }],
      operator: 'lbs',
    };
  }
});
