import { readFileSync } from 'node:fs';
import { rangeOfMotion } from '../src/doors/skin.ts';
import {
  type Clip,
  clipFrame,
  clipFrameCount,
  type LinearizeOptions,
  memorySource,
  readGltf,
  type SampleName,
  type SkinnedModel,
} from '../src/index.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import type { LinearizeRun } from '../src/rig/linearize/linearize.ts';
import { makeSample } from '../src/samples.ts';
import { realData } from './data.ts';

/** A rig, what its blend bones are trained with, and motions to try them on. */
export interface LinearizeCase {
  name: string;
  model: SkinnedModel;
  options: Partial<LinearizeOptions> & LinearizeRun;
  /** The whole motion that the training frames are taken from. */
  whole?: Clip;
  unseen?: Clip[];
}

export async function linearizeCases(): Promise<LinearizeCase[]> {
  const box = await sampleRig('box', 5166);
  const tube = await sampleRig('tube', 1380);
  const figure = await sampleRig('figure', 8000);
  const [man, fox] = [await realRig('CesiumMan.glb'), await realRig('Fox.glb')];
  const train = (model: SkinnedModel, clip: string, options: LinearizeCase['options']) => ({
    model,
    whole: clipNamed(model, clip),
    options: { given: { trainingClips: [clipNamed(model, clip)] }, ...options },
  });
  const shoulders = (model: SkinnedModel, names: readonly string[]): LinearizeCase => {
    const { clip, poses } = rangeOfMotion(model, { only: names.map((name) => model.skeleton.names.indexOf(name)) });
    const stride = clip.transforms.length / clipFrameCount(clip);
    const transforms = new Float32Array(stride * poses.length);
    poses.forEach((k, p) => {
      transforms.set(clipFrame(clip, k), p * stride);
    });
    const posed = { name: 'shoulders', times: steadyTimes(poses.length), transforms };
    return { name: `${model.name}, shoulders only`, model, options: { given: { trainingClips: [posed] } } };
  };
  const exercise = clipNamed(figure, 'exercise');
  const others = figure.clips.filter((clip) => clip !== exercise);
  return [
    { name: 'box, twist by 180°', ...train(box, 'twist', { blendBones: 4 }) },
    { name: 'tube, bend and twist', ...train(tube, 'bend-and-twist', { blendBones: 12 }) },
    { name: 'figure, exercise clip', ...train(figure, 'exercise', {}), unseen: others },
    { name: 'figure, every joint', model: figure, options: {}, unseen: figure.clips },
    shoulders(figure, ['upperArm.L', 'upperArm.R']),
    ...(man
      ? [
          { name: 'CesiumMan, walk', ...train(man, man.clips[0].name, {}) },
          { name: 'CesiumMan, every joint', model: man, options: {}, unseen: man.clips },
          {
            ...shoulders(man, ['Skeleton_arm_joint_L__4_', 'Skeleton_arm_joint_R']),
            name: 'CesiumMan, shoulders only',
          },
        ]
      : []),
    ...(fox
      ? [
          { name: 'Fox, run', ...train(fox, 'Run', {}) },
          { name: 'Fox, every joint', model: fox, options: {}, unseen: fox.clips },
        ]
      : []),
  ];
}

export const sampleRig = async (name: SampleName, resolution: number): Promise<SkinnedModel> =>
  (await makeSample(name, { resolution })).model!;

/** The first rig of a file by others; undefined where the folder is absent. */
async function realRig(name: string): Promise<SkinnedModel | undefined> {
  const path = realData(`gltf/${name}`);
  if (!path) return undefined;
  const asset = await readGltf(memorySource(path, readFileSync(path)), nodeFiles, path);
  return asset.models[0];
}

export const clipNamed = (model: SkinnedModel, name: string): Clip => model.clips.find((clip) => clip.name === name)!;
