import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorOf, PliantError, throwIfCancelled } from '../../src/error.ts';
import type { Envelope, ErrorFacts, Failed, OnProgress } from '../../src/index.ts';
import { PROGRESS_TO_PARENT, type ProgressMessage } from '../terminal/progress.ts';
import { lineOf, type VerbJob } from './verb-job.ts';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** So much may a verb print. */
const MOST_PRINTED = 2 ** 28;

/** The operation of errors that a verb told itself: their cause is the whole message. */
const VERB = 'verb';

export interface VerbRun {
  signal?: AbortSignal;
  onProgress?: OnProgress;
  /** Seconds. */
  timeLimit?: number;
  /** Flags of Node. */
  nodeFlags?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** What a verb said of its failure, of an error that `runVerb` threw; undefined for others. */
export function toldBy(error: unknown): Failed['error'] | undefined {
  if (!(error instanceof PliantError) || error.operation !== VERB) return undefined;
  const { code, cause, facts } = error.toPlain();
  return { code, ...(facts as Partial<Failed['error']>), message: cause };
}

/**
 * Runs a verb in a process of its own, in a folder that holds its files; what it writes is in `out/` there. A crash, or a
 * verb that fills the memory, ends nothing but itself. The folder is the caller's to remove, whatever happens.
 */
export async function runVerb(job: VerbJob, folder: string, options: VerbRun = {}): Promise<Envelope> {
  const { signal, onProgress, timeLimit, nodeFlags = [], env = process.env } = options;
  throwIfCancelled(signal, 'batch');
  await mkdir(join(folder, 'out'));
  const child = spawn(process.execPath, [...nodeFlags, MAIN, ...lineOf(job)], {
    cwd: folder,
    env: onProgress ? { ...env, [PROGRESS_TO_PARENT]: '1' } : env,
    stdio: ['ignore', 'pipe', 'pipe', ...(onProgress ? (['ipc'] as const) : [])],
  });
  child.on('message', (message) => onProgress?.(...(message as ProgressMessage)));
  let stopped: PliantError | undefined;
  const stop = (why: PliantError) => {
    stopped ??= why;
    // At once: nobody sees what it has written so far.
    child.kill('SIGKILL');
  };
  const cancel = () => stop(new PliantError('cancelled', 'batch', 'cancelled'));
  signal?.addEventListener('abort', cancel);
  const late = () => stop(new PliantError('too-large', 'batch', `took longer than ${timeLimit} s`));
  const timer = timeLimit === undefined ? undefined : setTimeout(late, 1000 * timeLimit);
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > MOST_PRINTED) stop(new PliantError('too-large', 'batch', 'the verb printed too much'));
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  try {
    const ended = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, name) => resolve(name ?? `exit code ${code}`));
    });
    if (stopped) throw stopped;
    return answerIn(stdout, ended, stderr);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

function answerIn(stdout: string, ended: string, stderr: string): Envelope {
  let printed: Envelope | Failed;
  try {
    printed = JSON.parse(stdout) as Envelope | Failed;
  } catch {
    const last = stderr.trim().split('\n').pop() ?? '';
    throw new PliantError('internal', 'batch', `the verb ended without an answer: ${ended}${last && `, ${last}`}`);
  }
  if (!('error' in printed)) return printed;
  const { code, message: cause, ...facts } = printed.error;
  throw errorOf({ code: code === 'usage' ? 'bad-option' : code, operation: VERB, cause, facts: facts as ErrorFacts });
}
