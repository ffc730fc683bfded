import { type Command, Option } from 'commander';
import type { OptionSpecs, ReadOptions } from '../../src/index.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import { addFlags, collect, givenFlags } from '../flags/flags.ts';

/** Flags that say how files are read. */
export const addReadFlags = (command: Command, specs: OptionSpecs = READ_OPTIONS): Command =>
  addFlags(command, specs, { values: { cache: 'file', rest: 'file or frame' } });

export const givenReadFlags = (command: Command): Partial<ReadOptions> => givenFlags(command, READ_OPTIONS);

/** The same where inputs may be rigs, which `--frames-per-second` poses. */
export const READ_OR_POSE_OPTIONS = {
  ...READ_OPTIONS,
  framesPerSecond: {
    ...READ_OPTIONS.framesPerSecond,
    description: 'frame rate of sequences without times [default 24] and of posed rigs [default the keys of the clip]',
  },
} as const satisfies OptionSpecs;

/** A clip that may be named several times. */
export const addClipsFlag = (command: Command, which = 'the first'): Command =>
  command.addOption(
    new Option('--clip <name>', `clip of a rig; may be repeated [default ${which}]`).argParser(collect),
  );
