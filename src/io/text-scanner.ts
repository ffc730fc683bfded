import { PliantError } from '../error.ts';
import { POWERS_OF_TEN } from './float-text.ts';

/**
 * Walks over the bytes of a text file without making strings of them: what OBJ, OFF, PLY and BVH readers share. Numbers
 * come out as `Number()` would read them, correctly rounded (Clinger 1990: a mantissa below 2⁵³ times or over a power of
 * ten up to 10²² takes one rounding; everything else goes through `Number()`).
 */

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BACKSLASH = 0x5c;
const HASH = 0x23;

/** Larger values round to infinity in float32. */
const LARGEST = 3.4028235677973366e38;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

export class TextScanner {
  readonly bytes: Uint8Array;
  readonly operation: string;
  readonly file: string;
  /** Line on which `bytes` start in their file. */
  readonly #firstLine: number;
  /** Offset of the next byte. */
  pos = 0;

  constructor(bytes: Uint8Array, operation: string, file: string, firstLine = 1) {
    // Line ends are \n or \r\n, where \r counts as a blank; files of old Macs have \r alone.
    const oldMac = !bytes.includes(NEWLINE) && bytes.includes(RETURN);
    this.bytes = oldMac ? bytes.map((byte) => (byte === RETURN ? NEWLINE : byte)) : bytes;
    this.operation = operation;
    this.#firstLine = firstLine;
    this.file = file;
  }

  /** Throws `bad-file`, naming the line of `pos`. */
  fail(cause: string, pos = this.pos): never {
    throw new PliantError('bad-file', this.operation, cause, { file: this.file, line: this.lineOf(pos) });
  }

  /** 1-based. Counted only when asked: errors are rare, lines are not. */
  lineOf(pos: number): number {
    let line = this.#firstLine;
    for (let at = this.bytes.indexOf(NEWLINE); at >= 0 && at < pos; at = this.bytes.indexOf(NEWLINE, at + 1)) line++;
    return line;
  }

  get atEnd(): boolean {
    return this.pos >= this.bytes.length;
  }

  /** Steps over blanks (and `\` line ends) and says whether nothing but a comment remains on the line. */
  atLineEnd(): boolean {
    const { bytes } = this;
    let p = this.pos;
    for (;;) {
      const byte = bytes[p];
      if (byte === 0x20 || byte === 0x09 || byte === RETURN) p++;
      else if (byte === BACKSLASH && bytes[p + 1] === NEWLINE) p += 2;
      else if (byte === BACKSLASH && bytes[p + 1] === RETURN && bytes[p + 2] === NEWLINE) p += 3;
      else break;
    }
    this.pos = p;
    return p >= bytes.length || bytes[p] === NEWLINE || bytes[p] === HASH;
  }

  /** To the start of the next line. With `continued`, a `\` before the line end carries on. */
  skipLine(continued = false): void {
    const { bytes } = this;
    for (let from = this.pos; ; ) {
      const end = bytes.indexOf(NEWLINE, from);
      this.pos = end < 0 ? bytes.length : end + 1;
      if (end < 0 || !continued) return;
      const before = end > from && bytes[end - 1] === RETURN ? end - 2 : end - 1;
      if (before < from || bytes[before] !== BACKSLASH) return;
      from = end + 1;
    }
  }

  /** Steps over blanks, line ends and `#` comments. */
  skipSpace(): void {
    while (this.atLineEnd() && !this.atEnd) this.skipLine();
  }

  /** The bytes up to the next blank or line end, as text; '' at a line end. */
  word(): string {
    if (this.atLineEnd()) return '';
    const start = this.pos;
    while (this.pos < this.bytes.length && this.bytes[this.pos] > 0x20) this.pos++;
    return this.text(start, this.pos);
  }

  /** What remains of the line, without blanks at its ends; leaves the line end. */
  restOfLine(): string {
    const end = this.bytes.indexOf(NEWLINE, this.pos);
    const start = this.pos;
    this.pos = end < 0 ? this.bytes.length : end;
    return this.text(start, this.pos).trim();
  }

  text(start: number, end: number): string {
    return new TextDecoder().decode(this.bytes.subarray(start, end));
  }

  /** The word at `pos`, short enough for a message. */
  near(pos = this.pos): string {
    let end = pos;
    while (end < this.bytes.length && end < pos + 24 && this.bytes[end] > 0x20) end++;
    return this.text(pos, end);
  }

  /** Throws `bad-file` about the word at `pos`. */
  unexpected(expected: string, pos = this.pos): never {
    const word = this.near(pos);
    const end = pos + word.length >= this.bytes.length ? 'end of file' : 'end of line';
    const got = word === '' ? end : `"${word}"${end === 'end of file' ? ' at the end of the file' : ''}`;
    this.fail(`unexpected ${got} (expected ${expected})`, pos);
  }

  /** The next number on this line, finite in float32. */
  number(what: string): number {
    if (this.atLineEnd()) this.unexpected(`${what}, a number`);
    const { bytes } = this;
    const start = this.pos;
    let p = start;
    const negative = bytes[p] === 0x2d;
    if (negative || bytes[p] === 0x2b) p++;

    let mantissa = 0;
    let exponent = 0;
    const integerStart = p;
    for (; isDigit(bytes[p]); p++) mantissa = 10 * mantissa + (bytes[p] - 0x30);
    let digits = p - integerStart;
    if (bytes[p] === 0x2e) {
      const fractionStart = ++p;
      for (; isDigit(bytes[p]); p++) mantissa = 10 * mantissa + (bytes[p] - 0x30);
      exponent = fractionStart - p;
      digits += p - fractionStart;
    }
    if (digits > 0 && (bytes[p] === 0x65 || bytes[p] === 0x45)) {
      p++;
      const down = bytes[p] === 0x2d;
      if (down || bytes[p] === 0x2b) p++;
      if (!isDigit(bytes[p])) digits = 0;
      let power = 0;
      for (; isDigit(bytes[p]); p++) power = Math.min(10 * power + (bytes[p] - 0x30), 1e6);
      exponent += down ? -power : power;
    }
    const malformed = digits === 0 || (p < bytes.length && bytes[p] > 0x20 && bytes[p] !== HASH);
    if (malformed) this.unexpected(`${what}, a number`, start);

    this.pos = p;
    let value: number;
    if (mantissa > Number.MAX_SAFE_INTEGER || exponent < -22 || exponent > 22) {
      value = Math.abs(Number(this.text(start, p)));
    } else {
      value = exponent < 0 ? mantissa / POWERS_OF_TEN[-exponent] : mantissa * POWERS_OF_TEN[exponent];
    }
    if (!(value < LARGEST)) this.unexpected(`${what}, finite in float32`, start);
    return negative ? -value : value;
  }

  /** The next whole number on this line, within `min` … `max`. */
  integer(what: string, min: number, max: number): number {
    this.atLineEnd();
    const start = this.pos;
    const value = this.number(what);
    if (!Number.isInteger(value)) this.unexpected(`${what}, a whole number`, start);
    if (value < min || value > max) this.fail(`${what} is ${value} (expected ${min} to ${max})`, start);
    return value;
  }
}
