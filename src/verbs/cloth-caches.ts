/** Coarse and fine caches of one motion, by any simulator, as a pair. */
import type { BodyMotion } from '../cloth/body-motion.ts';
import type { ClothPair } from '../cloth/pairs.ts';
import { PliantError } from '../error.ts';
import { sequenceInGltfSpace } from '../io/glb/space.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import type { Asset } from '../model/asset.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { allOrNamed } from './choose.ts';
import { type Bodies, bodiesOf } from './cloth-inputs.ts';
import { assetOf, type VerbInput } from './verb.ts';

const VERB = 'cloth';

/** How caches and bodies are read. */
export interface CacheOptions {
  /** The cloth, if its files hold several sequences. */
  object?: string;
  bodyObject?: string;
  clip?: string;
}

/** The one sequence of a cache, in metres, y up. */
export function cacheOf(input: VerbInput, option: string, object?: string): MeshSequence {
  const asset = assetOf(input);
  const [found, ...others] = allOrNamed(asset.sequences, { verb: VERB, asset, option: 'object', name: object });
  if (!found) {
    const cause = `contains no sequence (expected the ${option} cloth in motion)`;
    throw new PliantError('not-found', VERB, cause, { file: asset.name });
  }
  if (others.length === 0) {
    if (found.rest.triangles.length > 0) return sequenceInGltfSpace(found);
    const cause = `has no triangles (expected the mesh too: give a folder that holds both, or a pattern like "${option}.*")`;
    throw new PliantError('bad-input', VERB, cause, { file: asset.name });
  }
  const candidates = asset.sequences.map(({ name }) => name);
  const cause = `is required to choose one of ${candidates.join(', ')}`;
  throw new PliantError('bad-option', VERB, cause, { file: asset.name, option: 'object', candidates });
}

/** A body whose frames are those of a cache. */
export async function bodyOfCache(
  asset: Asset,
  cache: MeshSequence,
  { bodyObject, clip }: CacheOptions,
): Promise<{ body: BodyMotion; notes: Note[]; close: Bodies['close'] }> {
  const { times, frameCount, name } = cache;
  const seconds = times[frameCount - 1] - times[0];
  const framesPerSecond = seconds > 0 ? (frameCount - 1) / seconds : 30;
  const { bodies, notes, close } = bodiesOf(asset, { bodyObject, framesPerSecond }, [clip], undefined);
  const { body } = bodies[0];
  // The last frame may be rounded away, and a clip may go on.
  const missing = frameCount - body.sequence.frameCount;
  if (missing > 1) {
    await close();
    const cause = `${body.sequence.frameCount} frames of the body and ${frameCount} of ${name} (expected equal counts, from the same start)`;
    throw new PliantError('bad-input', VERB, cause, { file: asset.name, option: 'body' });
  }
  return { body: missing === 0 ? body : withFrames(body, frameCount), notes, close };
}

/** The first `count` frames of a body; the last one may be missing, and is then shown twice. */
function withFrames({ sequence, rig }: BodyMotion, count: number): BodyMotion {
  const last = sequence.frameCount - 1;
  const from = Math.min(count - 1, last);
  const times = Float64Array.from({ length: count }, (_, k) => sequence.times[0] + k * stepOf(sequence));
  const stride = rig ? rig.clip.transforms.length / rig.clip.times.length : 0;
  const transforms = new Float32Array(count * stride);
  for (let k = 0; rig && k < count; k++) {
    const at = Math.min(k, from) * stride;
    transforms.set(rig.clip.transforms.subarray(at, at + stride), k * stride);
  }
  return {
    sequence: {
      ...sequence,
      frameCount: count,
      times,
      readFrame: (k, out) => sequence.readFrame(Math.min(k, last), out),
    },
    ...(rig && { rig: { ...rig, clip: { name: rig.clip.name, times, transforms } } }),
  };
}

const stepOf = ({ times, frameCount }: MeshSequence): number =>
  frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / 30;

/** A coarse and a fine cache of one motion, by any simulator. */
export interface ClothCaches extends CacheOptions {
  coarse: VerbInput;
  fine: VerbInput;
  /** What wore the cloth: a rig with a clip, or a sequence. */
  body?: VerbInput;
}

/** The caller closes it; the caches stay open. */
export async function pairOfCaches({
  coarse: coarseInput,
  fine: fineInput,
  body: wearer,
  ...options
}: ClothCaches): Promise<{ pair: ClothPair; notes: Note[]; close?: Bodies['close'] }> {
  const [coarseAsset, fineAsset] = [assetOf(coarseInput), assetOf(fineInput)];
  const coarse = cacheOf(coarseAsset, 'coarse', options.object);
  const fine = cacheOf(fineAsset, 'fine', options.object);
  if (coarse.frameCount !== fine.frameCount) {
    const cause = `${coarse.frameCount} coarse and ${fine.frameCount} fine frames (expected equal counts)`;
    throw new PliantError('bad-input', VERB, cause, { file: fineAsset.name });
  }
  const rested = await withRests(coarse, fine, fineAsset.name);
  const worn = wearer && (await bodyOfCache(assetOf(wearer), coarse, options));
  const pair: ClothPair = { name: fine.name, ...rested.pair, ...(worn && { body: worn.body }) };
  const notes = [...coarseAsset.notes, ...fineAsset.notes, ...(worn?.notes ?? []), ...rested.notes];
  return { pair, notes, close: worn?.close };
}

/** Rest meshes may be this far apart, in diagonals. */
const NEAR = 0.05;

/** Rest meshes that lie in the same place: those of the files, or else the first frames. */
async function withRests(coarse: MeshSequence, fine: MeshSequence, file?: string) {
  if (farApart(coarse.rest, fine.rest) <= NEAR) return { pair: { coarse, fine }, notes: [] };
  const atFirst = async (sequence: MeshSequence): Promise<MeshSequence> => {
    const { normals: _, ...rest } = sequence.rest;
    return { ...sequence, rest: { ...rest, positions: await sequence.readFrame(0) } };
  };
  const first = { coarse: await atFirst(coarse), fine: await atFirst(fine) };
  if (farApart(first.coarse.rest, first.fine.rest) <= NEAR) {
    return { pair: first, notes: [note('rest-from-first-frame', {})] };
  }
  const cause = `fine and coarse cloth are far apart, at rest and in the first frame (expected one cloth, vertices in one order)`;
  throw new PliantError('bad-input', VERB, cause, { file });
}

/** The RMS distance of fine vertices from a coarse surface, in diagonals of the fine mesh. */
function farApart(coarse: Mesh, fine: Mesh): number {
  const bvh = buildBvh(coarse.positions, coarse.triangles);
  const point = surfacePoint();
  let sum = 0;
  const n = vertexCount(fine);
  for (let i = 0; i < n; i++) {
    const [x, y, z] = fine.positions.subarray(3 * i, 3 * i + 3);
    nearestOnSurface(bvh, x, y, z, point);
    sum += point.distance ** 2;
  }
  return Math.sqrt(sum / Math.max(1, n)) / (diagonalOf(fine.positions) || 1);
}
