/** The causes an operation may fail for. Closed: the CLI maps each to an exit code, tests cover each. */
export type PliantErrorCode =
  | 'bad-file' // the bytes are not what the format promises
  | 'unsupported' // a valid file that uses something Pliant does not read
  | 'bad-input' // a model, sequence or skeleton that breaks its contract
  | 'bad-option' // an option out of range or of the wrong kind
  | 'not-found' // a path, object or clip that does not exist
  | 'exists' // an output that is already there
  | 'no-permission' // the platform refused to read or write
  | 'system' // the disk is full, or the platform failed otherwise
  | 'too-large' // more than the stated limits allow
  | 'cancelled' // the caller's AbortSignal fired
  | 'internal'; // our own mistake

/** Finer causes, where a front end can say what to do about it. Closed, too. */
export type ErrorReason =
  | 'output-exists' // it may be replaced when asked to
  | 'not-rigid' // bones scale or shear, which only the operator sdqs shows
  | 'needs-fit' // a sequence, where a rig is expected
  | 'needs-weights' // a mesh, where a rig is expected
  | 'needs-skeleton' // a mesh is to be bound, and no skeleton is given
  | 'needs-motion' // a mix is to be judged, and nothing moves
  | 'no-common-joints' // clips of another skeleton, whose joints have other names
  | 'size-too-small' // one bone already takes more bytes than `maxSize`
  | 'disk-full'; // or its quota is used up: the same may work later

/** What is known of an error beside its code. */
export interface ErrorFacts {
  /** Path or name of the file. */
  file?: string;
  /** 1-based line of a text file. */
  line?: number;
  /** Byte offset in a binary file. */
  offset?: number;
  /** Name of the option at fault. The cause is `(got X, expected Y)` or what follows the name: `needs {option:rig}`. */
  option?: string;
  reason?: ErrorReason;
  /** A name that was not found, and those that exist. */
  got?: string;
  candidates?: readonly string[];
  /** Notes of the reader: what it left out may be what was meant. A front end makes sentences of them. */
  notes?: readonly { code: string; data: object; about?: string }[];
}

/**
 * Every failure Pliant foresees. The message reads `operation: cause (got X, expected Y)`; with a place it is
 * `operation: file:line: cause …` or `operation: file at byte 6: cause …`. Programmers want to know the operation; people
 * get `explain(error)`, which begins with the file.
 */
export class PliantError extends Error {
  readonly code: PliantErrorCode;
  /** What failed: a function of the library or a verb of the command line. */
  readonly operation: string;
  readonly file?: string;
  readonly line?: number;
  readonly offset?: number;
  readonly option?: string;
  readonly reason?: ErrorReason;
  readonly got?: string;
  readonly candidates?: readonly string[];
  readonly notes?: ErrorFacts['notes'];
  readonly #cause: string;

  constructor(code: PliantErrorCode, operation: string, cause: string, facts: ErrorFacts = {}) {
    super(`${operation}: ${sentence(cause, facts)}`);
    this.name = 'PliantError';
    this.code = code;
    this.operation = operation;
    this.#cause = cause;
    Object.assign(this, facts);
  }

  /** As plain data, for other threads and machines; `errorOf` makes an error of it again. */
  toPlain(): PlainError {
    const { code, operation, file, line, offset, option, reason, got, candidates, notes } = this;
    return {
      code,
      operation,
      cause: this.#cause,
      facts: { file, line, offset, option, reason, got, candidates, notes },
    };
  }

  /** The message without the operation, with options as a front end names them. */
  explain(optionName?: (option: string) => string): string {
    return sentence(this.#cause, this, optionName);
  }
}

/** An error as plain data. */
export interface PlainError {
  code: PliantErrorCode;
  operation: string;
  cause: string;
  facts: ErrorFacts;
}

/** Anything that was thrown as plain data. */
export function plainError(error: unknown): PlainError {
  if (error instanceof PliantError) return error.toPlain();
  return { code: 'internal', operation: 'internal', cause: explain(error), facts: {} };
}

/** The error that plain data tells of. */
export const errorOf = ({ code, operation, cause, facts }: PlainError): PliantError =>
  new PliantError(code, operation, cause, facts);

function sentence(
  cause: string,
  { file, line, offset, option }: ErrorFacts,
  optionName = (name: string): string => name,
): string {
  const at = line !== undefined ? `:${line}` : offset !== undefined ? ` at byte ${offset}` : '';
  const place = file === undefined ? '' : `${file}${at}: `;
  const what = option === undefined ? '' : `${cause.startsWith('(') ? 'invalid ' : ''}${optionName(option)} `;
  return place + what + cause.replace(/\{option:(\w+)\}/g, (_, name: string) => optionName(name));
}

/** Anything that was thrown, as a person is told. */
export function explain(error: unknown, optionName?: (option: string) => string): string {
  if (error instanceof PliantError) return error.explain(optionName);
  return error instanceof Error ? error.message : String(error);
}

/** Throws `cancelled` when the signal has fired. Long loops call it once per frame or iteration. */
export function throwIfCancelled(signal: Pick<AbortSignal, 'aborted'> | undefined, operation: string): void {
  if (signal?.aborted) throw new PliantError('cancelled', operation, 'cancelled');
}
