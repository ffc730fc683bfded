import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Envelope, OutputFile } from '../../src/index.ts';
import { fileError } from '../../src/platform/node/files.ts';
import { hashOfOutput } from './hashes.ts';

/** An output of a batch: its path in the output folder, and what it holds. */
export interface Written extends OutputFile {
  hash: string;
}

/** What was made of a job. */
export interface Entry {
  /** Hash of all that decides what is written: input, flags, version. */
  key: string;
  output: Written[];
  answer: Envelope;
}

const NAME = '.pliant-batch.jsonl';

/**
 * What a batch has done so far, a line for each output, in the output folder. Lines are only ever added, whole: several
 * batches may write into one folder, and one that is killed leaves at most half a line, which is not read.
 */
export class Journal {
  readonly #folder: string;
  readonly #entries = new Map<string, Entry>();
  /** Hashes of what was written under each name. */
  readonly #written = new Map<string, Set<string>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<Journal> {
    const journal = new Journal(folder);
    const text = await readFile(join(folder, NAME), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      try {
        journal.#add(JSON.parse(line) as Entry);
      } catch {
        // The end of a batch that was killed.
      }
    }
    return journal;
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    for (const { path, hash } of entry.output) {
      this.#written.set(path, (this.#written.get(path) ?? new Set()).add(hash));
    }
  }

  /** What was made for this key, if all of it is still there as it was. */
  async find(key: string): Promise<Entry | undefined> {
    const entry = this.#entries.get(key);
    for (const { path, hash } of entry?.output ?? []) {
      if ((await hashOfOutput(join(this.#folder, path))) !== hash) return undefined;
    }
    return entry;
  }

  /** Whether what is under this name may be replaced: nothing is, or what an earlier batch wrote. */
  async isOurs(path: string): Promise<boolean> {
    const hash = await hashOfOutput(join(this.#folder, path));
    return hash === undefined || this.#written.get(path)?.has(hash) === true;
  }

  async add(entry: Entry): Promise<void> {
    this.#add(entry);
    const path = join(this.#folder, NAME);
    // A line of its own, also after half a line.
    await appendFile(path, `\n${JSON.stringify(entry)}\n`).catch((error) => {
      throw fileError(error, 'write', path);
    });
  }
}
