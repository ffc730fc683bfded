/** The causes an operation may fail for. Closed: the CLI maps each to an exit code, tests cover each. */
export type PliantErrorCode =
  | 'bad-file' // the bytes are not what the format promises
  | 'unsupported' // a valid file that uses something Pliant does not read
  | 'bad-input' // a model, sequence or skeleton that breaks its contract
  | 'bad-option' // an option out of range or of the wrong kind
  | 'not-found' // a path, object or clip that does not exist
  | 'exists' // an output that is already there
  | 'no-permission' // the platform refused to read or write
  | 'too-large' // more than the stated limits allow
  | 'cancelled' // the caller's AbortSignal fired
  | 'internal'; // our own mistake

/** Where in its input an error was found. */
export interface ErrorPlace {
  /** Path or name of the file. */
  file?: string;
  /** 1-based line of a text file. */
  line?: number;
  /** Byte offset in a binary file. */
  offset?: number;
}

/**
 * Every failure Pliant foresees. The message reads `operation: cause (got X, expected Y)`; with a place it is
 * `operation: file:line: cause …` or `operation: file @offset: cause …`. Programmers want to know the operation; people
 * are told the `explanation`, which begins with the file.
 */
export class PliantError extends Error {
  readonly code: PliantErrorCode;
  /** What failed: a function of the library or a verb of the command line. */
  readonly operation: string;
  /** The message without the operation. */
  readonly explanation: string;
  readonly place: ErrorPlace;

  constructor(code: PliantErrorCode, operation: string, cause: string, place: ErrorPlace = {}) {
    const at =
      place.file === undefined
        ? ''
        : place.line !== undefined
          ? `${place.file}:${place.line}: `
          : place.offset !== undefined
            ? `${place.file} @${place.offset}: `
            : `${place.file}: `;
    const explanation = at + cause;
    super(`${operation}: ${explanation}`);
    this.name = 'PliantError';
    this.code = code;
    this.operation = operation;
    this.explanation = explanation;
    this.place = place;
  }
}

/** What a person is told of anything that was thrown. */
export function explain(error: unknown): string {
  if (error instanceof PliantError) return error.explanation;
  return error instanceof Error ? error.message : String(error);
}

/** Throws `cancelled` when the signal has fired. Long loops call it once per frame or iteration. */
export function throwIfCancelled(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted) throw new PliantError('cancelled', operation, 'cancelled');
}
