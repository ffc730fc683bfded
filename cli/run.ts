import { CommanderError } from 'commander';
import { removePartialFiles } from '../src/platform/node/sinks.ts';
import { buildProgram } from './program.ts';
import { failureOf, printFailure, printFlags } from './terminal/failure.ts';
import type { Interrupt } from './terminal/interrupt.ts';
import { Ended } from './terminal/session.ts';

/** Runs one command line, the words after `pliant`, to its end; what fails is printed. Returns the exit code. */
export async function runLine(argv: readonly string[], interrupt: Interrupt): Promise<number> {
  try {
    await buildProgram(interrupt.signal).parseAsync(argv.length ? argv : ['help'], { from: 'user' });
    return 0;
  } catch (error) {
    // Commander throws to end after --help and --version, too.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof Ended) return error.exitCode;
    return endFailed(error, argv, interrupt);
  }
}

/** Leaves no half-written file, prints why, and returns the exit code. */
export function endFailed(error: unknown, argv: readonly string[], interrupt: Interrupt): number {
  removePartialFiles();
  const failure = failureOf(error, argv);
  printFailure(failure, printFlags(argv));
  return interrupt.exitCode() ?? failure.exitCode;
}
