import { PliantError } from '../error.ts';
import type { Mesh } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { ByteSource } from './files.ts';
import { cacheSequence, checkCacheSize, firstUnorderedTime } from './point-cache.ts';

/**
 * PC2, the point cache of 3ds Max and Blender, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float32
 * first frame, float32 frames per sample, int32 samples; then per sample the points, three float32 each.
 */
export const PC2_MAGIC = 'POINTCACHE2\0';
export const PC2_HEADER_BYTES = 32;

const OPERATION = 'readPc2';

/**
 * The frames of a cache, on the mesh whose vertices it moves; without one, on points at the first frame. Times are frame
 * numbers over `framesPerSecond`. The sequence keeps the source open.
 */
export async function readPc2(source: ByteSource, rest?: Mesh, framesPerSecond = 24): Promise<MeshSequence> {
  const fail = (cause: string, offset: number): never => {
    throw new PliantError('bad-file', OPERATION, cause, { file: source.name, offset });
  };
  const magic = String.fromCharCode(...(await source.read(0, Math.min(source.size, PC2_MAGIC.length))));
  if (magic !== PC2_MAGIC) fail(`not a PC2 file (got ${JSON.stringify(magic)}, expected "POINTCACHE2")`, 0);
  const header = await source.read(0, PC2_HEADER_BYTES);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const version = view.getInt32(12, true);
  if (version !== 1) fail(`version ${version} (expected 1)`, 12);
  const vertices = view.getInt32(16, true);
  const firstFrame = view.getFloat32(20, true);
  const framesPerSample = view.getFloat32(24, true);
  const frameCount = view.getInt32(28, true);
  checkCacheSize(source, OPERATION, vertices, frameCount, PC2_HEADER_BYTES);

  const timeOf = (k: number): number => (firstFrame + k * framesPerSample) / framesPerSecond;
  // Steps drown in rounding where numbers are largest: at one of the ends.
  const ends = [
    [0, 1],
    [frameCount - 2, frameCount - 1],
  ].map((pair) => pair.filter((k) => k >= 0 && k < frameCount));
  if (ends.some((pair) => firstUnorderedTime(Float64Array.from(pair, timeOf)) >= 0)) {
    const got = `first frame ${firstFrame}, ${framesPerSample} frames per sample`;
    fail(`${got} (expected finite numbers, the latter > 0)`, 20);
  }
  const times = (): Float64Array => {
    const made = new Float64Array(frameCount);
    for (let k = 0; k < frameCount; k++) made[k] = timeOf(k);
    return made;
  };
  const cache = {
    source,
    operation: OPERATION,
    start: PC2_HEADER_BYTES,
    vertices,
    littleEndian: true,
    frameCount,
    times,
  };
  return cacheSequence(cache, rest);
}
