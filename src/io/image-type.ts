/** MIME types of pictures by their first bytes. */
const MAGIC: [mimeType: string, offset: number, bytes: string][] = [
  ['image/png', 1, 'PNG'],
  ['image/jpeg', 0, '\xff\xd8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 8, 'avif'],
  ['image/ktx2', 1, 'KTX 20'],
  ['image/vnd-ms.dds', 0, 'DDS '],
];

/** Undefined for formats that glTF does not know. */
export const imageType = (bytes: Uint8Array): string | undefined =>
  MAGIC.find(([, offset, magic]) => [...magic].every((letter, c) => bytes[offset + c] === letter.charCodeAt(0)))?.[0];
