import { PliantError } from '../../src/error.ts';
import { type MergedSequences, mergeSequences } from '../../src/fit/merge-sequences.ts';
import { type ReadOptions, readAsset } from '../../src/io/read-asset.ts';
import type { Asset } from '../../src/model/asset.ts';
import { triangleCount } from '../../src/model/mesh.ts';
import type { Notes } from '../../src/model/note.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { noteText } from '../../src/report/note-text.ts';
import { ONLY_POINTS } from '../text/describe.ts';
import { closeAsset, expandPaths, findNamed, groupPaths } from './open-input.ts';
import { chooseClip, moreClips, poseClip, type RigFlags, requireMixWeights } from './rigs.ts';

/** The clips of one mesh, or of one scene of several meshes, that are fitted together. */
export interface FitInput extends Pick<MergedSequences, 'split' | 'splitSequence'> {
  clips: MeshSequence[];
  /** The clip that a rig was posed by, where there is one. */
  clip?: string;
  /** What readers repaired or left out, and what this choice leaves out. */
  notes: Notes;
  close(): Promise<void>;
}

export interface FitInputFlags {
  /** Which object of a scene. */
  object?: string;
  /** Which clips of a rig. */
  clips: readonly string[];
  /** How a rig is posed. */
  rig: Omit<RigFlags, 'clip'>;
  read: Partial<ReadOptions>;
}

/** What lies in a scene and moves, at the time of one clip. */
interface Scene {
  /** Of the clip. */
  name: string;
  parts: MeshSequence[];
  /** Whether a rig was posed. */
  posed: boolean;
}

/**
 * Meshes are the frames of one sequence; every folder and every file that holds a whole scene is a clip, and so is every
 * clip of a rig that was named. All of them move the same meshes.
 */
export async function openFitInput(
  files: readonly string[],
  flags: FitInputFlags,
  operation = 'fit',
): Promise<FitInput> {
  const groups = await groupPaths(await expandPaths(operation, files), false);
  if (groups.length > 1 && flags.read.cache !== undefined) {
    throw new PliantError(
      'bad-option',
      operation,
      `--cache (got ${groups.length} inputs, expected one mesh for the cache)`,
    );
  }
  const assets: Asset[] = [];
  try {
    const scenes: Scene[] = [];
    const notes: Notes = [];
    for (const group of groups) {
      const asset = await readAsset(nodeFiles, group, flags.read);
      assets.push(asset);
      scenes.push(...scenesOf(operation, asset, group[0], flags, notes));
    }
    return inputOf(scenes, assets, notes);
  } catch (error) {
    for (const asset of assets) await closeAsset(asset);
    throw error;
  }
}

/** An input of sequences that are in memory. */
export const inputOfSequence = (sequence: MeshSequence): FitInput =>
  inputOf([{ name: sequence.name, parts: [sequence], posed: false }], [], []);

function inputOf(scenes: readonly Scene[], assets: readonly Asset[], chosen: Readonly<Notes>): FitInput {
  for (const { name, parts } of scenes) requireSameParts(name, parts, scenes[0].parts);
  // A single mesh stays as it is, with all that it carries.
  const merged = scenes.map(({ parts }) => (parts.length === 1 ? single(parts[0]) : mergeSequences(parts)));
  return {
    ...merged[0],
    clips: merged.map(({ sequence }, c) => ({ ...sequence, name: scenes[c].name })),
    clip: scenes.length === 1 && scenes[0].posed ? scenes[0].name : undefined,
    notes: [...assets.flatMap(readingNotes), ...chosen],
    async close() {
      for (const { parts } of scenes) for (const part of parts) await part.close?.();
      for (const asset of assets) await closeAsset(asset);
    },
  };
}

const readingNotes = ({ notes, meshes, models, sequences }: Asset): Notes => [
  ...notes,
  ...(sequences.length + models.length > 0
    ? meshes.map(({ name }) => `${name ?? 'a mesh'} does not move: left out`)
    : []),
];

const single = (sequence: MeshSequence): MergedSequences => ({
  sequence,
  split: (model) => [{ ...model, name: sequence.name }],
  splitSequence: (motion) => [{ ...motion, name: sequence.name }],
});

/** One scene per clip. Sequences play along with every clip of the rigs beside them. */
function scenesOf(
  operation: string,
  asset: Asset,
  file: string,
  { object, clips, rig, read }: FitInputFlags,
  notes: Notes,
): Scene[] {
  const moving = asset.models.filter((model) => model.clips.length > 0);
  const chosen = findNamed([...moving, ...asset.sequences], { operation, file, what: 'object', name: object });
  const models = moving.filter((model) => !chosen || model === chosen);
  const sequences = asset.sequences.filter((sequence) => !chosen || sequence === chosen);
  if (models.length + sequences.length === 0) {
    const cause = asset.meshes.length || asset.models.length ? 'holds nothing that moves' : 'holds no mesh';
    // What the reader left out may be what was meant, and points what is left of a mesh.
    const lost = asset.meshes.some((mesh) => triangleCount(mesh) === 0) ? [ONLY_POINTS] : [];
    const why = [...asset.notes, ...lost].map((note) => `${noteText(note).replace(/\.$/, '')}; `).join('');
    throw new PliantError('not-found', operation, `${cause} (${why}expected a sequence, or a rig with a clip)`, {
      file,
    });
  }
  for (const part of sequences) requireTriangles(operation, part, file);
  if (models.length === 0) {
    const [flag] = clips.length ? ['clip'] : Object.keys(rig);
    if (flag) throw new PliantError('bad-option', operation, `--${flag} needs a rig (got a sequence)`, { file });
    return [{ name: sequences.length === 1 ? sequences[0].name : sceneName(file), parts: sequences, posed: false }];
  }
  requireMixWeights(operation, models, file, rig);
  const names = clips.length
    ? clips.map((clip) => chooseClip(operation, models, file, clip, asset.clipNames))
    : [chooseClip(operation, models, file, undefined, asset.clipNames)];
  notes.push(...moreClips(models, clips.length > 0));
  return names.map((name) => ({
    name,
    posed: true,
    parts: [
      ...models.map((model) => ({ ...poseClip(model, name, rig, read.framesPerSecond), name: model.name })),
      ...sequences,
    ],
  }));
}

/** `folder/walk.glb` → `walk`. */
const sceneName = (file: string): string =>
  file
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]+$/, '');

/** A cache alone is points. */
export function requireTriangles(operation: string, { rest, name }: MeshSequence, file: string): void {
  if (triangleCount(rest) > 0) return;
  const cause = `${name} has no faces (expected a mesh; a cache needs the mesh it moves: give both, or a folder with both)`;
  throw new PliantError('bad-input', operation, cause, { file });
}

function requireSameParts(clip: string, parts: readonly MeshSequence[], first: readonly MeshSequence[]): void {
  if (parts.length === first.length) return;
  const cause = `clip ${clip} moves ${parts.length} meshes (expected ${first.length}, as the first clip does)`;
  throw new PliantError('bad-input', 'fit', cause);
}
