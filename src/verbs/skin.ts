import { lostNotes } from '../io/gltf/edit/lost.ts';
import { type Note, note } from '../model/note.ts';
import type { OptionSpecs } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { clipFrame } from '../model/skeleton.ts';
import type { SkinnedModel, SkinOperator } from '../model/skinned-model.ts';
import { scaleNotes } from '../rig/bone-stretch.ts';
import {
  chooseClip,
  moreClips,
  POSE_OPTIONS,
  type PoseOptions,
  pickOne,
  poseClip,
  requireMixWeights,
  requireRigs,
} from './choose.ts';
import { holdsSeveral, type SequenceFormat } from './sequence-formats.ts';
import {
  assetOf,
  meshPart,
  sequenceClip,
  sequenceFigures,
  type VerbInput,
  type VerbReport,
  verbReport,
} from './verb.ts';

/** The options of `skin`. */
export const SKIN_VERB_OPTIONS = {
  ...POSE_OPTIONS,
  object: { type: 'string', default: undefined, description: 'part of a rig to pose [default all]' },
} as const satisfies OptionSpecs;

/** Options of `skin`. */
export interface SkinVerbOptions extends PoseOptions {
  object?: string;
  /** What the motion will be written as [default a format that holds all parts]. */
  format?: SequenceFormat;
}

/** What only `skin` reports. */
export interface SkinDetail {
  clip: string;
}

/** Poses a clip of a rig. Frames of the sequences, one per part, are posed when they are read. */
export async function skin(
  input: VerbInput,
  { object, format = 'glb', ...pose }: SkinVerbOptions = {},
): Promise<{ sequences: MeshSequence[]; report: VerbReport<SkinDetail> }> {
  const asset = assetOf(input);
  const rigs = requireRigs('skin', asset, object);
  const parts = holdsSeveral(format) ? rigs : [pickOne(rigs, { verb: 'skin', asset, option: 'object' })];
  requireMixWeights('skin', asset, parts, pose);
  const clip = chooseClip('skin', asset, parts, pose.clip);
  const sequences = parts.map((part) => poseClip(part, clip, pose));
  const others = asset.meshes.length + asset.sequences.length;
  const report = verbReport(
    { clip },
    {
      figures: sequenceFigures(sequences),
      clips: sequences.map((sequence, p) => ({ ...sequenceClip(sequence, parts[p].name), name: clip })),
      parts: parts.map(({ name, mesh }) => meshPart(name, mesh)),
      notes: [
        ...asset.notes,
        ...lostNotes(asset.source),
        ...(others > 0 ? [note('left-out-unskinned', { meshes: others })] : []),
        ...parts.flatMap((part) => leftOutScale(part, clip, pose)),
        ...moreClips(asset, parts, pose.clip !== undefined),
      ],
    },
  );
  return { sequences, report };
}

/** The operators that see bones as rigid motions. */
const RIGID_MOTIONS: readonly SkinOperator[] = ['dqs', 'dib', 'mix'];

/** What posing by such an operator leaves out. */
function leftOutScale(part: SkinnedModel, name: string, { operator = 'model' }: PoseOptions): Note[] {
  const clip = part.clips.find((each) => each.name === name);
  if (!clip || !RIGID_MOTIONS.includes(operator === 'model' ? part.operator : operator)) return [];
  const frames = Array.from(clip.times, (_, k) => clipFrame(clip, k));
  return scaleNotes(part, frames, (k) => `${name}, frame ${k}`);
}
