import type { Command } from 'commander';
import { PliantError } from '../../../src/error.ts';
import { SEQUENCE_GLB_OPTIONS } from '../../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../../src/io/read-asset.ts';
import { booleanOption, type OptionSpecs } from '../../../src/model/options.ts';
import { givenFlags, only } from '../../flags/flags.ts';
import type { OutputFlags } from '../../flags/shared-flags.ts';

/** How `cloth run` writes GLBs: folds are seen by their normals. */
export const CLOTH_GLB_OPTIONS = {
  ...SEQUENCE_GLB_OPTIONS,
  morphNormals: booleanOption(true, 'store the normals of every frame, half of the file'),
} as const satisfies OptionSpecs;

/** Up axis and unit of all files that do not say. */
export const SPACE_OPTIONS = only(READ_OPTIONS, ['up', 'scale']);

export const givenSpace = (command: Command) => givenFlags(command, SPACE_OPTIONS);

export interface ClothFlags extends OutputFlags {
  body?: string;
  coarse?: string[];
  fine?: string[];
}

/** `--coarse` of tasks that take one. */
export function oneCoarse({ coarse = [] }: ClothFlags): string | undefined {
  if (coarse.length <= 1) return coarse[0];
  const cause = `(got ${coarse.length} files, expected one)`;
  throw new PliantError('bad-option', 'cloth', cause, { option: 'coarse' });
}
