import { renameSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PliantError, throwIfCancelled } from '../../src/error.ts';
import type { BatchLine, Envelope, Failed, OnProgress } from '../../src/index.ts';
import { fileError, nodeFiles } from '../../src/platform/node/files.ts';
import { createScratch } from '../../src/platform/node/sinks.ts';
import { failureOf } from '../terminal/failure.ts';
import type { Run } from '../terminal/session.ts';
import { VERSION } from '../version.ts';
import { type BatchInput, filesOf } from './batch-inputs.ts';
import type { HashedFile, VerbEngine } from './engine.ts';
import { hashOf, hashOfFile, hashOfOutput } from './hashes.ts';
import { type Entry, Journal, type Written } from './journal.ts';
import { toldBy } from './run-verb.ts';
import type { VerbJob } from './verb-job.ts';

/** A verb, its flags, and the files that they name. */
export interface BatchPlan extends Pick<VerbJob, 'words' | 'flags'> {
  inputs: readonly BatchInput[];
  /** Files of flags, under the names that the flags have for them. */
  shared: readonly HashedFile[];
  folder: string;
  /** Do everything again, and replace whatever is there. */
  force: boolean;
}

/** Flags that change no byte of what is written. */
const WITHOUT_EFFECT = ['--threads'];

/**
 * Runs a verb over many inputs, and tells of each when it is done. What fails stops nothing else. What an earlier batch
 * wrote of the same input with the same flags is kept.
 */
export async function runBatch(
  plan: BatchPlan,
  engine: VerbEngine,
  { signal, onProgress }: Run,
  onLine: (line: BatchLine) => void,
): Promise<void> {
  const { inputs, folder } = plan;
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw fileError(error, 'write', folder);
  });
  const journal = await Journal.open(folder);
  const scratch = await createScratch(folder, 'pliant-batch');
  let next = 0;
  let done = 0;
  const label = plan.words.join(' ');
  /** The inputs that are being worked on, the longest first: of that the progress is shown. */
  const working = new Set<number>();
  const ofInput =
    (index: number): OnProgress =>
    (part, total, stage) => {
      const [shown] = working;
      if (shown !== index) return;
      onProgress(part, total, `${done + 1}/${inputs.length} ${stage}: ${basename(inputs[index].path)}`);
    };
  const serve = async () => {
    while (next < inputs.length && !signal.aborted) {
      const index = next++;
      const own = join(scratch.path, String(index));
      working.add(index);
      const line = await lineFor(plan, inputs[index], engine, journal, own, { signal, onProgress: ofInput(index) });
      working.delete(index);
      if (signal.aborted) return;
      onLine(line);
      onProgress(++done, inputs.length, label);
      await rm(own, { recursive: true, force: true });
    }
  };
  try {
    onProgress(0, inputs.length, label);
    await Promise.all(Array.from({ length: Math.min(engine.atOnce, inputs.length) }, serve));
    throwIfCancelled(signal, 'batch');
  } finally {
    await scratch.remove();
  }
}

async function lineFor(
  plan: BatchPlan,
  input: BatchInput,
  engine: VerbEngine,
  journal: Journal,
  scratch: string,
  run: Run,
): Promise<BatchLine> {
  const started = performance.now();
  const line = (rest: Pick<BatchLine, 'state' | 'output' | 'answer' | 'error'>): BatchLine => ({
    version: 1,
    verb: 'batch',
    line: plan.words.join(' '),
    input: input.path,
    seconds: (performance.now() - started) / 1000,
    ...rest,
  });
  try {
    const { job, files, key } = await jobOf(plan, input);
    const found = plan.force ? undefined : await journal.find(key);
    const entry = found ?? (await makeEntry(plan, input, { job, files, key, engine, journal, scratch, run }));
    const output = entry.output.map(({ path, bytes }) => ({ path: join(plan.folder, path), bytes }));
    const answer = withRealPaths(entry.answer, plan.folder, input, files);
    return line({ state: found ? 'kept' : 'written', output, answer });
  } catch (error) {
    return line({ state: 'failed', output: [], error: errorFor(error, input.path) });
  }
}

/** Why an input failed. The verb knew it under its bare name. */
function errorFor(error: unknown, path: string): Failed['error'] {
  const { code, facts, message } = failureOf(error);
  const told: Failed['error'] = toldBy(error) ?? { code, ...facts, message };
  if (told.file === undefined || !told.message.startsWith(told.file)) return told;
  const isInput = basename(path) === told.file;
  return isInput ? { ...told, file: path, message: path + told.message.slice(told.file.length) } : told;
}

/** The job of an input, its files, and the hash of all that decides what is written. */
async function jobOf(plan: BatchPlan, { path, output }: BatchInput) {
  const { words, flags, shared } = plan;
  const { name, files: found } = await filesOf(path);
  const files: HashedFile[] = [...shared];
  for (const file of found) files.push({ ...file, hash: await hashOfFile(file.path) });
  const job: VerbJob = {
    words,
    input: name,
    output: output.replace(/^.*\/(?=.)/, ''),
    flags,
    files: files.map((file) => file.name),
  };
  const effective = flags.filter(([flag]) => !WITHOUT_EFFECT.includes(flag));
  const hashes = files.map(({ hash }) => hash);
  const key = hashOf(JSON.stringify([VERSION, { ...job, output, flags: effective }, hashes]));
  return { job, files, key };
}

interface Making {
  job: VerbJob;
  files: readonly HashedFile[];
  key: string;
  engine: VerbEngine;
  journal: Journal;
  scratch: string;
  run: Run;
}

/** Runs the verb and puts what it wrote in place. */
async function makeEntry(plan: BatchPlan, { output }: BatchInput, making: Making): Promise<Entry> {
  const { job, files, key, engine, journal, scratch, run } = making;
  const { folder, force } = plan;
  const allow = async (path: string) => {
    if (force || (await journal.isOurs(path.replace(/\/$/, '')))) return;
    throw new PliantError('exists', 'batch', 'already exists', {
      file: join(folder, path),
      reason: 'output-exists',
    });
  };
  await allow(output); // before the work, and again after it
  await mkdir(scratch);
  const answer = await engine.make(job, files, scratch, run);
  throwIfCancelled(run.signal, 'batch');
  const made = join(scratch, 'out');
  const names = await readdir(made);
  const paths = names.map((name) => join(dirname(output), name).replaceAll('\\', '/'));
  for (const path of paths) await allow(path);
  const written: Written[] = [];
  for (const [n, name] of names.entries()) {
    const hash = (await hashOfOutput(join(made, name)))!;
    written.push({ path: paths[n], bytes: await sizeOf(join(made, name)), hash });
  }
  await mkdir(join(folder, dirname(output)), { recursive: true }).catch((error) => {
    throw fileError(error, 'write', folder);
  });
  for (const [n, name] of names.entries()) place(join(made, name), join(folder, paths[n]));
  const entry = { key, output: written, answer };
  await journal.add(entry);
  return entry;
}

/** Moves a file or folder to its place, where an older one may be. Synchronous, so that no interrupt comes in between. */
function place(from: string, to: string): void {
  try {
    rmSync(`${from}.old`, { recursive: true, force: true });
    try {
      renameSync(from, to);
    } catch {
      // A folder does not replace one that holds something.
      renameSync(to, `${from}.old`);
      renameSync(from, to);
    }
  } catch (error) {
    throw fileError(error, 'write', to);
  }
}

async function sizeOf(path: string): Promise<number> {
  if ((await nodeFiles.kind(path)) === 'file') return (await stat(path)).size;
  let size = 0;
  for (const name of await readdir(path)) size += await sizeOf(join(path, name));
  return size;
}

/** What a verb said, with the names of files as they are here. */
function withRealPaths(
  answer: Envelope,
  folder: string,
  { output }: BatchInput,
  files: readonly HashedFile[],
): Envelope {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  const parents = new Map(files.map(({ name, path }) => [dirname(name), dirname(path)]));
  const real = (name: string) => paths.get(name) ?? parents.get(name) ?? name;
  return {
    ...answer,
    input: answer.input.map((each) => ({ ...each, files: each.files.map(real) })),
    output: answer.output.map((each) => ({
      ...each,
      path: join(folder, dirname(output), each.path.replace(/^out\//, '')),
    })),
  };
}
