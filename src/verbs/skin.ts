import { lostNotes } from '../io/gltf/edit/lost.ts';
import { note } from '../model/note.ts';
import type { OptionSpecs } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
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
        ...moreClips(asset, parts, pose.clip !== undefined),
      ],
    },
  );
  return { sequences, report };
}
