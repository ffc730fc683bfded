import { PliantError } from '../../error.ts';
import type { ByteSource } from '../files.ts';
import { PageCache } from './page-cache.ts';
import { ReadAhead } from './read-ahead.ts';

/**
 * Ogawa, the container of Alembic archives: a tree of groups and data blocks. Little-endian.
 *
 *   0  "Ogawa", 0xff when the file was closed properly, uint16 version 1 (big-endian), uint64 offset of the root group
 *
 * A group is a uint64 count and as many uint64 children; a data block a uint64 size and as many bytes. A child is an
 * offset from the start of the file; its top bit says that it is data. Offset 0 is an empty group or empty data.
 */
export const OGAWA_MAGIC = 'Ogawa';
export const OGAWA_VERSION = 1;
export const OGAWA_HEADER_BYTES = 16;
/** The sixth byte of a file that was closed. */
export const FROZEN = 0xff;

/**
 * Bytes of blocks that opening may read: a block may have any number of owners, each of whom keeps a copy of what it
 * decodes, so that a small file could ask for any amount of memory.
 */
const OPENING_BYTES = 2 ** 29;
const OPENING_TIMES = 8;

/** One entry of a group. */
export interface OgawaChild {
  isData: boolean;
  /** 0 when it is empty. */
  offset: number;
}

export const EMPTY_DATA: OgawaChild = { isData: true, offset: 0 };
export const EMPTY_GROUP: OgawaChild = { isData: false, offset: 0 };

export class OgawaGroup {
  readonly file: OgawaFile;
  readonly offset: number;
  readonly #table: DataView;

  constructor(file: OgawaFile, offset: number, table: Uint8Array) {
    this.file = file;
    this.offset = offset;
    this.#table = new DataView(table.buffer, table.byteOffset, table.byteLength);
  }

  get count(): number {
    return this.#table.byteLength / 8;
  }

  child(index: number): OgawaChild {
    const low = this.#table.getUint32(8 * index, true);
    const high = this.#table.getUint32(8 * index + 4, true);
    const offset = (high & 0x7fffffff) * 2 ** 32 + low;
    if (offset > this.file.size - 8 || (offset > 0 && offset < OGAWA_HEADER_BYTES)) {
      const cause = `child ${index} of a group is at ${offset} (expected 16 to ${this.file.size - 8})`;
      this.file.fail(cause, this.offset + 8 + 8 * index);
    }
    return { isData: high >= 0x80000000, offset };
  }
}

/** Reads groups and blocks when asked. Every size is compared with that of the file before it is believed. */
export class OgawaFile {
  readonly name: string;
  readonly size: number;
  readonly operation: string;
  readonly #source: ByteSource;
  /** The index of an archive is many small pieces that lie together. */
  readonly #index: PageCache;
  readonly #samples: ReadAhead;
  /** Bytes of blocks that may still be read before the archive is open. */
  #allowance: number;

  constructor(source: ByteSource, operation: string, allowance = OPENING_BYTES + OPENING_TIMES * source.size) {
    this.#allowance = allowance;
    this.name = source.name;
    this.size = source.size;
    this.operation = operation;
    this.#source = source;
    this.#index = new PageCache(source);
    this.#samples = new ReadAhead(source);
  }

  /** From here on blocks are frames, read one at a time by whoever asks. */
  opened(): void {
    this.#allowance = Infinity;
  }

  fail(cause: string, offset: number): never {
    throw new PliantError('bad-file', this.operation, cause, { file: this.name, offset });
  }

  async root(): Promise<OgawaGroup> {
    const header = await this.#index.read(0, Math.min(this.size, OGAWA_HEADER_BYTES));
    const magic = String.fromCharCode(...header.subarray(0, OGAWA_MAGIC.length));
    if (magic !== OGAWA_MAGIC)
      this.fail(`not an Alembic file (got ${JSON.stringify(magic)}, expected "${OGAWA_MAGIC}")`, 0);
    if (this.size < OGAWA_HEADER_BYTES) this.fail(`file ends early (got ${this.size} bytes, expected 16)`, this.size);
    const version = 256 * header[6] + header[7];
    if (version !== OGAWA_VERSION) this.fail(`Ogawa version ${version} (expected ${OGAWA_VERSION})`, 6);
    if (header[5] !== FROZEN) {
      this.fail('the archive was not closed properly (export it again)', 5);
    }
    // The root is written last: it is what a file that was cut off lacks.
    const end = new DataView(header.buffer, header.byteOffset + 8, 8).getBigUint64(0, true) & 0x7fffffffffffffffn;
    if (end > BigInt(this.size - 8)) {
      this.fail(`file ends early (got ${this.size} bytes, expected its root at ${end})`, this.size);
    }
    const root = new OgawaGroup(this, 0, header.subarray(8, 16)).child(0);
    if (root.isData || root.offset === 0) this.fail('no root group', 8);
    return this.group(root.offset);
  }

  async group(offset: number): Promise<OgawaGroup> {
    if (offset === 0) return new OgawaGroup(this, 0, new Uint8Array(0));
    const count = await this.#length(offset, 8, 'children');
    return new OgawaGroup(this, offset, await this.#index.read(offset + 8, 8 * count));
  }

  /** Bytes of a data block. */
  async blockSize({ offset }: OgawaChild): Promise<number> {
    return offset === 0 ? 0 : this.#length(offset, 1, 'bytes');
  }

  /** A data block of the index. */
  async block(child: OgawaChild): Promise<Uint8Array> {
    const size = await this.blockSize(child);
    this.#spend(size, child.offset);
    return size === 0 ? new Uint8Array(0) : this.#index.read(child.offset + 8, size);
  }

  /** The first bytes of a data block: those around it are of no interest, as the samples are that follow. */
  async blockStart(child: OgawaChild, length: number): Promise<Uint8Array> {
    return this.#source.read(child.offset + 8, length);
  }

  /** A data block of exactly `size` bytes, in one read; undefined when it has another size. */
  async blockOfSize({ offset }: OgawaChild, size: number): Promise<Uint8Array | undefined> {
    if (offset === 0) return size === 0 ? new Uint8Array(0) : undefined;
    if (offset + 8 + size > this.size) return undefined;
    this.#spend(size, offset);
    const bytes = await this.#samples.read(offset, 8 + size);
    const head = new DataView(bytes.buffer, bytes.byteOffset, 8);
    const found = head.getUint32(4, true) * 2 ** 32 + head.getUint32(0, true);
    return found === size ? bytes.subarray(8) : undefined;
  }

  #spend(size: number, offset: number): void {
    this.#allowance -= size;
    if (this.#allowance >= 0) return;
    const cause = 'the archive refers to the same blocks too often (expected to read each about once)';
    throw new PliantError('too-large', this.operation, cause, { file: this.name, offset });
  }

  /** The number that starts a group or block, which has that many items of `width` bytes. */
  async #length(offset: number, width: number, what: string): Promise<number> {
    const head = await this.#index.read(offset, 8);
    const view = new DataView(head.buffer, head.byteOffset, 8);
    const length = view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
    const most = Math.floor((this.size - offset - 8) / width);
    if (length > most) this.fail(`${length} ${what} (expected at most ${most}, to the end of the file)`, offset);
    return length;
  }
}
