import { PliantError } from '../error.ts';
import { farPlace } from '../mesh/far.ts';
import { reposed, tangentNotes } from '../mesh/normals.ts';
import { type Asset, emptyAsset } from '../model/asset.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { numberOption, type OptionSpecs, type OptionsOf, resolveOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';
import { chooseFiles, type Input } from './choose-files.ts';
import { type FileAccess, withSource } from './files.ts';
import { fileName, stem } from './paths.ts';
import { readBvh } from './read-bvh.ts';
import { type GltfReading, readGltf } from './read-gltf.ts';
import { readMdd } from './read-mdd.ts';
import { readObj } from './read-obj.ts';
import { readOff } from './read-off.ts';
import { readPc2 } from './read-pc2.ts';
import { readPly } from './read-ply.ts';
import { type FrameFormat, sequenceFromFiles } from './sequence-from-files.ts';
import { FORMATS, kindByName, sniff } from './sniff.ts';
import { SPACE_OPTIONS, withSpace } from './up-axis.ts';

/** The front door of io/: a file, a folder or a list of files → everything in it. */

export const READ_OPTIONS = {
  cache: {
    type: 'string',
    default: undefined,
    description: 'PC2 or MDD file with the frames of the mesh',
  },
  rest: {
    type: 'string',
    default: undefined,
    description: 'file with the rest pose, or index of a frame, from 0',
  },
  framesPerSecond: numberOption(24, { min: 1e-3, unit: 'frames per second' }, 'frame rate of sequences without times'),
  ...SPACE_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of readers. */
export type ReadOptions = OptionsOf<typeof READ_OPTIONS>;

const OPERATION = 'readAsset';

/**
 * Reads one file; or a folder or list of files, which is a sequence: a mesh per frame, or one mesh and one cache.
 * Sequences keep reading from their files until they are closed.
 */
export async function readAsset(
  files: FileAccess,
  paths: readonly string[],
  { clips, blendShapes, ...options }: Partial<ReadOptions> & GltfReading = {},
): Promise<Asset> {
  const settings = resolveOptions(READ_OPTIONS, options, OPERATION);
  const input = await chooseFiles(files, paths);
  // A number names a frame, anything else a file.
  const restFrame = /^\d+$/.test(settings.rest ?? '') ? Number(settings.rest) : undefined;
  const restFile = restFrame === undefined ? settings.rest : undefined;

  const restIsFrame = restFrame !== undefined;
  const read = await readInput(files, input, { ...settings, clips, blendShapes, rest: restFile, restIsFrame });
  const asset = { ...withSpace(read, options), name: paths[0] };
  asset.notes.unshift(...input.notes);
  asset.notes.push(...farNotes(asset));
  if (settings.rest !== undefined && asset.sequences.length === 0) {
    const cause = 'applies to sequences only';
    throw new PliantError('bad-option', OPERATION, cause, { file: input.main[0], option: 'rest' });
  }
  if (restFrame === undefined) return asset;
  try {
    const sequences = await Promise.all(asset.sequences.map((sequence) => restAtFrame(sequence, restFrame)));
    const lost = sequences.flatMap(({ rest, name }, s) => tangentNotes(asset.sequences[s].rest, rest, name));
    asset.notes.push(...lost);
    return { ...asset, sequences };
  } catch (error) {
    for (const sequence of asset.sequences) await sequence.close?.();
    throw error;
  }
}

function farNotes({ meshes, sequences }: Asset): Note[] {
  return [...meshes, ...sequences.map(({ rest, name }) => ({ ...rest, name }))].flatMap(({ positions, name }) => {
    const { diagonals, stepPercent } = farPlace(positions) ?? {};
    return diagonals && stepPercent ? [note('far-from-origin', { diagonals, stepPercent }, name)] : [];
  });
}

/** `rest` is a file here, unless it is a frame. */
type InputOptions = ReadOptions & GltfReading & { restIsFrame: boolean };

async function readInput(files: FileAccess, input: Input, options: InputOptions): Promise<Asset> {
  const { name, main } = input;
  const cache = options.cache ?? input.cache;
  const refuse = (option: 'cache' | 'rest', cause: string): never => {
    throw new PliantError('bad-option', OPERATION, cause, { option });
  };
  if (cache !== undefined) {
    if (cache !== (input.cache ?? cache)) refuse('cache', `(got ${cache} and ${input.cache}, expected one)`);
    if (main.length > 1) refuse('cache', `(got ${main.length} files for ${cache}, expected one mesh)`);
    if (options.rest !== undefined)
      refuse('rest', `cannot be combined with a cache: ${main[0]} is the rest pose of ${cache}`);
    return readCache(files, cache, name, main[0], options);
  }
  return main.length === 1 ? readFile(files, main[0], name, options) : readFrames(files, input, options);
}

/** A mesh per frame. */
async function readFrames(files: FileAccess, { name, main }: Input, options: InputOptions): Promise<Asset> {
  const format = await withSource(files, main[0], sniff);
  const place = { file: main[0] };
  if (FORMATS[format].role !== 'mesh') {
    throw new PliantError('bad-input', OPERATION, `cannot combine ${FORMATS[format].title} with other files`, place);
  }
  const other = main.find((path) => (kindByName(path) ?? format) !== format);
  if (other !== undefined) {
    const cause = `not a ${FORMATS[format].title} file like ${fileName(main[0])} (expected frames of one format)`;
    throw new PliantError('bad-input', OPERATION, cause, { file: other });
  }
  const { framesPerSecond, rest, restIsFrame } = options;
  const found = await sequenceFromFiles(files, main, format as FrameFormat, {
    name,
    rest,
    restIsFrame,
    framesPerSecond,
  });
  return {
    ...emptyAsset(`${FORMATS[format].title} sequence`, found.bytes),
    sequences: [found.sequence],
    notes: found.notes,
  };
}

/** One file of any kind. The largest readers are loaded when a file needs them, so that pages start sooner. */
async function readFile(
  files: FileAccess,
  path: string,
  name: string,
  options: ReadOptions & GltfReading,
): Promise<Asset> {
  const kind = await withSource(files, path, sniff);
  if (kind === 'pc2' || kind === 'mdd') return readCache(files, path, name, options.rest, options);
  if (options.rest !== undefined) {
    const cause = `(got ${options.rest}, expected the number of a frame: the file has its own mesh)`;
    throw new PliantError('bad-option', OPERATION, cause, { file: path, option: 'rest' });
  }
  // Closes the file itself, when the last of its sequences is closed.
  if (kind === 'alembic') {
    const { readAlembic } = await import('./read-alembic.ts');
    return readAlembic(await files.open(path));
  }
  return withSource(files, path, async (source) => {
    const asset = emptyAsset(FORMATS[kind].title, source.size);
    const { notes } = asset;
    const withMesh = (mesh: Mesh): Asset => ({ ...asset, meshes: [{ ...mesh, name: mesh.name ?? name }] });
    switch (kind) {
      case 'obj':
        return withMesh(await readObj(source, notes, { files, path }));
      case 'ply':
        return withMesh(await readPly(source, notes));
      case 'off':
        return withMesh(await readOff(source, notes));
      case 'bvh':
        return { ...asset, motions: [await readBvh(source, notes)] };
      case 'collada':
        return (await import('./read-collada.ts')).readCollada(source, { files, path });
      case 'glb':
      case 'gltf':
        return readGltf(source, files, path, options);
    }
  });
}

/** A cache, on the one static mesh of the file `restPath` if there is one. */
async function readCache(
  files: FileAccess,
  path: string,
  name: string,
  restPath: string | undefined,
  options: ReadOptions,
): Promise<Asset> {
  const rest = restPath === undefined ? undefined : await readRest(files, restPath, options);
  const notes = rest ? [...rest.notes] : [note('cache-without-mesh', {})];
  const source = await files.open(path);
  try {
    const kind = await sniff(source);
    const { title } = FORMATS[kind];
    if (kind !== 'pc2' && kind !== 'mdd') {
      const cause = `(got ${title}, expected PC2 or MDD)`;
      throw new PliantError('bad-option', OPERATION, cause, { file: path, option: 'cache' });
    }
    const mesh = rest?.meshes[0];
    const { framesPerSecond } = options;
    const sequence =
      kind === 'pc2'
        ? await readPc2(source, mesh, framesPerSecond)
        : await readMdd(source, mesh, framesPerSecond, notes);
    return {
      ...emptyAsset(rest ? `${title} on ${rest.format}` : title, source.size + (rest?.bytes ?? 0)),
      sequences: [{ ...sequence, name }],
      space: rest?.space,
      ownTimes: kind === 'mdd',
      notes,
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The asset with the mesh that a cache moves. */
async function readRest(files: FileAccess, path: string, options: ReadOptions): Promise<Asset> {
  const asset = await readFile(files, path, stem(path), { ...options, rest: undefined });
  if (asset.meshes.length !== 1) {
    for (const sequence of asset.sequences) await sequence.close?.();
    const cause = `holds ${plural(asset.meshes.length, 'static mesh', 'static meshes')} (expected one, for the cache)`;
    throw new PliantError('bad-input', OPERATION, cause, { file: path });
  }
  return asset;
}

/** The same sequence with frame k as rest pose. Normals follow; faces, uvs and seams stay. */
async function restAtFrame(sequence: MeshSequence, k: number): Promise<MeshSequence> {
  return { ...sequence, rest: reposed(sequence.rest, await sequence.readFrame(k)) };
}
