import { throwIfCancelled } from '../../../src/error.ts';
import { PliantError, type RunOptions } from '../../../src/index.ts';
import { packData, unpackData } from '../../../src/io/gltf/packed-data.ts';
import type { Content } from '../core/content/content.ts';
import type { SessionData, SessionDoc } from '../core/session/session.ts';

/**
 * A session as one file, little endian:
 *
 *   8 bytes  "PLIANT\r\n"
 *   4 bytes  version
 *   4 bytes  length of the data
 *   gzip     the data of packed-data.ts, in blocks of 2²⁰ bytes. Each block is sorted: first all bytes at multiples of 4,
 *            then the bytes after them, and so on. Exponents of floats become neighbours, which makes the file a quarter
 *            smaller than gzip alone. The checksum of gzip finds damage.
 */
const MAGIC = 'PLIANT\r\n';
const VERSION = 2;
const HEAD = 16;
const BLOCK = 2 ** 20;
/** Maximum bytes of data. */
const MOST = 2 ** 31 - 1;
/** Maximum expansion of gzip. */
const MOST_GROWTH = 1032;

type Run = Required<RunOptions>;

/** A document as the page has it. */
export type OpenDoc = SessionDoc & { content: Content };

export async function writeSession(session: SessionData, { onProgress, signal }: Run): Promise<Blob> {
  const docs: SessionDoc[] = [];
  for (const doc of session.docs) docs.push(await withStoredFiles(doc));
  const data = packData({ ...session, docs });
  if (data.length > MOST) {
    throw new PliantError(
      'too-large',
      'save',
      `${data.length} bytes (expected at most ${MOST}): close some tabs first`,
    );
  }
  let at = 0;
  const blocks = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      throwIfCancelled(signal, 'save');
      onProgress(at, data.length, 'saving');
      if (at < data.length) controller.enqueue(sortBytes(data.subarray(at, at + BLOCK)));
      else controller.close();
      at += BLOCK;
    },
  });
  // Browsers report a broken stream in their own words.
  const packed = await new Response(blocks.pipeThrough(new CompressionStream('gzip')))
    .blob()
    .catch((error: unknown) => {
      throwIfCancelled(signal, 'save');
      throw error;
    });
  const head = new Uint8Array(HEAD);
  head.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(head.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, data.length, true);
  return new Blob([head, packed], { type: 'application/octet-stream' });
}

/** A document with the bytes of its files; without them if one is no longer there. */
async function withStoredFiles(doc: OpenDoc): Promise<SessionDoc> {
  const { files = [], ...content } = doc.content;
  try {
    const bytes = await Promise.all(files.map(([, file]) => file.arrayBuffer()));
    const stored = files.map(([path], f) => ({ path, bytes: new Uint8Array(bytes[f]) }));
    return { ...doc, content, ...(stored.length > 0 && { files: stored }) };
  } catch {
    return { ...doc, content };
  }
}

/** The data of a file, unchecked. */
export async function unpackFile(file: Blob, name: string, run: Run): Promise<unknown> {
  const refuse = (cause: string, code: PliantError['code'] = 'bad-file'): never => {
    throw new PliantError(code, 'open', cause, { file: name });
  };
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  if (!MAGIC.startsWith(String.fromCharCode(...head.subarray(0, 8))) || head.length < HEAD) {
    return refuse('not a session of Pliant (expected PLIANT as its first letters)');
  }
  const view = new DataView(head.buffer);
  const [version, size] = [view.getUint32(8, true), view.getUint32(12, true)];
  if (version !== VERSION) {
    return refuse(`a session of another version (got ${version}, expected ${VERSION})`, 'unsupported');
  }
  if (size > MOST || size > MOST_GROWTH * file.size) return refuse(`damaged: ${size} bytes of data in ${file.size}`);
  const data = await inflated(file.slice(HEAD), size, run).catch((error: unknown) => {
    if (error instanceof PliantError) throw error;
    return refuse('damaged: the file is cut off or changed (wrong checksum)');
  });
  return unpackData(data);
}

/** The data behind the header. */
async function inflated(packed: Blob, size: number, { onProgress, signal }: Run): Promise<Uint8Array> {
  const data = new Uint8Array(size);
  const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    throwIfCancelled(signal, 'open');
    onProgress(at, size, 'reading');
    data.set(value, at); // throws if there is more data than announced
    at += value.length;
  }
  if (at !== size) throw new RangeError(`${at} bytes`);
  for (let from = 0; from < size; from += BLOCK) {
    const block = data.subarray(from, from + BLOCK);
    block.set(sortBytes(block, true));
  }
  return data;
}

/** The bytes of a block sorted by their place in words of 4, or sorted bytes put back. */
export function sortBytes(block: Uint8Array, back = false): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(block.length);
  let at = 0;
  for (let c = 0; c < 4; c++) {
    for (let b = c; b < block.length; b += 4, at++) {
      if (back) out[b] = block[at];
      else out[at] = block[b];
    }
  }
  return out;
}
