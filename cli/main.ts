#!/usr/bin/env node
import { fileError } from '../src/platform/node/files.ts';
import { removePartialFiles } from '../src/platform/node/sinks.ts';
import { endFailed, runLine } from './run.ts';
import { failureOf, printFailure, printFlags } from './terminal/failure.ts';
import { watchInterrupts } from './terminal/interrupt.ts';

const argv = process.argv.slice(2);
const interrupt = watchInterrupts();

// `pliant info big.glb | head` closes the pipe when it has read enough: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  removePartialFiles();
  if (error.code === 'EPIPE') process.exit(0);
  // Not as JSON: stdout is what failed.
  const failure = failureOf(fileError(error, 'write', 'stdout'));
  printFailure(failure, { ...printFlags(argv), json: false });
  process.exit(failure.exitCode);
});
process.on('uncaughtException', (error) => process.exit(endFailed(error, argv, interrupt)));

process.exitCode = await runLine(argv, interrupt);
