import type { PliantErrorCode } from '../../error.ts';

/** What is wrong with a glTF, found by any of the reader's parts. `readGltf` adds the file's name to it. */
export class GltfFault extends Error {
  readonly code: PliantErrorCode;

  constructor(cause: string, code: PliantErrorCode = 'bad-file') {
    super(cause);
    this.code = code;
  }
}

/** Decoded data may take this much, whatever the size of the file … */
const FREE_BYTES = 16 * 2 ** 20;
/** … and this many times the bytes of the file beyond. Real files stay below 30. */
const LARGEST_EXPANSION = 256;

/** What one step of a loop counts as: about what could be written in its time. */
export const STEP_BYTES = 64;

/**
 * How much memory a file may ask for. A few hundred bytes of JSON can describe gigabytes: accessors without data,
 * thousands of accessors over the same bytes, thousands of nodes with the same mesh, long clips of many nodes. Each
 * place that is about to allocate by the file's word takes the bytes from here first. Loops whose length the file can
 * square (every model against every animation) take `STEP_BYTES` per step, so that time has a bound as well.
 */
export class Budget {
  readonly total: number;
  #left: number;

  constructor(fileBytes: number) {
    this.total = FREE_BYTES + LARGEST_EXPANSION * fileBytes;
    this.#left = this.total;
  }

  take(bytes: number, what: string): void {
    this.#left -= bytes;
    if (!(this.#left >= 0)) {
      throw new GltfFault(
        `${what} expands to too much data (got ${bytes} more bytes, expected at most ${this.total} in total)`,
        'too-large',
      );
    }
  }
}
