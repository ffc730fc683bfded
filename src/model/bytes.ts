/** Bytes that stay in their file until they are read. */
export interface StoredBytes {
  readonly length: number;
  /** A part of them, as with arrays. Nothing is read yet. */
  subarray(from: number, to: number): StoredBytes;
  /** Rejects with `bad-file` when the file is no longer the same. */
  read(): Promise<Uint8Array>;
}

/** Bytes in memory or in a file. */
export type Bytes = Uint8Array | StoredBytes;

/** The bytes, read if they are still in their file. */
export const readBytes = async (bytes: Bytes): Promise<Uint8Array> =>
  bytes instanceof Uint8Array ? bytes : bytes.read();

/** So much of a file is read at once. */
const CHUNK = 2 ** 20;

/** Parts one after the other, with little of those that are in files in memory at a time. */
export async function* chunksOf(parts: readonly Bytes[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const step = part instanceof Uint8Array ? part.length : CHUNK;
    for (let from = 0; from < part.length; from += step) {
      yield await readBytes(part.subarray(from, Math.min(from + step, part.length)));
    }
  }
}

/** The length of parts together. */
export const totalLength = (parts: readonly Bytes[]): number => parts.reduce((sum, { length }) => sum + length, 0);

/** Parts as one. */
export async function joined(parts: readonly Bytes[]): Promise<Uint8Array> {
  const out = new Uint8Array(totalLength(parts));
  let offset = 0;
  for await (const chunk of chunksOf(parts)) {
    out.set(chunk, offset);
    offset += chunk.length;
  }
  return out;
}
