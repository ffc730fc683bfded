#!/usr/bin/env node
import { CommanderError } from 'commander';
import { fileError, removePartialFiles } from '../src/platform/node/index.ts';
import { failureOf, printFailure } from './failure.ts';
import { watchInterrupts } from './interrupt.ts';
import { buildProgram } from './program.ts';

const argv = process.argv.slice(2);
const interrupt = watchInterrupts();

function fail(error: unknown): void {
  removePartialFiles();
  const failure = failureOf(error);
  printFailure(failure, { json: argv.includes('--json'), debug: argv.includes('--debug') });
  process.exitCode = interrupt.exitCode() ?? failure.exitCode;
}

// `pliant info big.glb | head` closes the pipe when it has read enough: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  removePartialFiles();
  if (error.code === 'EPIPE') process.exit(0);
  // Not as JSON: stdout is what failed.
  const failure = failureOf(fileError(error, 'write', 'stdout'));
  printFailure(failure, { json: false, debug: argv.includes('--debug') });
  process.exit(failure.exitCode);
});
process.on('uncaughtException', (error) => {
  fail(error);
  process.exit();
});

try {
  await buildProgram(interrupt.signal).parseAsync(argv.length ? argv : ['help'], { from: 'user' });
} catch (error) {
  // Commander throws to end after --help and --version, too.
  if (!(error instanceof CommanderError && error.exitCode === 0)) fail(error);
}
