import { type ByteSource, memorySource } from '../../../src/io/files.ts';
import { validateMesh } from '../../../src/model/mesh.ts';
import { validateSequence } from '../../../src/model/sequence.ts';
import { openBytes } from './fixtures.ts';

export const rounded = (numbers: Iterable<number>): number[] =>
  Array.from(numbers, (value) => Math.round(1e5 * value) / 1e5 + 0);

/** Reads an archive and checks all that it holds. */
export async function opened(bytes: Uint8Array) {
  const asset = await openBytes(bytes);
  for (const mesh of asset.meshes) validateMesh(mesh);
  for (const sequence of asset.sequences) await validateSequence(sequence);
  return asset;
}

/** A source that knows its largest read so far, and how often it was closed. */
export function countingSource(
  bytes: Uint8Array,
): ByteSource & { largest(): number; closed(): number; reads(): number } {
  const source = memorySource('test.abc', bytes);
  let largest = 0;
  let reads = 0;
  let closed = 0;
  return {
    ...source,
    read(offset, length) {
      reads++;
      largest = Math.max(largest, length);
      return source.read(offset, length);
    },
    async close() {
      closed++;
    },
    largest: () => largest,
    reads: () => reads,
    closed: () => closed,
  };
}
