import type { Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import { isPath, requireTask, taskNames } from '../flags/tasks.ts';
import { commandLine } from '../text/command-line.ts';
import { loadVerb } from '../verbs.ts';

/**
 * One run of a verb over one input, in names and values only: what a queue passes on. Files are blobs, known by their
 * hashes beside the job; their names are relative to a scratch folder in which the verb runs.
 */
export interface VerbJob {
  /** The verb and, where it has tasks, one: `cloth`, `run`. */
  words: string[];
  /** The input: one of `files`, or a folder of some. */
  input: string;
  /** `walk.glb`, or `walk/` for a folder. */
  output: string;
  /** `--bones`, `40`; a switch has no value. Values that name files name some of `files`. */
  flags: [flag: string, value?: string][];
  /** As many as there are blobs. */
  files: string[];
}

/** Verbs that write, but from no input or without end. */
const NOT_IN_BATCH = ['batch', 'demo', 'sample'];

/** The flags of a verb that a batch sets itself, or has no use for. */
const OWN_FLAGS = ['--output', '--force', '--report', '--queue', '--store', '--allow-remote'];

/** Characters of a value. */
const LONGEST = 4096;

const refuse = (cause: string): never => {
  throw new PliantError('bad-option', 'batch', cause);
};

/** The command of a verb that runs in a batch, and how many words name it. `words` may go on with inputs. */
export async function findBatchVerb(
  program: Command,
  words: readonly string[],
): Promise<{ verb: Command; count: number }> {
  const commands = program.commands.filter((command) => !NOT_IN_BATCH.includes(command.name()));
  const found = commands.find((command) => command.name() === words[0]);
  const verb = found && (await loadVerb(found));
  if (!verb?.options.some(({ long }) => long === '--output')) {
    for (const command of commands) await loadVerb(command);
    const writing = commands.filter(({ options }) => options.some(({ long }) => long === '--output'));
    const candidates = writing.map((command) => command.name());
    const expected = `(expected one that reads and writes: ${candidates.join(', ')})`;
    if (isPath(words[0] ?? '')) {
      const example = commandLine([], ['batch', 'fit', ...words]);
      throw new PliantError('bad-option', 'batch', `batch needs a verb ${expected}, as in ${example}`, { candidates });
    }
    const cause = `unknown verb "${words[0] ?? ''}" ${expected}`;
    throw new PliantError('bad-option', 'batch', cause, { got: words[0], candidates });
  }
  requireTask(verb, ['batch', ...words], 2);
  return { verb, count: taskNames(verb).length > 0 ? 2 : 1 };
}

/** The flag of a verb that a batch passes on. */
export function findFlag(verb: Command, flag: string): Option {
  const known = verb.options.filter(({ long }) => !OWN_FLAGS.includes(long!));
  const found = known.find(({ long, short }) => long === flag || short === flag);
  if (found) return found;
  const candidates = known.map(({ long }) => long!);
  const why = flag === '--report' ? ': pages lie beside their outputs' : '';
  const cause = `${verb.name()} has no flag ${flag} in a batch${why}`;
  throw new PliantError('bad-option', 'batch', cause, { got: flag, candidates });
}

/** Whether the value of a flag names a file: `--rig <file>`, `--rest <file or frame>`. */
export const takesFile = ({ flags }: Option, value: string): boolean =>
  /<file>/.test(flags) || (/<file or frame>/.test(flags) && !/^\d+$/.test(value));

/** Throws when a flag does not take this value. */
export function checkValue(option: Option, value: string | undefined): void {
  if (!option.required && value !== undefined) refuse(`${option.long} takes no value (got ${value})`);
  if (option.required && value === undefined) refuse(`${option.long} needs a value`);
  if (value === undefined) return;
  if (value.length > LONGEST) refuse(`the value of ${option.long} is longer than ${LONGEST} characters`);
  option.parseArg?.(value, undefined as never);
}

/** The words after `pliant`, run where the files lie; what is written goes to `out/`. */
export const lineOf = ({ words, input, output, flags }: VerbJob): string[] => [
  ...words,
  input,
  `--output=out/${output}`,
  ...flags.map(([flag, value]) => (value === undefined ? flag : `${flag}=${value}`)),
  '--json',
];
