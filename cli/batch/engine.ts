import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Envelope } from '../../src/index.ts';
import { fileError } from '../../src/platform/node/files.ts';
import type { Run } from '../terminal/session.ts';
import type { InputFile } from './batch-inputs.ts';
import { runVerb } from './run-verb.ts';
import type { VerbJob } from './verb-job.ts';

/** A file of a job and what it holds. */
export interface HashedFile extends InputFile {
  hash: string;
}

/** What runs the jobs of a batch. */
export interface VerbEngine {
  /** How many at once. */
  readonly atOnce: number;
  /** Runs a verb. What it writes appears in `out/` of `folder`, which is empty before. Progress is told if it can be. */
  make(job: VerbJob, files: readonly HashedFile[], folder: string, run: Run): Promise<Envelope>;
  close(): Promise<void>;
}

/** Puts files into a folder under the names that a job has for them. Nothing is copied where links will do. */
export async function stage(files: readonly InputFile[], folder: string): Promise<void> {
  for (const { name, path } of files) {
    const place = join(folder, name);
    try {
      await mkdir(dirname(place), { recursive: true });
      await symlink(resolve(path), place).catch(() => copyFile(path, place));
    } catch (error) {
      throw fileError(error, 'read', path);
    }
  }
}

/** Verbs in processes of this machine. */
export const processes = (atOnce: number): VerbEngine => ({
  atOnce,
  async make(job, files, folder, run) {
    await stage(files, folder);
    return runVerb(job, folder, run);
  },
  async close() {},
});
