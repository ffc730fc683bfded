import { PliantError } from '../error.ts';
import { lostNotes } from '../io/gltf/edit/lost.ts';
import { stem } from '../io/paths.ts';
import { type MergedSequences, mergeSequences } from '../mesh/merge-sequences.ts';
import { tangentNotes } from '../mesh/normals.ts';
import type { Asset } from '../model/asset.ts';
import { triangleCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { allOrNamed, chooseClip, moreClips, type PoseOptions, poseClip, requireMixWeights } from './choose.ts';
import { assetOf, listOf, type VerbInput } from './verb.ts';

/** The clips of one mesh, or of one scene of several meshes, that `fit` and `learn` take together. */
export interface Scenes extends Omit<MergedSequences, 'sequence'> {
  /** One sequence per clip, of all meshes merged. */
  clips: MeshSequence[];
  /** The clip that a rig was posed by, where there is just one. */
  clip?: string;
  notes: Note[];
  /** What the models of the parts have lost. */
  lost(models: readonly SkinnedModel[]): Note[];
}

export interface SceneOptions extends Pick<PoseOptions, 'operator' | 'antipodality' | 'framesPerSecond'> {
  /** Object of the scene [default all, together]. */
  object?: string;
  /** Clips of a rig [default the first]. */
  clips?: readonly string[];
}

/** What moves during one clip. */
interface Scene {
  /** Of the clip. */
  name: string;
  parts: MeshSequence[];
  /** Whether a rig was posed. */
  posed: boolean;
}

/** Every asset is a clip, and so is every clip of a rig that was named. All of them move the same meshes. */
export function scenesOf(verb: string, input: VerbInput | readonly VerbInput[], options: SceneOptions): Scenes {
  const assets = listOf(input).map(assetOf);
  const notes: Note[] = assets.flatMap(readingNotes);
  const scenes = assets.flatMap((asset) => assetScenes(verb, asset, options, notes));
  for (const { name, parts } of scenes) requireSameParts(verb, name, parts, scenes[0].parts);
  const merged = scenes.map(({ parts }) => mergeSequences(parts));
  return {
    ...merged[0],
    clips: merged.map(({ sequence }, c) => ({ ...sequence, name: scenes[c].name })),
    clip: scenes.length === 1 && scenes[0].posed ? scenes[0].name : undefined,
    notes,
    lost: (models) => scenes[0].parts.flatMap(({ rest, name }, p) => tangentNotes(rest, models[p].mesh, name)),
  };
}

const readingNotes = ({ notes, meshes, models, sequences, source }: Asset): Note[] => [
  ...notes,
  ...lostNotes(source),
  ...(sequences.length + models.length > 0 ? meshes.map(({ name }) => note('left-out-still', {}, name ?? 'mesh')) : []),
];

/** One scene per clip. Sequences that no clip moves play along with every clip. */
function assetScenes(verb: string, asset: Asset, options: SceneOptions, notes: Note[]): Scene[] {
  const { object, clips = [], operator, antipodality, framesPerSecond } = options;
  const pose = { operator, antipodality, framesPerSecond };
  const moving = asset.models.filter((model) => model.clips.length > 0);
  const choice = { verb, asset, option: 'object', name: object };
  const chosen = new Set(allOrNamed<{ name: string }>([...moving, ...asset.sequences], choice));
  const models = moving.filter((model) => chosen.has(model));
  const sequences = asset.sequences.filter((sequence) => chosen.has(sequence));
  if (chosen.size === 0) throw nothingMoves(verb, asset);
  for (const part of sequences) requireTriangles(verb, asset, part);
  const moved = [...models, ...sequences.filter(({ clip }) => clip !== undefined)];
  const option = clips.length > 0 && moved.length === 0 ? 'clip' : posingOption(pose);
  if (option && models.length === 0)
    throw new PliantError('bad-option', verb, 'applies to rigs only', { file: asset.name, option });
  if (moved.length === 0 || (clips.length === 0 && models.length === 0 && sequences.length === 1)) {
    const name = sequences.length === 1 ? sequences[0].name : sceneName(asset);
    return [{ name, parts: asset.source ? sequences : fromZero(sequences, notes), posed: false }];
  }
  requireMixWeights(verb, asset, models, pose);
  notes.push(...moreClips(asset, moved, clips.length > 0));
  const asked = clips.length > 0 ? clips : [undefined];
  return asked.map((clip) => {
    const name = chooseClip(verb, asset, moved, clip);
    const posed = models.map((model) => ({ ...poseClip(model, name, pose), name: model.name }));
    const along = sequences.filter((sequence) => (sequence.clip ?? name) === name);
    return { name, posed: models.length > 0, parts: [...posed, ...along] };
  });
}

/** Caches count the frames of a shot, clips of players start at 0. */
function fromZero(parts: readonly MeshSequence[], notes: Note[]): MeshSequence[] {
  const start = Math.min(...parts.map(({ times }) => times[0]));
  if (start > 0) notes.push(note('start-moved', { seconds: start }));
  return parts.map((part) => ({ ...part, times: part.times.map((t) => t - start) }));
}

/** An option that says how to pose a rig, where one is given. A rate says how to read a sequence, too. */
export const posingOption = ({ framesPerSecond: _, ...options }: PoseOptions): string | undefined =>
  Object.entries(options).find(([, value]) => value !== undefined)?.[0];

function nothingMoves(verb: string, { name: file, meshes, models, notes }: Asset): PliantError {
  const cause = meshes.length || models.length ? 'contains no motion' : 'contains no mesh';
  // Points may be what is left of a mesh.
  const lost = meshes.some((mesh) => triangleCount(mesh) === 0) ? 'only points: the file may be truncated; ' : '';
  const expected = `${cause} (${lost}expected a sequence, or a rig with a clip)`;
  return new PliantError('not-found', verb, expected, { file, notes });
}

/** `folder/walk.glb` → `walk`. */
const sceneName = ({ name = 'scene' }: Asset): string => stem(name.replace(/[/\\]+$/, ''));

/** A cache alone is points. */
export function requireTriangles(verb: string, asset: Asset, { rest, name }: MeshSequence): void {
  if (triangleCount(rest) > 0) return;
  const cause = `${name} has no faces (expected a mesh; for a cache, pass its mesh too, or a folder with both)`;
  throw new PliantError('bad-input', verb, cause, { file: asset.name });
}

function requireSameParts(
  verb: string,
  clip: string,
  parts: readonly MeshSequence[],
  first: readonly MeshSequence[],
): void {
  if (parts.length === first.length) return;
  const cause = `clip ${clip} moves ${parts.length} meshes (expected ${first.length} like the first clip)`;
  throw new PliantError('bad-input', verb, cause);
}
