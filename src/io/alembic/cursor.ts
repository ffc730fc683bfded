import type { OgawaChild, OgawaFile } from './ogawa.ts';

const decoder = new TextDecoder();

/** Walks over the bytes of a header block; what it asks for beyond the end is an error at that byte of the file. */
export class Cursor {
  readonly #file: OgawaFile;
  readonly #view: DataView;
  /** Offset of the first byte in the file. */
  readonly #start: number;
  #at = 0;

  constructor(file: OgawaFile, bytes: Uint8Array, start: number) {
    this.#file = file;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#start = start;
  }

  get done(): boolean {
    return this.left <= 0;
  }

  /** Bytes that remain. */
  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  /** Offset of the next byte in the file. */
  get offset(): number {
    return this.#start + this.#at;
  }

  fail(cause: string): never {
    return this.#file.fail(cause, this.offset);
  }

  #take(length: number): number {
    if (length > this.left) this.fail(`a header ends early (got ${this.left} bytes, expected ${length})`);
    this.#at += length;
    return this.#at - length;
  }

  /** An unsigned number of 1, 2 or 4 bytes. */
  uint(width: 1 | 2 | 4): number {
    const at = this.#take(width);
    if (width === 1) return this.#view.getUint8(at);
    return width === 2 ? this.#view.getUint16(at, true) : this.#view.getUint32(at, true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  float64s(count: number): Float64Array {
    const at = this.#take(8 * count);
    return Float64Array.from({ length: count }, (_, k) => this.#view.getFloat64(at + 8 * k, true));
  }

  text(length: number): string {
    const at = this.#take(length);
    return decoder.decode(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, length));
  }
}

/** A data block of an archive's index, without its last `hashBytes`. */
export async function openBlock(file: OgawaFile, child: OgawaChild, hashBytes = 0): Promise<Cursor> {
  const bytes = await file.block(child);
  return new Cursor(file, bytes.subarray(0, Math.max(0, bytes.length - hashBytes)), child.offset + 8);
}
