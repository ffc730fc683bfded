import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import { READ_OPTIONS } from '../../../src/io/read-asset.ts';
import { givenFlags, only } from '../../flags/flags.ts';
import type { OutputFlags } from '../../flags/shared-flags.ts';

/** Up axis and unit of all files that do not say. */
export const SPACE_OPTIONS = only(READ_OPTIONS, ['up', 'scale']);

export const givenSpace = (command: Command) => givenFlags(command, SPACE_OPTIONS);

export interface ClothFlags extends OutputFlags {
  body?: string;
  coarse?: string[];
  fine?: string[];
}

/** Refuses flags that say nothing to the task that is asked for. */
export function requireFlagsOf(self: Command, task: string, known: readonly string[]): void {
  const given = self.options.map((option) => option.attributeName());
  const option = given.find((name) => self.getOptionValueSource(name) === 'cli' && !known.includes(name));
  if (option) throw new PliantError('bad-option', 'cloth', `says nothing to cloth ${task}`, { option });
}

/** `--coarse` of tasks that take one. */
export function oneCoarse({ coarse = [] }: ClothFlags): string | undefined {
  if (coarse.length <= 1) return coarse[0];
  const cause = `(got ${coarse.length} files, expected one)`;
  throw new PliantError('bad-option', 'cloth', cause, { option: 'coarse' });
}
