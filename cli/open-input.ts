import type { Command } from 'commander';
import { PliantError } from '../src/error.ts';
import { READ_OPTIONS, type ReadOptions, readAsset } from '../src/io/read-asset.ts';
import type { Asset } from '../src/model/asset.ts';
import { expandGlob, nodeFiles } from '../src/platform/node/index.ts';
import { addFlags, givenFlags } from './flags.ts';
import { didYouMean } from './suggest.ts';

/** Flags that say how files are read. */
export const addReadFlags = (command: Command): Command =>
  addFlags(command, READ_OPTIONS, { values: { cache: 'file' } });
export const givenReadFlags = (command: Command): Partial<ReadOptions> => givenFlags(command, READ_OPTIONS);

/** Reads files, a folder, or patterns such as `frames/*.obj` that the shell left alone. */
export async function openAsset(
  operation: string,
  paths: readonly string[],
  options: Partial<ReadOptions>,
): Promise<Asset> {
  const found: string[] = [];
  for (const path of paths) {
    const files = await expandGlob(path);
    if (files.length === 0)
      throw new PliantError('not-found', operation, 'no file matches the pattern', { file: path });
    found.push(...files);
  }
  return readAsset(nodeFiles, found, options);
}

/** Lets go of the files that its sequences read from. */
export async function closeAsset(asset: Asset): Promise<void> {
  for (const sequence of asset.sequences) await sequence.close?.();
}

/** How a user names one thing among several of a file. */
export interface Choice {
  operation: string;
  /** The file, for messages. */
  file: string;
  /** What is chosen: "clip", "object". */
  what: string;
  /** The name that was asked for, if any. */
  name?: string;
}

const namesOf = (things: readonly { name?: string }[]): string[] => things.map((thing) => thing.name || 'unnamed');

/** The thing with that name. Undefined when no name was asked for. */
export function findNamed<T extends { name?: string }>(things: readonly T[], choice: Choice): T | undefined {
  const { operation, file, what, name } = choice;
  if (name === undefined) return undefined;
  const found = things.find((thing) => thing.name === name);
  if (found) return found;
  const names = namesOf(things);
  const expected = names.length ? `expected ${names.join(', ')}` : 'it has none';
  throw new PliantError(
    'not-found',
    operation,
    `no such ${what} (got ${name}, ${expected})${didYouMean(name, names)}`,
    {
      file,
    },
  );
}

/** The only thing, or the one that was named; several without a name are an error that lists them. */
export function pickOne<T extends { name?: string }>(things: readonly T[], choice: Choice): T {
  const named = findNamed(things, choice);
  if (named) return named;
  const { operation, file, what } = choice;
  if (things.length === 1) return things[0];
  const cause =
    things.length === 0
      ? `holds no ${what}`
      : `holds ${things.length} ${what}s: choose one with --${what} (expected ${namesOf(things).join(', ')})`;
  throw new PliantError(things.length ? 'bad-option' : 'not-found', operation, cause, { file });
}
