import type { ByteSink } from '../../../src/index.ts';

/** A file in memory. */
export function blobSink(): ByteSink & { blob(type: string): Blob } {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(bytes) {
      parts.push(bytes.slice());
    },
    async patch(offset, bytes) {
      let first = 0;
      for (const part of parts) {
        const from = Math.max(0, offset - first);
        const skipped = Math.max(0, first - offset);
        if (from < part.length && skipped < bytes.length) {
          part.set(bytes.subarray(skipped, skipped + part.length - from), from);
        }
        first += part.length;
      }
    },
    async close() {},
    async abort() {
      parts = [];
    },
    blob: (type) => new Blob(parts, { type }),
  };
}
