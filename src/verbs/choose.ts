import { PliantError } from '../error.ts';
import type { Asset } from '../model/asset.ts';
import { type Note, note } from '../model/note.ts';
import type { OptionSpecs, OptionsOf } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { posedSequence } from '../skin/posed-sequence.ts';
import { restClip, steadyClip } from '../skin/poses.ts';
import { SKIN_OPTIONS } from '../skin/skin-options.ts';

/** Which object, rig or clip of an asset a verb works on. */

/** How to blend the bones of rigs, for verbs that read rigs and sequences. */
export const BLEND_OPTIONS = {
  operator: SKIN_OPTIONS.operator,
  antipodality: SKIN_OPTIONS.antipodality,
} as const satisfies OptionSpecs;

/** How to pose a rig. Frames of a sequence are positions only: normals follow from the faces. */
export const POSE_OPTIONS = {
  clip: {
    type: 'string',
    default: undefined,
    description: 'clip of a file, or several at once: a+b [default the first]',
  },
  ...BLEND_OPTIONS,
  kernel: SKIN_OPTIONS.kernel,
} as const satisfies OptionSpecs;

/** `framesPerSecond` poses at a steady rate instead of at the keys of the clip. */
export type PoseOptions = Partial<OptionsOf<typeof POSE_OPTIONS>> & { framesPerSecond?: number };

/** An option that names one of several things. */
export interface Choice {
  verb: string;
  /** Where the things come from. */
  asset: Pick<Asset, 'name'>;
  /** The option: "clip", "object". */
  option: string;
  /** Its value, if any. */
  name?: string;
}

const namesOf = (things: readonly { name?: string }[]): string[] => things.map((thing) => thing.name || 'unnamed');

/** The thing with that name; undefined where the option is not given. */
export function findNamed<T extends { name?: string }>(
  things: readonly T[],
  { verb, asset, option, name }: Choice,
): T | undefined {
  if (name === undefined) return undefined;
  const found = things.find((thing) => thing.name === name);
  if (found) return found;
  const candidates = [...new Set(namesOf(things))];
  const cause = candidates.length
    ? `(got ${name || 'nothing'}, expected ${candidates.join(', ')})`
    : `(got ${name}, but there are none)`;
  throw new PliantError('not-found', verb, cause, { file: asset.name, option, got: name, candidates });
}

/**
 * The joint with that name, or the only one whose name ends with it after punctuation: `LeftForeArm` finds
 * `mixamorig:LeftForeArm`. Case counts only where it must.
 */
export function findJoint(names: readonly string[], choice: Choice & { name: string }): string {
  const { verb, asset, option, name } = choice;
  if (names.includes(name)) return name;
  const wanted = name.toLowerCase();
  const endsSo = (joint: string): boolean =>
    joint.toLowerCase().endsWith(wanted) && /^$|[^\p{L}\p{N}]$/u.test(joint.slice(0, joint.length - wanted.length));
  const found = wanted === '' ? [] : names.filter(endsSo);
  if (found.length === 1) return found[0];
  if (found.length === 0) {
    const near = names.map((joint) => joint.replace(/^.*[:|]/, ''));
    return findNamed(
      [...new Set(near)].map((joint) => ({ name: joint })),
      choice,
    )!.name;
  }
  const cause = `names several joints (got ${name}, expected one of ${found.join(', ')})`;
  throw new PliantError('bad-option', verb, cause, { file: asset.name, option, got: name, candidates: found });
}

/** All, or the named one. */
export function allOrNamed<T extends { name?: string }>(things: readonly T[], choice: Choice): T[] {
  const named = findNamed(things, choice);
  return named ? [named] : [...things];
}

/** The only one, or the named one. */
export function pickOne<T extends { name?: string }>(things: readonly T[], choice: Choice): T {
  const [first, ...others] = allOrNamed(things, choice);
  const { verb, asset, option } = choice;
  if (first === undefined)
    throw new PliantError('not-found', verb, `contains no ${option === 'object' ? 'mesh' : option}`, {
      file: asset.name,
    });
  if (others.length === 0) return first;
  const candidates = namesOf(things);
  const cause = `is required to choose one of ${candidates.join(', ')}`;
  throw new PliantError('bad-option', verb, cause, { file: asset.name, option, candidates });
}

/** The rigs of an asset, or the one that `object` names. */
export function requireRigs(verb: string, asset: Asset, object?: string): SkinnedModel[] {
  const { name: file, models, sequences, meshes, motions } = asset;
  if (models.length > 0) return allOrNamed(models, { verb, asset, option: 'object', name: object });
  const [held, reason] =
    (sequences.length > 0 && (['a sequence', 'needs-fit'] as const)) ||
    (meshes.length > 0 && (['a mesh', 'needs-weights'] as const)) ||
    (motions.length > 0 ? ['bones without a mesh'] : ['nothing to pose']);
  throw new PliantError('not-found', verb, `contains no rig (got ${held}, expected a skinned mesh)`, { file, reason });
}

/** The rig of an asset that must have exactly one. */
export function requireOneRig(verb: string, asset: Asset): SkinnedModel {
  const [rig, ...others] = requireRigs(verb, asset);
  if (others.length === 0) return rig;
  const names = asset.models.map(({ name }) => name).join(', ');
  const cause = `holds ${others.length + 1} rigs (got ${names}, expected one)`;
  throw new PliantError('bad-input', verb, cause, { file: asset.name });
}

/** Something that clips move. */
type Moving = Pick<SkinnedModel, 'clips'> | Pick<MeshSequence, 'clip'>;

const clipNamesOf = (moving: readonly Moving[]): Set<string> =>
  new Set(moving.flatMap((each) => ('clips' in each ? each.clips.map(({ name }) => name) : (each.clip ?? []))));

/** The clip that `name` asks for, else the first of the file. */
export function chooseClip(verb: string, asset: Asset, moving: readonly Moving[], name?: string): string {
  const found = clipNamesOf(moving);
  const inOrder = new Set([...(asset.clipNames ?? []).filter((clip) => found.has(clip)), ...found]);
  const clips = [...inOrder].map((clip) => ({ name: clip }));
  const [first] = allOrNamed(clips, { verb, asset, option: 'clip', name });
  if (first) return first.name;
  throw new PliantError('not-found', verb, 'the rig has no clips', { file: asset.name });
}

/** How many other clips there are, if the first is used because none was named. */
export function moreClips({ clipsTogether: together }: Asset, moving: readonly Moving[], named: boolean): Note[] {
  const others = clipNamesOf(moving).size - 1;
  return named || others < 1
    ? []
    : [note('more-clips', { clips: others, ...(together !== undefined && { together }) })];
}

/** Linear blending and dual quaternions are mixed by a weight per vertex, which few rigs have. */
export function requireMixWeights(
  verb: string,
  asset: Asset,
  models: readonly SkinnedModel[],
  { operator }: PoseOptions,
): void {
  const without = operator === 'mix' && models.find(({ mixWeights }) => !mixWeights);
  if (!without) return;
  const cause = `mix needs mix weights, which ${without.name} does not have`;
  throw new PliantError('bad-input', verb, cause, { file: asset.name, option: 'operator' });
}

/** The motion of a clip, at its keys or at a steady rate. Frames are posed when they are read. */
export function poseClip(
  model: SkinnedModel,
  clipName: string,
  { clip: _, framesPerSecond, ...options }: PoseOptions,
): MeshSequence {
  const { skeleton } = model;
  // A part that this clip of the rig does not move stays at rest.
  const keys = model.clips.find(({ name }) => name === clipName) ?? restClip(skeleton, clipName);
  const clip = framesPerSecond === undefined ? keys : steadyClip(skeleton, keys, framesPerSecond);
  return posedSequence({ ...model, clips: [clip] }, 0, options);
}
