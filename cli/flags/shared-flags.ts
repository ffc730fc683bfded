import { type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { OptionSpecs, OptionsOf, ReadOptions } from '../../src/index.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { READ_OPTIONS } from '../../src/io/read-asset.ts';
import type { GltfReading } from '../../src/io/read-gltf.ts';
import { addFlags, collect, givenFlags } from './flags.ts';

/** Flags that several verbs have. */

/** Flags that say how files are read. */
export const addReadFlags = (command: Command, specs: OptionSpecs = READ_OPTIONS): Command =>
  addFlags(command, specs, { values: { cache: 'file', rest: 'file or frame' } });

export const givenReadFlags = (command: Command): Partial<ReadOptions> & GltfReading => ({
  ...givenFlags(command, READ_OPTIONS),
  ...givenClips(command),
});

/** The files that these flags name: `--rest` may also name a frame. */
export const filesOfReading = ({ cache, rest }: Partial<ReadOptions>): (string | undefined)[] => [
  cache,
  /^\d+$/.test(rest ?? '') ? undefined : rest,
];

/** The clips that `--clip` names: readers play those like `a+b` at once. */
export const givenClips = (command: Command): GltfReading => ({ clips: [command.getOptionValue('clip') ?? []].flat() });

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
    new Option(
      '--clip <name>',
      `clip of a file, or several at once: a+b; may be repeated [default ${which}]`,
    ).argParser(collect),
  );

/** The flags of every verb that writes. */
export interface OutputFlags {
  output?: string;
  force: boolean;
}

export function addOutputFlags(command: Command, description: string, force = 'overwrite existing output'): Command {
  let given = 0;
  return command
    .option('-o, --output <path>', description)
    .on('option:output', () => {
      if (++given === 2)
        throw new PliantError('bad-option', command.name(), '(got two, expected one)', { option: 'output' });
    })
    .option('--force', force, false);
}

/** The flags of every verb that tells how it went on a page. */
export function addReportFlags(command: Command): Command {
  const given = new Set<string>();
  const add = (flag: string) => {
    if (given.add(flag).size < 2) return;
    throw new PliantError('bad-option', command.name(), 'conflicts with --no-report', { option: 'report' });
  };
  return command
    .option(
      '--report <file>',
      'HTML report with curves and pictures [default out.report.html, next to the output]',
      true,
    )
    .option('--no-report', 'do not write the report')
    .on('option:report', () => add('report'))
    .on('option:no-report', () => add('no-report'));
}

/** Where the page goes; true: beside the output, false: there is none. */
export interface ReportFlags {
  report: string | boolean;
}

/** `--small`, which stands for several flags of GLB output; those given beside it have the last word. */
export const addSmallFlag = (command: Command, how = 'compressed, reordered, quantized, no names'): Command =>
  command.option('--small', `smallest: ${how}`, false);

export const isSmall = (command: Command): boolean => command.opts<{ small?: boolean }>().small === true;

/** The options of a GLB that were given, after those of `--small` that its writer is asked for at all. */
export function givenWithSmall<T extends OptionSpecs>(command: Command, specs: T): Partial<OptionsOf<T>> {
  const small = Object.entries(SMALL_MODEL_GLB).filter(([name]) => isSmall(command) && name in specs);
  return { ...(Object.fromEntries(small) as Partial<OptionsOf<T>>), ...givenFlags(command, specs) };
}
