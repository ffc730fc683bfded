import type { ByteSink } from '../files.ts';
import {
  EMPTY_DATA,
  EMPTY_GROUP,
  FROZEN,
  OGAWA_HEADER_BYTES,
  OGAWA_MAGIC,
  OGAWA_VERSION,
  type OgawaChild,
} from './ogawa.ts';

const BUFFER_BYTES = 1 << 16;

/**
 * Writes an Ogawa file from its leaves to its root: a group is written when its children are. Only the header, which has
 * the root's offset, is patched at the end; until then the file counts as unfinished.
 */
export class OgawaWriter {
  readonly #sink: ByteSink;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #filled = 0;
  /** Bytes so far. */
  #size = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
    const header = new Uint8Array(OGAWA_HEADER_BYTES);
    for (let c = 0; c < OGAWA_MAGIC.length; c++) header[c] = OGAWA_MAGIC.charCodeAt(c);
    header[7] = OGAWA_VERSION;
    this.#buffer.set(header);
    this.#filled = this.#size = header.length;
  }

  get size(): number {
    return this.#size;
  }

  /** One block of all the parts. */
  async data(...parts: readonly Uint8Array[]): Promise<OgawaChild> {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    if (size === 0) return EMPTY_DATA;
    const offset = this.#size;
    await this.#append(uint64(size));
    for (const part of parts) await this.#append(part);
    return { isData: true, offset };
  }

  async group(children: readonly OgawaChild[]): Promise<OgawaChild> {
    if (children.length === 0) return EMPTY_GROUP;
    const offset = this.#size;
    await this.#append(uint64(children.length));
    const table = new DataView(new ArrayBuffer(8 * children.length));
    children.forEach((child, c) => {
      table.setUint32(8 * c, child.offset, true);
      table.setUint32(8 * c + 4, Math.floor(child.offset / 2 ** 32) + (child.isData ? 0x80000000 : 0), true);
    });
    await this.#append(new Uint8Array(table.buffer));
    return { isData: false, offset };
  }

  async finish(root: OgawaChild): Promise<void> {
    await this.#flush();
    await this.#sink.patch(8, uint64(root.offset));
    await this.#sink.patch(5, Uint8Array.of(FROZEN));
  }

  async #append(bytes: Uint8Array): Promise<void> {
    if (this.#filled + bytes.length > BUFFER_BYTES) await this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      await this.#sink.write(bytes);
    } else {
      this.#buffer.set(bytes, this.#filled);
      this.#filled += bytes.length;
    }
    this.#size += bytes.length;
  }

  async #flush(): Promise<void> {
    if (this.#filled > 0) await this.#sink.write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

function uint64(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, value, true);
  view.setUint32(4, Math.floor(value / 2 ** 32), true);
  return new Uint8Array(view.buffer);
}
