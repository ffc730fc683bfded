import { readFileSync } from 'node:fs';
import { rangeOfMotion } from '../src/doors/skin.ts';
import {
  type Clip,
  clipFrame,
  clipFrameCount,
  type LinearizeOptions,
  memorySource,
  readAsset,
  readGltf,
  type SampleName,
  type SkinnedModel,
} from '../src/index.ts';
import { modelInGltfSpace } from '../src/io/glb/space.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import type { LinearizeRun } from '../src/rig/linearize/linearize.ts';
import { makeSample } from '../src/samples.ts';
import type { NameMap } from '../src/verbs/other-motions.ts';
import { capturedClips, character } from './characters.ts';
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

/** Joints of CMU's captures → those of CesiumMan. */
const CESIUM_MAN: NameMap = {
  ...{ Hips: 'Skeleton_torso_joint_1', Spine: 'Skeleton_torso_joint_2', Spine1: 'torso_joint_3' },
  ...{ Neck1: 'Skeleton_neck_joint_1', Head: 'Skeleton_neck_joint_2' },
  ...{ LeftArm: 'Skeleton_arm_joint_L__4_', LeftForeArm: 'Skeleton_arm_joint_L__3_' },
  ...{ LeftHand: 'Skeleton_arm_joint_L__2_', RightArm: 'Skeleton_arm_joint_R' },
  ...{ RightForeArm: 'Skeleton_arm_joint_R__2_', RightHand: 'Skeleton_arm_joint_R__3_' },
  ...{ LeftUpLeg: 'leg_joint_L_1', LeftLeg: 'leg_joint_L_2', LeftFoot: 'leg_joint_L_3', LeftToeBase: 'leg_joint_L_5' },
  ...{
    RightUpLeg: 'leg_joint_R_1',
    RightLeg: 'leg_joint_R_2',
    RightFoot: 'leg_joint_R_3',
    RightToeBase: 'leg_joint_R_5',
  },
};

/** A walk, a dance, a jump, a cartwheel. */
const CAPTURES = ['02_01', '05_02', '16_01', '49_06'];

/** Rigs with clips. The settings of training were chosen on the first two. */
export async function rigsWithClips(): Promise<SkinnedModel[]> {
  const out: SkinnedModel[] = [];
  const files = ['gltf/CesiumMan.glb', 'gltf/Fox.glb', 'gltf/RobotExpressive.glb', 'collada/stormtrooper.dae'];
  for (const file of files) {
    const path = realData(file);
    if (!path) continue;
    const { models } = await readAsset(nodeFiles, [path]);
    for (const model of models.map(modelInGltfSpace).filter(deforms)) {
      const map = file.includes('CesiumMan') ? CESIUM_MAN : undefined;
      const name = file.replace(/.*\/|\..*/g, '') + (models.length > 1 ? ` ${model.name}` : '');
      const captured = map ? await capturedClips(model.skeleton, CAPTURES, map) : [];
      out.push({ ...model, name, clips: [...model.clips, ...captured] });
    }
  }
  out.push(await sampleRig('figure', 3000));
  for (const [name, build] of [
    ['slim, 65 joints', { vertices: 5000, girth: 1, hands: 0.35 }],
    ['stout, 65 joints', { vertices: 4000, girth: 1.25, hands: 0.2 }],
  ] as const) {
    const model = await character(name, build);
    out.push({ ...model, clips: await capturedClips(model.skeleton, CAPTURES) });
  }
  return out.filter(({ clips }) => clips.length > 0);
}

/** 14,000 vertices, 65 joints, four clips: what time is measured by. */
export async function largeRig(): Promise<SkinnedModel> {
  const model = await character('65 joints', { vertices: 14_000, girth: 1, hands: 0.35 });
  return { ...model, clips: await capturedClips(model.skeleton, CAPTURES) };
}

/** Whether some vertex follows several bones. */
const deforms = ({ weights: { weights } }: SkinnedModel): boolean => weights.some((w) => w > 0 && w < 1);

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
