import { PliantError } from '../error.ts';
import { firstNonFinite, type Mesh, vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { frameOutOfRange, type MeshSequence } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';
import type { ByteSink, ByteSource } from './files.ts';
import { stem } from './paths.ts';

/** What PC2 and MDD have in common: a header, then P frames of N positions, three float32 each. */
export interface PointCache {
  source: ByteSource;
  operation: string;
  /** Offset of the first frame. */
  start: number;
  /** N. */
  vertices: number;
  littleEndian: boolean;
  /** P. */
  frameCount: number;
  /** P, in seconds: made when they are first asked for. */
  times: () => Float64Array;
}

/** A frame is in memory as a whole, and so are the times of all frames once someone asks for them. */
const MOST_VERTICES = 2 ** 26;
const MOST_FRAMES = 2 ** 22;

/**
 * Throws `bad-file` unless the file can hold the frames that its header promises, and `too-large` beyond what is read:
 * before anything is allocated.
 */
export function checkCacheSize(
  source: ByteSource,
  operation: string,
  vertices: number,
  frameCount: number,
  headerBytes: number,
): void {
  const place = { file: source.name };
  const promised = `${vertices} vertices × ${frameCount} frames`;
  const expected = headerBytes + 12 * vertices * frameCount;
  if (vertices < 1 || frameCount < 1 || expected > Number.MAX_SAFE_INTEGER) {
    throw new PliantError('bad-file', operation, `not a point cache, or damaged (its header says ${promised})`, place);
  }
  if (source.size < expected) {
    const cause = `file ends early (got ${source.size} bytes, expected ${expected} for ${promised})`;
    throw new PliantError('bad-file', operation, cause, { ...place, offset: source.size });
  }
  if (vertices > MOST_VERTICES || frameCount > MOST_FRAMES) {
    const cause = `${promised} (expected at most ${MOST_VERTICES} vertices and ${MOST_FRAMES} frames)`;
    throw new PliantError('too-large', operation, cause, place);
  }
}

/** The frames of a cache as a sequence that reads them when asked; without a mesh, of points at the first frame. */
export async function cacheSequence(cache: PointCache, mesh?: Mesh): Promise<MeshSequence> {
  const rest = mesh ?? (await firstFrameOf(cache));
  const { source, operation, start, vertices, littleEndian, frameCount } = cache;
  let times: Float64Array | undefined;
  const name = mesh?.name ?? stem(source.name);
  const n = vertexCount(rest);
  if (vertices !== n) {
    const cause = `the cache has ${plural(vertices, 'vertex', 'vertices')}, the mesh has ${n} (expected the same number)`;
    throw new PliantError('bad-file', operation, cause, { file: source.name });
  }
  return {
    name,
    rest,
    frameCount,
    get times() {
      times ??= cache.times();
      return times;
    },
    async readFrame(k, out = new Float32Array(3 * n)) {
      if (!(Number.isInteger(k) && k >= 0 && k < frameCount)) throw frameOutOfRange(name, k, frameCount);
      const offset = start + 12 * n * k;
      const bytes = await source.read(offset, 12 * n);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let c = 0; c < 3 * n; c++) out[c] = view.getFloat32(4 * c, littleEndian);
      const bad = firstNonFinite(out);
      if (bad >= 0) {
        const cause = `frame ${k}, vertex ${Math.floor(bad / 3)} has a coordinate ${out[bad]} (expected a finite number)`;
        throw new PliantError('bad-file', operation, cause, { file: source.name, offset: offset + 4 * bad });
      }
      return out;
    },
    close: () => source.close(),
  };
}

/** Index of the first time that is not finite or not after the one before, or −1. */
export function firstUnorderedTime(times: Float64Array): number {
  for (let k = 0; k < times.length; k++) {
    if (!Number.isFinite(times[k]) || (k > 0 && !(times[k] > times[k - 1]))) return k;
  }
  return -1;
}

/** Points at the first frame of a cache, without faces. */
async function firstFrameOf(cache: PointCache): Promise<Mesh> {
  const points = (positions: Float32Array): Mesh => ({ positions, triangles: new Uint32Array(0) });
  const sequence = await cacheSequence(cache, points(new Float32Array(3 * cache.vertices)));
  return points(await sequence.readFrame(0));
}

/** Writes the frames of a sequence, three float32 per vertex, one by one: never more than one is in memory. */
export async function writeCacheFrames(
  sequence: MeshSequence,
  sink: ByteSink,
  littleEndian: boolean,
  operation: string,
  run: RunOptions,
): Promise<void> {
  const { rest, frameCount } = sequence;
  const frame = new Float32Array(rest.positions.length);
  const bytes = new DataView(new ArrayBuffer(4 * frame.length));
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(run, operation, k, frameCount, 'writing frames');
    await sequence.readFrame(k, frame);
    for (let c = 0; c < frame.length; c++) bytes.setFloat32(4 * c, frame[c], littleEndian);
    await sink.write(new Uint8Array(bytes.buffer));
  }
  run.onProgress?.(frameCount, frameCount, 'writing frames');
}
