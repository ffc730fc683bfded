import { PliantError } from '../../error.ts';
import type { TextScanner } from '../text-scanner.ts';
import type { PlyElement, PlyType } from './header.ts';

/** The data of a PLY file, value by value. `what` names a value in messages. */
export interface PlyRows {
  /** Throws unless the bytes that remain can hold that many rows: before anything is allocated. */
  checkCount(element: PlyElement): void;
  beginRow(): void;
  /** A value that is finite in float32. */
  number(type: PlyType, what: string): number;
  /** The length of a list: whole, and no longer than the bytes that remain. */
  count(type: PlyType, what: string): number;
  skip(type: PlyType, times: number): void;
  endRow(): void;
  fail(cause: string): never;
}

/** One row per line. */
export class AsciiRows implements PlyRows {
  readonly #scanner: TextScanner;
  #element?: PlyElement;
  /** Rows of the element that were read or begun. */
  #rows = 0;

  constructor(scanner: TextScanner) {
    this.#scanner = scanner;
  }

  checkCount(element: PlyElement): void {
    const { name, count, properties } = element;
    this.#element = element;
    this.#rows = 0;
    const remaining = this.#scanner.bytes.length - this.#scanner.pos;
    // A row has a digit and a blank or line end per property.
    const least = 2 * count * Math.max(1, properties.length) - 1;
    if (count > 0 && least > remaining) {
      this.fail(
        `file ends early (got ${remaining} more bytes, expected at least ${least} for ${count} "${name}" elements)`,
      );
    }
  }

  beginRow(): void {
    this.#scanner.skipSpace();
    this.#rows++;
  }

  /** A value must follow. */
  #need(): void {
    if (!this.#scanner.atLineEnd() || !this.#scanner.atEnd || !this.#element) return;
    const { name, count } = this.#element;
    this.fail(`file ends early: ${this.#rows - 1} of ${count} "${name}" elements`);
  }

  number(_type: PlyType, what: string): number {
    this.#need();
    return this.#scanner.number(what);
  }

  count(_type: PlyType, what: string): number {
    this.#need();
    return this.#scanner.integer(`the length of ${what}`, 0, this.#scanner.bytes.length - this.#scanner.pos);
  }

  skip(_type: PlyType, times: number): void {
    for (let n = 0; n < times; n++) {
      this.#need();
      if (this.#scanner.word() === '') this.fail('the line ends early (expected a value for every property)');
    }
  }

  endRow(): void {
    if (!this.#scanner.atLineEnd()) this.#scanner.unexpected('the end of the row');
    this.#scanner.skipLine();
  }

  fail(cause: string): never {
    return this.#scanner.fail(cause);
  }
}

type Get = (view: DataView, offset: number, littleEndian: boolean) => number;

const TYPES: Record<PlyType, { bytes: number; get: Get }> = {
  int8: { bytes: 1, get: (view, o) => view.getInt8(o) },
  uint8: { bytes: 1, get: (view, o) => view.getUint8(o) },
  int16: { bytes: 2, get: (view, o, le) => view.getInt16(o, le) },
  uint16: { bytes: 2, get: (view, o, le) => view.getUint16(o, le) },
  int32: { bytes: 4, get: (view, o, le) => view.getInt32(o, le) },
  uint32: { bytes: 4, get: (view, o, le) => view.getUint32(o, le) },
  float32: { bytes: 4, get: (view, o, le) => view.getFloat32(o, le) },
  float64: { bytes: 8, get: (view, o, le) => view.getFloat64(o, le) },
};

/** Rows without anything between them. */
export class BinaryRows implements PlyRows {
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  readonly #operation: string;
  readonly #file: string;
  #pos: number;

  /** Reads `bytes` from where the scanner, which read the header, stands. */
  constructor(bytes: Uint8Array, header: TextScanner, littleEndian: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#pos = header.pos;
    this.#operation = header.operation;
    this.#file = header.file;
    this.#littleEndian = littleEndian;
  }

  get #remaining(): number {
    return this.#view.byteLength - this.#pos;
  }

  checkCount({ name, count, properties }: PlyElement): void {
    const least = properties.reduce((sum, property) => sum + TYPES[property.countType ?? property.type].bytes, 0);
    if (count * Math.max(1, least) > this.#remaining) {
      const expected = `expected at least ${count * Math.max(1, least)} for ${count} "${name}" elements`;
      this.fail(`file ends early (got ${this.#remaining} more bytes, ${expected})`);
    }
  }

  beginRow(): void {}

  number(type: PlyType, what: string): number {
    const value = this.#next(type);
    if (!Number.isFinite(Math.fround(value))) {
      this.#pos -= TYPES[type].bytes;
      this.fail(`${what} is ${value} (expected a finite number)`);
    }
    return value;
  }

  count(type: PlyType, what: string): number {
    const value = this.#next(type);
    if (!(Number.isInteger(value) && value >= 0 && value <= this.#remaining)) {
      this.fail(`the length of ${what} is ${value} (expected 0 to ${this.#remaining}, the bytes that remain)`);
    }
    return value;
  }

  skip(type: PlyType, times: number): void {
    this.#need(times * TYPES[type].bytes);
    this.#pos += times * TYPES[type].bytes;
  }

  endRow(): void {}

  fail(cause: string): never {
    throw new PliantError('bad-file', this.#operation, cause, { file: this.#file, offset: this.#pos });
  }

  #next(type: PlyType): number {
    const { bytes, get } = TYPES[type];
    this.#need(bytes);
    const value = get(this.#view, this.#pos, this.#littleEndian);
    this.#pos += bytes;
    return value;
  }

  #need(bytes: number): void {
    if (bytes > this.#remaining) this.fail(`file ends early (got ${this.#remaining} more bytes, expected ${bytes})`);
  }
}
