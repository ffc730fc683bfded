import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type MeshSequence, steadyTimes } from '../model/sequence.ts';
import type { ByteSource } from './files.ts';
import { cacheSequence, checkCacheSize, firstUnorderedTime } from './point-cache.ts';

/**
 * MDD, the motion cache of LightWave, big-endian: int32 frames, int32 points, the time of every frame in seconds as
 * float32; then per frame the points, three float32 each. There is no magic number: the size must match.
 */
const OPERATION = 'readMdd';
export const MDD_HEADER_BYTES = 8;

/**
 * The frames of a cache, on the mesh whose vertices it moves; without one, on points at the first frame. Times that do
 * not increase (some exporters write zeros) are replaced by `framesPerSecond`, with a note. The sequence keeps the
 * source open.
 */
export async function readMdd(
  source: ByteSource,
  rest?: Mesh,
  framesPerSecond = 24,
  notes: Note[] = [],
): Promise<MeshSequence> {
  const { frameCount, vertices } = mddCounts(await source.read(0, MDD_HEADER_BYTES));
  const start = MDD_HEADER_BYTES + 4 * frameCount;
  checkCacheSize(source, OPERATION, vertices, frameCount, start);

  const bytes = await source.read(MDD_HEADER_BYTES, 4 * frameCount);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let times: Float64Array = new Float64Array(frameCount);
  for (let k = 0; k < frameCount; k++) times[k] = view.getFloat32(4 * k);
  const unordered = firstUnorderedTime(times);
  if (unordered >= 0) {
    notes.push(note('times-unordered', { frame: unordered, seconds: times[unordered], framesPerSecond }));
    times = steadyTimes(frameCount, framesPerSecond);
  }
  const cache = { source, operation: OPERATION, start, vertices, littleEndian: false, frameCount, times: () => times };
  return cacheSequence(cache, rest);
}

/** The counts in the first 8 bytes. */
export function mddCounts(header: Uint8Array): { frameCount: number; vertices: number } {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  return { frameCount: view.getInt32(0), vertices: view.getInt32(4) };
}
