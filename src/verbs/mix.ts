import { PliantError } from '../error.ts';
import { MODEL_GLB_OPTIONS, type ModelGlbOptions } from '../io/glb/options.ts';
import type { Asset } from '../model/asset.ts';
import { addNotes } from '../model/note.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions } from '../model/options.ts';
import { addSeconds } from '../model/report.ts';
import type { Clip } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { framesOf } from '../rig/clip-frames.ts';
import type { MixContender } from '../rig/mix/contenders.ts';
import { FLEXION_OPTIONS, type FlexionOptions, flexionClip } from '../rig/mix/flexion.ts';
import { type MixResult, mix as mixModel } from '../rig/mix/mix.ts';
import { MIX_OPTIONS } from '../rig/mix/mix-options.ts';
import { restClip } from '../skin/poses.ts';
import { rangeOfMotion } from '../skin/range-of-motion.ts';
import { chooseClip, findJoint, requireRigs } from './choose.ts';
import {
  assetOf,
  type GlbTarget,
  glbOf,
  modelPart,
  type VerbInput,
  type VerbReport,
  verbReport,
  worstFigures,
} from './verb.ts';

const VERB = 'mix';

/** The options of `mix`. */
export const MIX_VERB_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'part of the rig [default all]' },
  rangeOfMotion: booleanOption(false, 'use a generated range of motion of every joint, in a dozen poses'),
  ...FLEXION_OPTIONS,
  ...MIX_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `mix`. */
export interface MixVerbOptions extends Partial<OptionsOf<typeof MIX_VERB_OPTIONS>>, RunOptions, GlbTarget {
  /** Clips of the asset to judge the mix by [default all, where no joints and no range of motion are asked for]. */
  clips?: readonly string[];
  /** Joints that bend alone, to judge the mix by. */
  joints?: readonly string[];
  /** Writes a GLB, with as many influences as there are. */
  glb?: Partial<ModelGlbOptions>;
}

/** Details of a part, in addition to its figures. */
export interface MixPartDetail extends Pick<MixResult, 'keeps' | 'share' | 'balance' | 'iterations' | 'converged'> {
  name: string;
  /** The poses, in the order of all that is per pose. */
  poses: string[];
  solved: Omit<MixContender, 'mix'>;
  rivals: Omit<MixContender, 'mix'>[];
  seconds: Record<string, number>;
}

/** What only `mix` reports. */
export interface MixDetail {
  parts: MixPartDetail[];
}

/** What `mix` returns. */
export interface MixOutcome {
  /** All rigs of the asset; those that were not asked for or have nothing to mix are as they were. */
  models: SkinnedModel[];
  /** What was mixed, for pages and pictures. */
  parts: MixResult[];
  file?: Uint8Array;
  report: VerbReport<MixDetail>;
}

/** Solves for the mix of linear blending and dual quaternions of every rig of an asset. */
export async function mix(input: VerbInput, options: MixVerbOptions = {}): Promise<MixOutcome> {
  const asset = assetOf(input);
  const { object, clips, joints, glb, sink, rangeOfMotion: _, ...rest } = options;
  const bending = (Object.keys(FLEXION_OPTIONS) as (keyof FlexionOptions)[]).find(
    (name) => options[name] !== undefined,
  );
  if (bending && !joints?.length)
    throw new PliantError('bad-option', VERB, 'needs {option:joint}', { option: bending });
  const report = verbReport<MixDetail>({ parts: [] }, asset);
  const rigs = requireRigs(VERB, asset, object);
  const motions = motionsToJudge(asset, rigs, options);
  const mixed = new Map<SkinnedModel, MixResult>();
  for (const [r, rig] of rigs.entries())
    mixed.set(rig, await mixModel(rig, { ...rest, given: { motions: motions[r] } }));
  const parts = [...mixed.values()];
  for (const part of parts) describePart(part, report);
  report.figures = worstFigures(report.parts, 'energy', ['invertedFaces']);
  const models = asset.models.map((rig) => {
    const part = mixed.get(rig);
    return part && part.faces.length > 0 ? part.model : rig;
  });
  const most = Math.max(...models.map(({ weights }) => weights.influences));
  const influences = Math.min(MODEL_GLB_OPTIONS.influences.max, most);
  return { models, parts, ...(await glbOf(models, glb && { ...glb, influences }, report, { sink })), report };
}

/** The motions of each rig. One that none of them moves stays at rest. */
function motionsToJudge(asset: Asset, rigs: readonly SkinnedModel[], options: MixVerbOptions): Clip[][] {
  const names = [...new Set(rigs.flatMap(({ skeleton }) => skeleton.names))];
  const joints = (options.joints ?? []).map((name) => findJoint(names, { verb: VERB, asset, option: 'joint', name }));
  const { clips = [], rangeOfMotion: exercise = false, poses = MIX_OPTIONS.poses.default } = options;
  for (const name of clips) chooseClip(VERB, asset, rigs, name);
  const generated = joints.length > 0 || exercise;
  if (!generated && rigs.every((rig) => rig.clips.length === 0)) {
    const cause = 'the rig has no clips';
    throw new PliantError('not-found', VERB, cause, { file: asset.name, reason: 'needs-motion' });
  }
  return rigs.map((rig) => {
    const named = rig.clips.filter(({ name }) => (clips.length > 0 ? clips.includes(name) : !generated));
    const bending = joints
      .filter((joint) => rig.skeleton.names.includes(joint))
      .map((joint) => flexionClip(rig, joint, options, poses));
    const motions = [...named, ...bending, ...(exercise ? [exercisePoses(rig)] : [])];
    return motions.length > 0 ? motions : [restClip(rig.skeleton, 'rest')];
  });
}

/** The poses of the range of motion, without the way from one to the next. */
function exercisePoses(rig: SkinnedModel): Clip {
  const { clip, poses } = rangeOfMotion(rig);
  return framesOf(clip, poses);
}

function describePart(part: MixResult, report: MixOutcome['report']): void {
  const { model, keeps, share, balance, poses, solved, rivals, iterations, converged, report: own } = part;
  report.parts.push({ ...modelPart(model), figures: own.figures });
  addNotes(report.notes, ...own.notes);
  addSeconds(report.seconds, own.seconds);
  const figuresOf = ({ mix: _, ...figures }: MixContender): Omit<MixContender, 'mix'> => figures;
  report.detail.parts.push({
    ...{ name: model.name, keeps, share, balance, iterations, converged },
    poses: poses.map(({ label }) => label),
    solved: figuresOf(solved),
    rivals: rivals.map(figuresOf),
    seconds: own.seconds,
  });
}
