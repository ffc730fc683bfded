import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { OptionsOf } from '../../src/model/options.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { plural } from '../../src/model/wording.ts';
import { restClip, steadyClip } from '../../src/skin/poses.ts';
import { posedSequence } from '../../src/skin/skin.ts';
import { SKIN_OPTIONS } from '../../src/skin/skin-options.ts';
import { addFlags, givenFlags, only } from '../flags/flags.ts';
import { findNamed } from './open-input.ts';

/** Frames of a sequence are positions: their normals follow from the faces. */
const { normals: _, ...poseOptions } = SKIN_OPTIONS;
const POSE_OPTIONS = poseOptions;

/** What verbs that read rigs beside sequences let people say about posing; their own options go by other names. */
export const BLEND_OPTIONS = only(SKIN_OPTIONS, ['operator', 'antipodality']);

/** How a rig is posed: which clip, and the options of skinning. */
export type RigFlags = Partial<OptionsOf<typeof POSE_OPTIONS>> & { clip?: string };

export function addRigFlags(command: Command, group = 'Skinning:'): Command {
  command.optionsGroup(group).option('--clip <name>', "which of a rig's clips [default the first]");
  return addFlags(command, POSE_OPTIONS);
}

export function givenRigFlags(command: Command): RigFlags {
  const { clip } = command.opts<{ clip?: string }>();
  return { ...givenFlags(command, POSE_OPTIONS), ...(clip !== undefined && { clip }) };
}

/** The rigs of a file; one without any says what it holds instead. */
export function requireRigs(
  operation: string,
  { models, sequences, meshes, motions }: Asset,
  file: string,
): SkinnedModel[] {
  if (models.length > 0) return models;
  const held = [
    sequences.length > 0 && 'a sequence, from which `pliant fit` makes a rig',
    meshes.length > 0 && 'a mesh, for which `pliant weights` makes a rig',
    motions.length > 0 && 'bones that move no mesh',
  ].find(Boolean);
  const cause = `holds no rig (got ${held || 'nothing to pose'}, expected a skinned mesh in GLB, glTF or COLLADA)`;
  throw new PliantError('not-found', operation, cause, { file });
}

/** The clip that is posed: the one that was named, else the first. `order` is that of the file [default the models']. */
export function chooseClip(
  operation: string,
  models: readonly SkinnedModel[],
  file: string,
  name: string | undefined,
  order: readonly string[] = [],
): string {
  const found = new Set(models.flatMap(({ clips }) => clips.map((clip) => clip.name)));
  const sorted = new Set([...order.filter((clip) => found.has(clip)), ...found]);
  const names = [...sorted].map((clip) => ({ name: clip }));
  const named = findNamed(names, { operation, file, what: 'clip', name });
  if (named) return named.name;
  if (names.length === 0) throw new PliantError('not-found', operation, 'the rig has no clips', { file });
  return names[0].name;
}

/** Where no clip was named and the first is taken: that there are more. */
export function moreClips(models: readonly SkinnedModel[], named: boolean): string[] {
  const others = new Set(models.flatMap(({ clips }) => clips.map(({ name }) => name))).size - 1;
  return named || others < 1 ? [] : [`The rig has ${plural(others, 'more clip')}, which --clip chooses.`];
}

/** The mix goes from linear blending to dual quaternions by a weight per vertex, which few rigs have. */
export function requireMixWeights(
  operation: string,
  models: readonly SkinnedModel[],
  file: string,
  { operator }: RigFlags,
): void {
  const without = operator === 'mix' && models.find(({ mixWeights }) => !mixWeights);
  if (!without) return;
  const cause = `operator mix needs mix weights, 0 (linear) to 1 (dual quaternions) per vertex, and ${without.name} has none`;
  throw new PliantError('bad-input', operation, cause, { file });
}

/** The motion of a clip, at its keys or at a steady rate: frames are posed when they are asked for. */
export function poseClip(
  model: SkinnedModel,
  clipName: string,
  { clip: _clip, ...options }: RigFlags,
  framesPerSecond?: number,
): MeshSequence {
  const { skeleton } = model;
  // A part that this clip of the rig does not move stays at rest.
  const keys = model.clips.find(({ name }) => name === clipName) ?? restClip(skeleton, clipName);
  const clip = framesPerSecond === undefined ? keys : steadyClip(skeleton, keys, framesPerSecond);
  return posedSequence({ ...model, clips: [clip] }, 0, options);
}
