/**
 * Pairs on disk, a folder: `coarse.obj` and `fine.obj` (the rest meshes), `<motion>.coarse.abc`, `<motion>.fine.abc` and maybe
 * `<motion>.repeat.abc` (frames), the body as `body.glb` (a rig with a clip for each motion) or as `body.obj` and
 * `<motion>.body.abc`, and `pairs.json`, which ties them together.
 */
import { PliantError } from '../error.ts';
import { type ByteSink, type FileAccess, type FolderSink, readAll, withSource } from '../io/files.ts';
import { readAlembic } from '../io/read-alembic.ts';
import { readGltf } from '../io/read-gltf.ts';
import { readObj } from '../io/read-obj.ts';
import { writeAlembic } from '../io/write-alembic.ts';
import { writeModelGlb } from '../io/write-glb.ts';
import { writeObj } from '../io/write-obj.ts';
import type { Vector } from '../math/vector.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import type { Figures } from '../model/figures.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { posedSequence } from '../skin/posed-sequence.ts';
import { findClip } from '../skin/poses.ts';
import type { BodyMotion } from './body-motion.ts';
import type { ClothPair } from './pairs.ts';

/** What `pairs.json` says. Paths are names in the folder. */
interface PairsFile {
  format: 'pliant cloth pairs';
  version: 1;
  /** The scene that it was made of, or the garment's file. */
  scene: string;
  coarse: string;
  fine: string;
  pinned: { coarse: number[]; fine: number[] };
  /** m, where it is known. */
  thickness?: number;
  body?: {
    /** A rig, or the rest mesh of sequences. */
    file: string;
    collider?: ClothPair['collider'];
    capsules?: { bone: string; a: Vector; b: Vector; radius: number }[];
  };
  motions: MotionEntry[];
}

interface MotionEntry {
  name: string;
  use?: ClothPair['use'];
  coarse: string;
  fine: string;
  repeat?: string;
  /** Frames of a body that is no rig. */
  body?: string;
  figures?: Figures;
}

const LIST = 'pairs.json';

/** Whether a file of a folder is one that `PairsWriter` makes. */
export const isPairsFile = (name: string): boolean =>
  /^(pairs\.json|(coarse|fine|body)\.obj|body\.glb|.+\.(coarse|fine|repeat|body)\.abc)$/.test(name);

/** Writes pairs of one garment, one after the other, so that one is in memory at a time. The caller closes the folder. */
export class PairsWriter {
  readonly #folder: FolderSink;
  readonly #scene: string;
  readonly #rig: SkinnedModel | undefined;
  #file: PairsFile | undefined;

  /** `rig`: the body with a clip for each motion, where it is one. */
  constructor(folder: FolderSink, scene: string, rig?: SkinnedModel) {
    this.#folder = folder;
    this.#scene = scene;
    this.#rig = rig;
  }

  /** Writes the files of a pair. */
  async add(pair: ClothPair, figures: Figures = {}, run: RunOptions = {}): Promise<void> {
    this.#file ??= await this.#begin(pair);
    const { name, use, coarse, fine, repeat, body } = pair;
    const taken = new Set(this.#file.motions.map((motion) => motion.coarse));
    const plain = name.replace(/[^\w.-]/g, '_');
    let stem = plain;
    for (let n = 2; taken.has(`${stem}.coarse.abc`); n++) stem = `${plain}-${n}`;
    const write = async (kind: string, sequence: MeshSequence | undefined): Promise<string | undefined> => {
      if (!sequence) return undefined;
      const file = `${stem}.${kind}.abc`;
      await this.#write(file, (sink) => writeAlembic([sequence], sink, { normals: false, ...run }));
      return file;
    };
    const entry = {
      name,
      use,
      coarse: (await write('coarse', coarse))!,
      fine: (await write('fine', fine))!,
      repeat: await write('repeat', repeat),
      body: await write('body', this.#rig ? undefined : body?.sequence),
      figures,
    };
    this.#file.motions.push(entry);
  }

  /** Writes the list. */
  async finish(): Promise<void> {
    const text = `${JSON.stringify(this.#file, null, 1)}\n`;
    await this.#write(LIST, (sink) => sink.write(new TextEncoder().encode(text)));
  }

  async #begin({ coarse, fine, pinned, thickness, body, collider }: ClothPair): Promise<PairsFile> {
    await this.#write('coarse.obj', (sink) => sink.write(writeObj(coarse.rest)));
    await this.#write('fine.obj', (sink) => sink.write(writeObj(fine.rest)));
    const bodyFile = this.#rig ? 'body.glb' : 'body.obj';
    if (this.#rig) {
      const { bytes } = await writeModelGlb(this.#rig);
      await this.#write(bodyFile, (sink) => sink.write(bytes));
    } else if (body) await this.#write(bodyFile, (sink) => sink.write(writeObj(body.sequence.rest)));
    const capsules = body?.rig?.capsules.map(({ bone, a, b, radius }) => ({
      bone: body.rig!.names[bone],
      a,
      b,
      radius,
    }));
    return {
      format: 'pliant cloth pairs',
      version: 1,
      scene: this.#scene,
      coarse: 'coarse.obj',
      fine: 'fine.obj',
      pinned: { coarse: Array.from(pinned?.coarse ?? []), fine: Array.from(pinned?.fine ?? []) },
      thickness,
      ...(body && { body: { file: bodyFile, collider, capsules } }),
      motions: [],
    };
  }

  async #write(name: string, fill: (sink: ByteSink) => Promise<unknown>): Promise<void> {
    const sink = await this.#folder.file(name);
    await fill(sink);
    await sink.close();
  }
}

const OPERATION = 'readPairs';

/** The pairs of a folder, or of its `pairs.json`. Their sequences read from files until they are closed. */
export async function readPairs(files: FileAccess, path: string): Promise<ClothPair[]> {
  const folder = path.replace(/[/\\]?(pairs\.json)?$/, '') || '.';
  const file = await readList(files, `${folder}/${LIST}`);
  const [coarse, fine] = await Promise.all(
    [file.coarse, file.fine].map((name) => withSource(files, `${folder}/${name}`, (source) => readObj(source))),
  );
  const pinned = { coarse: pinsIn(file, 'coarse', coarse), fine: pinsIn(file, 'fine', fine) };
  const body = file.body && (await readBody(files, folder, file.body));
  const opened: MeshSequence[] = [];
  const open = async (name: string, rest: Mesh, motion: string): Promise<MeshSequence> => {
    const sequence = await readFrames(files, `${folder}/${name}`, rest, motion);
    opened.push(sequence);
    return sequence;
  };
  try {
    const pairs: ClothPair[] = [];
    for (const { name, use, ...motion } of file.motions) {
      const pair: ClothPair = {
        name,
        ...(use && { use }),
        coarse: await open(motion.coarse, coarse, name),
        fine: await open(motion.fine, fine, name),
        pinned,
        ...(file.thickness !== undefined && { thickness: file.thickness }),
        ...(file.body?.collider && { collider: file.body.collider }),
      };
      if (motion.repeat) pair.repeat = await open(motion.repeat, fine, name);
      if (body?.rest && motion.body) pair.body = { sequence: await open(motion.body, body.rest, name) };
      if (body?.model) pair.body = motionOf(body.model, file.body?.capsules ?? [], name);
      for (const other of [pair.fine, pair.repeat, pair.body?.sequence]) {
        if (!other || other.frameCount === pair.coarse.frameCount) continue;
        const cause = `${name}: ${other.frameCount} frames and ${pair.coarse.frameCount} of the coarse cloth (expected equal counts)`;
        throw new PliantError('bad-input', OPERATION, cause, { file: folder });
      }
      pairs.push(pair);
    }
    return pairs;
  } catch (error) {
    for (const sequence of opened) await sequence.close?.();
    throw error;
  }
}

async function readList(files: FileAccess, path: string): Promise<PairsFile> {
  const bytes = await withSource(files, path, (source) => readAll(source, OPERATION));
  const bad = (cause: string) => new PliantError('bad-file', OPERATION, cause, { file: path });
  let file: PairsFile;
  try {
    file = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw bad('is no JSON');
  }
  if (file?.format !== 'pliant cloth pairs') throw bad('is no list of cloth pairs');
  if (file.version !== 1) throw new PliantError('unsupported', OPERATION, `version ${file.version}`, { file: path });
  const isName = (x: unknown) => typeof x === 'string' && x !== '' && !/[/\\]/.test(x);
  const isList = (x: unknown): x is unknown[] => Array.isArray(x);
  if (!isName(file.coarse) || !isName(file.fine)) throw bad('names no rest meshes');
  if (!isList(file.motions) || file.motions.length === 0) throw bad('has no motions');
  for (const motion of file.motions) {
    const names = [motion?.coarse, motion?.fine, motion?.repeat ?? motion?.coarse, motion?.body ?? motion?.coarse];
    if (typeof motion?.name !== 'string' || !names.every(isName)) throw bad('has a motion without name or files');
  }
  const pins = [
    ...(isList(file.pinned?.coarse) ? file.pinned.coarse : [-1]),
    ...(isList(file.pinned?.fine) ? file.pinned.fine : [-1]),
  ];
  if (!pins.every((i) => Number.isInteger(i) && i >= 0)) throw bad('has pins that are no vertex numbers');
  if (file.thickness !== undefined && !(file.thickness >= 0))
    throw bad(`thickness ${file.thickness} (expected a number ≥ 0)`);
  if (file.body && !isName(file.body.file)) throw bad('has a body without file');
  const { collider = 'capsules', capsules = [] } = file.body ?? {};
  if (collider !== 'capsules' && collider !== 'surface')
    throw bad(`collider ${collider} (expected capsules or surface)`);
  const isPoint = (x: unknown) => isList(x) && x.length === 3 && x.every(Number.isFinite);
  const isCapsule = (x?: Partial<(typeof capsules)[number]>) =>
    typeof x?.bone === 'string' && isPoint(x.a) && isPoint(x.b) && Number.isFinite(x.radius);
  if (!isList(capsules) || !capsules.every(isCapsule)) throw bad('has a capsule without bone, ends or radius');
  return file;
}

function pinsIn(file: PairsFile, kind: 'coarse' | 'fine', mesh: Mesh): Uint32Array {
  const outside = file.pinned[kind].find((i) => i >= vertexCount(mesh));
  if (outside === undefined) return Uint32Array.from(file.pinned[kind]);
  const cause = `pinned vertex ${outside} of the ${kind} mesh (expected 0 to ${vertexCount(mesh) - 1})`;
  throw new PliantError('bad-input', OPERATION, cause, { file: LIST });
}

/** The frames of a mesh whose rest pose is known. */
async function readFrames(files: FileAccess, path: string, rest: Mesh, name: string): Promise<MeshSequence> {
  const { sequences, meshes } = await readAlembic(await files.open(path));
  // A cache of one frame is a mesh.
  const sequence = sequences[0] ?? (meshes[0] && memorySequence(name, meshes[0], [meshes[0].positions]));
  if (
    sequence &&
    vertexCount(sequence.rest) === vertexCount(rest) &&
    sameFaces(sequence.rest.triangles, rest.triangles)
  ) {
    return { ...sequence, rest, name };
  }
  await sequence?.close?.();
  throw new PliantError('bad-input', OPERATION, 'has other vertices or faces than the rest mesh', { file: path });
}

async function readBody(files: FileAccess, folder: string, { file }: { file: string }) {
  const path = `${folder}/${file}`;
  if (!file.endsWith('.glb')) return { rest: await withSource(files, path, (source) => readObj(source)) };
  const { models } = await withSource(files, path, (source) => readGltf(source, files, path));
  if (models.length > 0) return { model: models[0] };
  throw new PliantError('bad-input', OPERATION, 'has no rig', { file: path });
}

function motionOf(
  model: SkinnedModel,
  capsules: NonNullable<NonNullable<PairsFile['body']>['capsules']>,
  name: string,
): BodyMotion {
  const clip = findClip(model, name, OPERATION);
  const { names } = model.skeleton;
  const unknown = capsules.find(({ bone }) => !names.includes(bone));
  if (unknown) {
    throw new PliantError('bad-file', OPERATION, `a capsule of bone ${unknown.bone}, which the body lacks`, {
      file: LIST,
    });
  }
  return {
    sequence: posedSequence({ ...model, clips: [clip] }, 0),
    rig: { clip, names, capsules: capsules.map(({ bone, ...capsule }) => ({ ...capsule, bone: names.indexOf(bone) })) },
  };
}
