import type { Command } from 'commander';
import { throwIfCancelled } from '../../src/error.ts';
import type { RunOptions } from '../../src/index.ts';
import type { Page } from '../text/table.ts';
import type { Answer } from './answer.ts';
import { PROGRESS_TO_PARENT, sendProgress, startProgress } from './progress.ts';

/** The flags that every verb has. */
export interface GlobalFlags {
  json: boolean;
  quiet: boolean;
  debug: boolean;
}

/** What every long operation gets: the progress bar and the signal of Ctrl-C. */
export type Run = Required<RunOptions>;

/** The terminal, or the pipe, that stdout is. */
function pageOf(stream: NodeJS.WriteStream): Page {
  const colours = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return {
    width: stream.isTTY ? (stream.columns ?? 80) : Number.POSITIVE_INFINITY,
    strong: (text) => (colours ? `\u001b[1m${text}\u001b[22m` : text),
  };
}

/** Typed arrays become plain ones; the rest is as JSON has it. */
const plain = (_key: string, value: unknown): unknown =>
  ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as unknown as ArrayLike<number>) : value;

/** A verb that came to its end, and whose exit code is not 0 all the same. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

function print(answer: Answer, { json, quiet }: GlobalFlags): void {
  for (const complaint of answer.complaints ?? []) process.stderr.write(`pliant: ${complaint}\n`);
  if (json && !answer.json) return;
  if (json) process.stdout.write(`${JSON.stringify(answer.json, plain, 2)}\n`);
  else if (!(quiet && answer.summary)) process.stdout.write(`${answer.text(pageOf(process.stdout))}\n`);
}

/**
 * Wraps a verb's action for commander: progress around it, its answer printed after it. The action gets the verb's
 * arguments and, last, the command whose flags it reads.
 */
export function action<A extends unknown[]>(
  signal: AbortSignal,
  act: (run: Run, ...args: A) => Answer | Promise<Answer>,
): (...args: unknown[]) => Promise<void> {
  return async (...all) => {
    const command = all[all.length - 1] as Command;
    const flags = command.optsWithGlobals<GlobalFlags>();
    const isInBatch = process.env[PROGRESS_TO_PARENT] !== undefined;
    const progress = isInBatch ? sendProgress() : startProgress(process.stderr, flags.quiet);
    try {
      const args = [...all.slice(0, -2), command] as A;
      const answer = await act({ signal, onProgress: progress.report }, ...args);
      throwIfCancelled(signal, command.name());
      progress.stop();
      print(answer, flags);
      if (answer.exitCode) throw new Ended(answer.exitCode);
    } finally {
      progress.stop();
    }
  };
}
