import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { READ_OPTIONS, type ReadOptions, readAsset } from '../../src/io/read-asset.ts';
import { FORMATS, kindByName } from '../../src/io/sniff.ts';
import type { Asset } from '../../src/model/asset.ts';
import { expandGlob, nodeFiles } from '../../src/platform/node/index.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { didYouMean } from '../flags/suggest.ts';

/** Flags that say how files are read. */
export const addReadFlags = (command: Command): Command =>
  addFlags(command.optionsGroup('Reading:'), READ_OPTIONS, { values: { cache: 'file', rest: 'file or frame' } });
export const givenReadFlags = (command: Command): Partial<ReadOptions> => givenFlags(command, READ_OPTIONS);

/** The files that paths and patterns such as `frames/*.obj`, which the shell left alone, stand for. */
export async function expandPaths(operation: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (path === '') throw new PliantError('bad-option', operation, 'an empty name (expected a file or folder)');
    const missing = (await nodeFiles.kind(path)) === 'missing';
    if (missing && path === '-') {
      throw new PliantError('bad-option', operation, 'stdin is not read (got -, expected the name of a file)');
    }
    // A file may have a name that looks like a pattern.
    const files = missing ? await expandGlob(path) : [path];
    if (files.length === 0) {
      throw new PliantError('not-found', operation, 'no file matches the pattern', { file: path });
    }
    found.push(...files);
  }
  return found;
}

/** Reads one path or pattern. */
export async function openAsset(operation: string, path: string, options: Partial<ReadOptions> = {}): Promise<Asset> {
  return readAsset(nodeFiles, await expandPaths(operation, [path]), options);
}

/**
 * Which paths are read together: files that hold whole scenes, and folders, alone; meshes and caches as one sequence,
 * unless `each` wants every file alone.
 */
export async function groupPaths(paths: readonly string[], each: boolean): Promise<string[][]> {
  const together: string[] = [];
  const groups: string[][] = [];
  for (const path of paths) {
    const kind = kindByName(path);
    const alone = each || (kind && FORMATS[kind].role === 'scene') || (await nodeFiles.kind(path)) === 'folder';
    if (alone) groups.push([path]);
    else if (together.push(path) === 1) groups.push(together);
  }
  return groups;
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
    `no such ${what} (got ${name || 'nothing'}, ${expected})${didYouMean(name, names)}`,
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
