import { type Bytes, readBytes } from '../model/bytes.ts';

/** MIME types of pictures by their first bytes. */
const MAGIC: [mimeType: string, offset: number, bytes: string][] = [
  ['image/png', 1, 'PNG'],
  ['image/jpeg', 0, '\xff\xd8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 8, 'avif'],
  ['image/ktx2', 1, 'KTX 20'],
  ['image/vnd-ms.dds', 0, 'DDS '],
];

/** So many bytes tell. */
const HEAD = 16;

/** Undefined for formats that glTF does not know. */
export async function imageType(bytes: Bytes): Promise<string | undefined> {
  const head = await readBytes(bytes.subarray(0, Math.min(HEAD, bytes.length)));
  const isAt = (offset: number, magic: string) => [...magic].every((x, c) => head[offset + c] === x.charCodeAt(0));
  return MAGIC.find(([, offset, magic]) => isAt(offset, magic))?.[0];
}
