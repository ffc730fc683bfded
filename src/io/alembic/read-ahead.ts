import type { ByteSource } from '../files.ts';

const WINDOW_BYTES = 1 << 19;
/** Larger pieces are read by themselves; so are those farther than this from where the last ended. */
const NEAR_BYTES = 1 << 16;

/**
 * Small pieces that are read one after the other, as frames are: when one follows shortly behind the last, so will more,
 * and half a megabyte is read at once. A single read takes as long as copying a few hundred kilobytes.
 */
export class ReadAhead {
  readonly #source: ByteSource;
  #window: { offset: number; bytes: Uint8Array } = { offset: 0, bytes: new Uint8Array(0) };
  /** Where the last piece ended. */
  #end = -1;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const start = offset - this.#window.offset;
    const follows = this.#end >= 0 && offset >= this.#end && offset - this.#end <= NEAR_BYTES;
    this.#end = offset + length;
    if (start >= 0 && start + length <= this.#window.bytes.length) {
      return this.#window.bytes.subarray(start, start + length);
    }
    const fits = length <= NEAR_BYTES && offset + length <= this.#source.size;
    if (!follows || !fits) return this.#source.read(offset, length);
    const bytes = await this.#source.read(offset, Math.min(WINDOW_BYTES, this.#source.size - offset));
    this.#window = { offset, bytes };
    return bytes.subarray(0, length);
  }
}
