import { PliantError } from '../error.ts';
import { packedParts } from '../io/edit-gltf.ts';
import type { SequenceGlbOptions } from '../io/glb/options.ts';
import type { GltfEditor } from '../io/gltf/edit/editor.ts';
import { writeLinearKeys } from '../io/gltf/edit/linear-keys.ts';
import { lostNotes } from '../io/gltf/edit/lost.ts';
import { boundsOf, diagonalOf } from '../mesh/bounds.ts';
import { mergeSequences } from '../mesh/merge-sequences.ts';
import { reposed } from '../mesh/normals.ts';
import type { Asset } from '../model/asset.ts';
import { totalLength } from '../model/bytes.ts';
import { type FrameOptions, takeFrames } from '../model/frames.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { booleanOption, numberOption, type OptionSpecs } from '../model/options.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import { allOrNamed, chooseClip, moreClips, type PoseOptions, poseClip, requireMixWeights } from './choose.ts';
import { posingOption, requireTriangles } from './scenes.ts';
import { conversionNotes, holdsSeveral, type SequenceFormat, startOf } from './sequence-formats.ts';
import {
  assetOf,
  clipReport,
  fileOf,
  type GlbTarget,
  glbOf,
  meshPart,
  modelPart,
  sequenceClip,
  sequenceFigures,
  type VerbInput,
  type VerbReport,
  verbReport,
} from './verb.ts';

/** The options of `convert`, except those for posing and frames. */
export const CONVERT_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'mesh to convert [default all]' },
  merge: booleanOption(false, 'merge all meshes, for formats that hold only one'),
  linearKeys: numberOption(
    0,
    { min: 0, max: 1, unit: '% of the diagonal' },
    'glTF to GLB: linear keys that Blender plays as well, each track at most this far off; 0 keeps all',
  ),
} as const satisfies OptionSpecs;

/** Options of `convert`. */
export interface ConvertOptions extends PoseOptions, FrameOptions, GlbTarget {
  object?: string;
  merge?: boolean;
  linearKeys?: number;
  /** What the result will be written as. */
  format: SequenceFormat;
  /** How a GLB will be written, where that is asked for. */
  glb?: Partial<SequenceGlbOptions>;
}

/** What `convert` returns. */
export interface ConvertOutcome {
  /** Every mesh as a sequence; those that stand still have one frame. */
  sequences: MeshSequence[];
  /** The meshes, where none of them moves or one frame of one was asked for. */
  meshes: Mesh[];
  /** The GLB, where a glTF file or rigs are to become one and no frames are asked for: the same scene. */
  file?: Uint8Array;
  report: VerbReport<ConvertDetail>;
}

/** What only `convert` reports. */
export interface ConvertDetail {
  /** The clip that a rig was posed by. */
  clip?: string;
}

/** The objects of an asset that are converted. */
type Objects = Pick<Asset, 'models' | 'sequences'> & { still: Mesh[] };

/**
 * Prepares the meshes of an asset, moving or not, for another format. Rigs are posed, unless they are to become a GLB and
 * no option asks for frames: a glTF file is then packed as it is, and rigs that must be written anew stay rigs.
 */
export async function convert(input: VerbInput, options: ConvertOptions): Promise<ConvertOutcome> {
  const asset = assetOf(input);
  const { format, glb: { compress, ...glb } = {}, sink, linearKeys, ...asked } = options;
  const isGiven = (values: object): boolean => Object.values(values).some((value) => value !== undefined);
  const { morphNormals, ...anyGlb } = glb;
  if (format === 'glb' && asset.source && !isGiven({ ...asked, ...glb })) {
    const { source } = asset;
    const done: Note[] = [];
    const straighten = async (editor: GltfEditor): Promise<void> => {
      const diagonal = restDiagonal(asset);
      const tolerance = (linearKeys! / 100) * diagonal;
      done.push(
        note('linear-keys', { ...(await writeLinearKeys(editor, source, { tolerance, diagonal }, 'convert')) }),
      );
    };
    const pieces = await packedParts(source, compress === 'meshopt', linearKeys ? straighten : undefined);
    // What readers repair or leave out is in the file as it was.
    const report = wholeReport(asset, [...asset.notes.filter(({ code }) => code === 'image-missing'), ...done]);
    report.figures.bytes = totalLength(pieces);
    return { sequences: [], meshes: [], ...(await fileOf(pieces, { sink })), report };
  }
  if (linearKeys) {
    const cause = 'applies to a glTF file that becomes a GLB without other options only';
    throw new PliantError('bad-option', 'convert', cause, { file: asset.name, option: 'linearKeys' });
  }
  const isRig = asset.models.length > 0 && asset.sequences.length === 0 && asset.meshes.length === 0;
  if (format === 'glb' && isRig && !isGiven({ ...asked, morphNormals })) {
    const report = wholeReport(asset, asset.notes);
    return {
      sequences: [],
      meshes: [],
      ...(await glbOf(asset.models, { ...anyGlb, compress }, report, { sink })),
      report,
    };
  }
  const { object, merge = false, firstFrame, lastFrame, frameStep, framesPerSecond, ...pose } = asked;
  const notes: Note[] = [...asset.notes, ...lostNotes(asset.source)];
  const fail = (cause: string, option?: string): never => {
    throw new PliantError('bad-option', 'convert', cause, { file: asset.name, option });
  };

  // (1) What moves, and what does not.
  const chosen = chooseObjects(asset, object, notes);
  const { clip, moving } = moveObjects(asset, chosen, { ...pose, framesPerSecond }, notes);
  if (framesPerSecond !== undefined && chosen.sequences.length > 0 && asset.ownTimes) notes.push(note('own-times', {}));
  const frames = Object.fromEntries(
    Object.entries({ firstFrame, lastFrame, frameStep }).filter(([, value]) => value !== undefined),
  );
  if (format === 'glb' && asset.source && moving.length > 0) notes.push(note('frames-as-targets', {}));
  const [frameOption] = Object.keys(frames);
  if (moving.length === 0 && frameOption) fail('applies to motions only', frameOption);

  // (2) Everything as sequences, as many as the format holds.
  const taken = moving.map((sequence) => takeFrames('convert', sequence, frames));
  const start = taken[0]?.times[0] ?? 0;
  let parts = [...taken, ...chosen.still.map((mesh) => stillSequence(mesh, start))];
  if (merge && parts.length > 1) {
    notes.push(note('meshes-joined', { meshes: parts.length }));
    parts = [mergeSequences(parts).sequence];
  }
  if (!holdsSeveral(format) && parts.length > 1) {
    const names = parts.map(({ name }) => name).join(', ');
    fail(`is required to choose one of ${parts.length} meshes (${names}), or join them with {option:merge}`, 'object');
  }
  if (format === 'glb') for (const part of parts) requireTriangles('convert', asset, part);
  if (format === 'obj' && parts[0].frameCount > 1) {
    const expected = 'a folder, or one frame by {option:firstFrame} and {option:lastFrame}';
    fail(`${parts[0].frameCount} frames into one OBJ file (expected ${expected})`);
  }
  const still = moving.length === 0 || format === 'obj';
  notes.push(...(await conversionNotes(format, parts, framesPerSecond)));
  return {
    sequences: format === 'glb' ? fromZero(parts) : parts,
    meshes: still ? await Promise.all(parts.map(onlyFrame)) : [],
    report: verbReport(
      { clip },
      {
        figures: sequenceFigures(parts),
        clips: parts.map((part) => sequenceClip(part)),
        parts: parts.map(({ name, rest }) => meshPart(name, rest)),
        notes,
      },
    ),
  };
}

/** What is told of an asset that became a GLB with all its clips. */
function wholeReport({ models, sequences, meshes }: Asset, notes: readonly Note[]): VerbReport<ConvertDetail> {
  const clips = [
    ...models.flatMap((model) => model.clips.map((clip) => clipReport(clip, model.name))),
    ...sequences.map((sequence) => sequenceClip(sequence)),
  ];
  const parts = [
    ...models.map(modelPart),
    ...sequences.map(({ name, rest }) => meshPart(name, rest)),
    ...meshes.map((mesh) => meshPart(mesh.name ?? 'mesh', mesh)),
  ];
  const figures = {
    vertices: parts.reduce((sum, { vertices }) => sum + vertices, 0),
    frames: clips.reduce((most, { frames }) => Math.max(most, frames), 1),
  };
  return verbReport({}, { figures, clips, parts, notes: [...notes] });
}

/** The diagonal of all that an asset shows, at rest. */
function restDiagonal({ models, sequences, meshes }: Asset): number {
  const all = [...models.map(({ mesh }) => mesh), ...sequences.map(({ rest }) => rest), ...meshes];
  const corners = all.flatMap(({ positions }) => {
    const { min, max } = boundsOf(positions);
    return [...min, ...max];
  });
  return diagonalOf(corners) || 1;
}

/** The objects of an asset, or the named one. A rig without clips is a mesh that stands still. */
function chooseObjects(asset: Asset, name: string | undefined, notes: Note[]): Objects {
  const models = asset.models.filter(({ clips }) => clips.length > 0);
  const unmoved = asset.models.filter(({ clips }) => clips.length === 0);
  const still = [...asset.meshes, ...unmoved.map((model) => ({ ...model.mesh, name: model.name }))];
  if (unmoved.length > 0) notes.push(note('rig-without-clip', {}));
  const all: { name?: string }[] = [...models, ...asset.sequences, ...still];
  const chosen = new Set(allOrNamed(all, { verb: 'convert', asset, option: 'object', name }));
  if (chosen.size === 0) throw new PliantError('not-found', 'convert', 'contains no mesh', { file: asset.name });
  return {
    models: models.filter((model) => chosen.has(model)),
    sequences: asset.sequences.filter((sequence) => chosen.has(sequence)),
    still: still.filter((mesh) => chosen.has(mesh)),
  };
}

/** A mesh with several motions, one for each clip of its morph targets, has the first of them. */
function oneMotionEach(sequences: readonly MeshSequence[], notes: Note[]): MeshSequence[] {
  const first = new Map<Mesh, MeshSequence>();
  for (const sequence of sequences) if (!first.has(sequence.rest)) first.set(sequence.rest, sequence);
  const others = sequences.filter((sequence) => first.get(sequence.rest) !== sequence);
  if (others.length > 0) notes.push(note('more-motions', { objects: others.map(({ name }) => name) }));
  return [...first.values()];
}

/** What moves: rigs by one clip, and sequences. */
function moveObjects(
  asset: Asset,
  { models, sequences }: Objects,
  pose: PoseOptions,
  notes: Note[],
): { clip?: string; moving: MeshSequence[] } {
  const moved = [...models, ...sequences.filter((sequence) => sequence.clip !== undefined)];
  if (models.length === 0) {
    const option = posingOption(moved.length > 0 ? { ...pose, clip: undefined } : pose);
    if (option)
      throw new PliantError('bad-option', 'convert', 'applies to rigs with clips only', { file: asset.name, option });
    if (pose.clip === undefined) return { moving: oneMotionEach(sequences, notes) };
  }
  requireMixWeights('convert', asset, models, pose);
  const clip = chooseClip('convert', asset, moved, pose.clip);
  notes.push(...moreClips(asset, moved, pose.clip !== undefined));
  const posed = models.map((model) => ({ ...poseClip(model, clip, pose), name: model.name }));
  return { clip, moving: [...posed, ...sequences.filter((sequence) => (sequence.clip ?? clip) === clip)] };
}

const stillSequence = (mesh: Mesh, time: number): MeshSequence =>
  memorySequence(mesh.name || 'mesh', mesh, [mesh.positions], Float64Array.of(time));

/** The mesh in its only frame. */
async function onlyFrame({ rest, readFrame, name }: MeshSequence): Promise<Mesh> {
  const positions = await readFrame(0);
  const atRest = positions.every((x, c) => x === rest.positions[c]);
  return { ...(atRest ? rest : reposed(rest, positions)), name: rest.name ?? name };
}

/** Players of glTF start at 0: a shot that begins at frame 1001 would stand still for most of a minute first. */
function fromZero(parts: readonly MeshSequence[]): MeshSequence[] {
  const start = startOf(parts);
  return parts.map((part) => ({ ...part, times: part.times.map((t) => t - start) }));
}
