import { PliantError } from '../../src/error.ts';
import { mergeSequences } from '../../src/fit/merge-sequences.ts';
import { type ReadOptions, readAsset } from '../../src/io/read-asset.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { Notes } from '../../src/model/note.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { type FrameChoice, takeFrames } from './frame-choice.ts';
import { closeAsset, findNamed } from './open-input.ts';
import { chooseClip, moreClips, poseClip, type RigFlags, requireMixWeights } from './rigs.ts';

/** The meshes of one input, moving or not. */
export interface ConvertInput {
  /** Every mesh as a sequence; those that stand still have one frame. */
  parts: MeshSequence[];
  /** The meshes when none of them moves. */
  still?: Mesh[];
  /** The clip that a rig was posed by. */
  clip?: string;
  format: string;
  /** Bytes read or to be read. */
  bytes: number;
  /** What readers repaired or left out, and what this choice leaves out. */
  notes: Notes;
  close(): Promise<void>;
}

export interface ConvertInputFlags {
  /** Which object of a scene. */
  object?: string;
  /** Join the meshes to one. */
  merge: boolean;
  frames: Partial<FrameChoice>;
  rig: RigFlags;
  read: Partial<ReadOptions>;
}

/** Reads files that are one thing: a scene, a folder, a mesh with its cache, frames. Rigs are posed. */
export async function openConvertInput(files: readonly string[], flags: ConvertInputFlags): Promise<ConvertInput> {
  const asset = await readAsset(nodeFiles, files, flags.read);
  try {
    return await inputOf(asset, files[0], flags);
  } catch (error) {
    await closeAsset(asset);
    throw error;
  }
}

async function inputOf(asset: Asset, file: string, flags: ConvertInputFlags): Promise<ConvertInput> {
  const { format, bytes } = asset;
  const notes = [...asset.notes];
  const chosen = chooseObjects(asset, file, flags.object, notes);
  const { clip, moving } = moveObjects(chosen, file, flags, notes);
  if (flags.read.framesPerSecond !== undefined && chosen.sequences.length > 0 && asset.ownTimes) {
    notes.push(`${file} has its own times, which --frames-per-second does not change.`);
  }
  const input = {
    format,
    bytes,
    clip,
    notes,
    async close() {
      for (const sequence of moving) await sequence.close?.();
      await closeAsset(asset);
    },
  };
  if (moving.length === 0) {
    const [flag] = Object.keys(flags.frames);
    if (flag) throw new PliantError('bad-option', 'convert', 'frames were chosen, but nothing moves', { file });
    const parts = chosen.still.map((mesh) => stillSequence(mesh, 0));
    if (!flags.merge || parts.length === 1) return { ...input, parts, still: chosen.still };
    const { sequence } = merged(parts, notes);
    return { ...input, parts: [sequence], still: [{ ...sequence.rest, name: sequence.name }] };
  }
  const taken = moving.map((sequence) => takeFrames('convert', sequence, flags.frames));
  const start = taken[0].times[0];
  const parts = [...taken, ...chosen.still.map((mesh) => stillSequence(mesh, start))];
  return { ...input, parts: flags.merge && parts.length > 1 ? [merged(parts, notes).sequence] : parts };
}

type Objects = Pick<Asset, 'models' | 'sequences' | 'clipNames'> & { still: Mesh[] };

/** The objects of a file, or the one that was named. A rig without clips is a mesh that stands still. */
function chooseObjects(asset: Asset, file: string, name: string | undefined, notes: Notes): Objects {
  const models = asset.models.filter(({ clips }) => clips.length > 0);
  const still = [
    ...asset.meshes,
    ...asset.models
      .filter(({ clips }) => clips.length === 0)
      .map(({ mesh, name: modelName }) => ({ ...mesh, name: modelName })),
  ];
  if (models.length < asset.models.length) notes.push('A rig without a clip is written as the mesh of its rest pose.');
  const all = [...models, ...asset.sequences, ...still];
  if (all.length === 0) throw new PliantError('not-found', 'convert', 'holds no mesh', { file });
  const chosen = findNamed<{ name?: string }>(all, { operation: 'convert', file, what: 'object', name });
  const isChosen = (thing: { name?: string }): boolean => chosen === undefined || thing === chosen;
  return {
    models: models.filter(isChosen),
    sequences: chosen ? asset.sequences.filter(isChosen) : oneMotionEach(asset.sequences, notes),
    still: still.filter(isChosen),
    clipNames: asset.clipNames,
  };
}

/** A mesh with several motions, one for each clip of its morph targets, has the first of them. */
function oneMotionEach(sequences: readonly MeshSequence[], notes: Notes): MeshSequence[] {
  const first = new Map<Mesh, MeshSequence>();
  for (const sequence of sequences) if (!first.has(sequence.rest)) first.set(sequence.rest, sequence);
  const others = sequences.filter((sequence) => first.get(sequence.rest) !== sequence);
  if (others.length > 0) {
    notes.push(`There is more motion, which --object chooses: ${others.map(({ name }) => name).join(', ')}.`);
  }
  return [...first.values()];
}

/** What moves: rigs by one clip, and sequences. */
function moveObjects(
  { models, sequences, clipNames }: Objects,
  file: string,
  { rig, read }: ConvertInputFlags,
  notes: Notes,
): { clip?: string; moving: MeshSequence[] } {
  if (models.length === 0) {
    const [flag] = Object.keys(rig);
    if (flag) throw new PliantError('bad-option', 'convert', `--${flag} needs a rig with a clip`, { file });
    return { moving: [...sequences] };
  }
  requireMixWeights('convert', models, file, rig);
  const clip = chooseClip('convert', models, file, rig.clip, clipNames);
  notes.push(...moreClips(models, rig.clip !== undefined));
  const posed = models.map((model) => ({ ...poseClip(model, clip, rig, read.framesPerSecond), name: model.name }));
  return { clip, moving: [...posed, ...sequences] };
}

const stillSequence = (mesh: Mesh, time: number): MeshSequence =>
  memorySequence(mesh.name || 'mesh', mesh, [mesh.positions], Float64Array.of(time));

function merged(parts: readonly MeshSequence[], notes: Notes): { sequence: MeshSequence } {
  notes.push(`${parts.length} meshes were joined: positions and faces stay, uvs, normals and materials do not.`);
  return mergeSequences(parts);
}
