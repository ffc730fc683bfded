import { CommanderError } from 'commander';
import { explain, PliantError } from '../../src/error.ts';
import type { ErrorReason, Failed, Note } from '../../src/index.ts';
import { noteText } from '../../src/report/note-text.ts';
import { flagName } from '../flags/flags.ts';
import { didYouMean } from '../flags/suggest.ts';

/** A failure as the user meets it: one line, an exit code, and the object that `--json` prints. */
export interface Failure {
  message: string;
  exitCode: number;
  code: Failed['error']['code'];
  facts?: Partial<Failed['error']>;
  stack?: string;
}

/** How to fix an error. Advice to use a flag is not given to those who did. */
const ADVICE: Record<ErrorReason, string> = {
  'output-exists': 'use --force to overwrite it',
  'not-rigid': 'use --operator sdqs',
  'needs-fit': '`pliant fit` turns it into a rig',
  'needs-weights': '`pliant weights` binds it to a skeleton',
  'needs-skeleton': 'pass one with --skeleton',
  'needs-motion': 'use --joint or --range-of-motion',
  'no-common-joints': 'map them with --map',
  'size-too-small': 'raise it or use --small',
  'disk-full': 'make room and try again',
};

const ADVISED: Partial<Record<ErrorReason, string>> = { 'size-too-small': '--small', 'no-common-joints': '--map' };

/** Exit codes: 2 for bad input or usage, 1 for our own failure or the system's, 130 when interrupted. `argv` is the line that failed. */
export function failureOf(error: unknown, argv: readonly string[] = []): Failure {
  if (error instanceof CommanderError) {
    // Commander ends a command line without a verb by printing its help.
    const message = error.code === 'commander.help' ? 'no verb given (see pliant help)' : error.message;
    return { message: oneLine(message.replace(/^error: /, '')), exitCode: 2, code: 'usage', stack: error.stack };
  }
  if (error instanceof PliantError && error.code === 'cancelled') {
    return { message: 'interrupted', exitCode: 130, code: error.code, stack: error.stack };
  }
  if (error instanceof PliantError && error.code !== 'internal') {
    const { code, reason, option, file, line, offset, got, candidates, stack } = error;
    const notes = error.notes as Note[] | undefined;
    const isDone = flagsOf(argv).some((flag) => flag === ADVISED[reason as ErrorReason]);
    const advice = reason && !isDone ? `; ${ADVICE[reason]}` : got && candidates ? didYouMean(got, candidates) : '';
    const noted = (notes ?? []).map((note) => `; ${noteText(note, flagName).replace(/\.$/, '')}`).join('');
    const message = oneLine(explain(error, flagName) + advice + noted);
    const facts = { reason, option, file, line, offset, got, candidates, notes };
    return { message, exitCode: code === 'system' ? 1 : 2, code, facts, stack };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return {
    message: `internal error: ${oneLine(explain(error))} (run with --debug for a stack trace)`,
    exitCode: 1,
    code: 'internal',
    stack,
  };
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** What follows `--` is no flag. */
const flagsOf = (argv: readonly string[]): readonly string[] => argv.slice(0, [...argv, '--'].indexOf('--'));

/** How to print, for what ends before its flags are known. */
export function printFlags(argv: readonly string[]): { json: boolean; debug: boolean } {
  const flags = flagsOf(argv);
  return { json: flags.includes('--json'), debug: flags.includes('--debug') };
}

/** `pliant: <message>` on stderr; with `--json` also an object on stdout, so that a program that reads it always finds one. */
export function printFailure(failure: Failure, { json, debug }: { json: boolean; debug: boolean }): void {
  process.stderr.write(`pliant: ${failure.message}\n`);
  if (debug && failure.stack) process.stderr.write(`${failure.stack}\n`);
  const { code, facts, message } = failure;
  const printed: Failed = { error: { code, ...facts, message } };
  if (json) process.stdout.write(`${JSON.stringify(printed)}\n`);
}
