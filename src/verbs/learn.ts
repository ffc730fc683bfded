import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import type { LearnRun } from '../learn/bones/fit-bones.ts';
import { rigBones } from '../learn/bones/rig-bones.ts';
import type { LearnGiven } from '../learn/given.ts';
import { learn as learnExamples } from '../learn/learn.ts';
import type { LearnOptions } from '../learn/learn-options.ts';
import type { MethodTrial } from '../learn/learn-report.ts';
import { examplesClip, predictorModel } from '../learn/predictor-model.ts';
import type { Asset } from '../model/asset.ts';
import { vertexCount } from '../model/mesh.ts';
import { addNotes, note } from '../model/note.ts';
import type { OptionSpecs } from '../model/options.ts';
import type { Predictor } from '../model/predictor.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { BLEND_OPTIONS, requireOneRig } from './choose.ts';
import { type PredictorInfo, predictorInfo } from './info.ts';
import { type SceneOptions, scenesOf } from './scenes.ts';
import { clipReport, glbOf, modelPart, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** Options of `learn` in addition to `LEARN_OPTIONS`. */
export const LEARN_INPUT_OPTIONS = {
  object: {
    type: 'string',
    default: undefined,
    description: 'object of the scene to learn from [default all, together]',
  },
  ...BLEND_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `learn`. */
export interface LearnVerbOptions extends Partial<LearnOptions>, SceneOptions, LearnRun {
  /** A rig of the same mesh, whose bones and weights are taken instead of new ones. */
  rig?: Asset;
  given?: LearnGiven;
  /** How to write the GLB [default not at all]. */
  glb?: Partial<ModelGlbOptions>;
}

/** What `learn` returns. */
export interface LearnOutcome {
  predictor: Predictor;
  /** The examples as a clip of the bones, for players that know no predictors. */
  models: SkinnedModel[];
  /** The GLB, with the predictor. */
  file?: Uint8Array;
  report: VerbReport<LearnDetail>;
}

/** What only `learn` reports. */
export interface LearnDetail extends PredictorInfo {
  /** What the caller knew: points, names, bones. */
  given: string[];
  /** The frames that serve as examples. */
  exampleFrames: number[];
  /** What each method that was tried can do at its best, the one that was taken first. */
  tried: MethodTrial[];
}

/** Learns from example poses how a surface follows a few of its points. Each input is a clip of examples, or several. */
export async function learn(
  input: VerbInput | readonly VerbInput[],
  options: LearnVerbOptions = {},
): Promise<LearnOutcome> {
  const { rig, glb } = options;
  const scenes = scenesOf('learn', input, options);
  const given = { ...options.given, ...(rig && { bones: bonesOf(rig, options, scenes.clips[0].rest) }) };
  const { predictor, transforms, examples, tried, report } = await learnExamples(scenes.clips, { ...options, given });
  const model = predictorModel(predictor, [examplesClip(predictor, transforms)]);
  const ordered = given.names && !given.points ? [note('names-in-order', {})] : [];
  const told = verbReport(
    { ...predictorInfo(predictor), given: report.given, exampleFrames: Array.from(examples.frames), tried },
    {
      figures: { ...report.figures, vertices: vertexCount(predictor.mesh) },
      clips: model.clips.map((clip) => clipReport(clip)),
      parts: [modelPart(model)],
      notes: [...scenes.notes, ...ordered, ...report.notes],
      seconds: report.seconds,
    },
  );
  // The file has the meshes of the scene, with their materials; the predictor drives all of them as one.
  const parts = scenes.split(model);
  addNotes(told.notes, ...scenes.lost(parts));
  const written = await glbOf(parts, glb && { ...glb, predictor }, told);
  return { predictor, models: [model], ...written, report: told };
}

/** The bones of a rig, which bring their own number. */
function bonesOf(asset: Asset, { bones }: LearnVerbOptions, rest: SkinnedModel['mesh']): LearnGiven['bones'] {
  if (bones !== undefined)
    throw new PliantError('bad-option', 'learn', 'cannot be combined with {option:rig}', { option: 'bones' });
  return rigBones(requireOneRig('learn', asset), rest);
}
