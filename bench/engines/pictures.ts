import { crc32, deflateSync } from 'node:zlib';

/** Small pictures of every kind that glTF may hold. */

/** A PNG of 2 × 2 pixels of one colour. */
export function pngOf(...color: [number, number, number]): Uint8Array {
  const chunk = (name: string, data: Uint8Array): Uint8Array => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    out.set(body, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const row = [0, ...color, ...color];
  const header = Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0);
  return new Uint8Array(
    Buffer.concat([
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Uint8Array.from([...row, ...row]))),
      chunk('IEND', new Uint8Array(0)),
    ]),
  );
}

/** One pixel. */
export const WEBP = new Uint8Array(
  Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64'),
);

/** The header of a KTX2 texture of 4 × 4 pixels and some bytes after it: nobody here can decode it, nor has to. */
export const KTX2 = ((): Uint8Array => {
  const out = Uint8Array.from({ length: 160 }, (_, i) => (7 * i) % 251);
  out.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  const words = new DataView(out.buffer);
  for (const [w, word] of [0, 1, 4, 4, 0, 0, 1, 1, 1].entries()) words.setUint32(12 + 4 * w, word, true);
  return out;
})();
