import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { checkValue, findBatchVerb, findFlag, takesFile, type VerbJob } from './verb-job.ts';

/** Limits of what a queue may bring. */
const MOST_FILES = 100_000;
const MOST_FLAGS = 200;
const LONGEST_NAME = 4096;

const refuse = (cause: string): never => {
  throw new PliantError('bad-option', 'batch', cause);
};

/** A name that stays in its folder, whatever machine made it: `walk.glb`, `textures/skin.png`. */
function isSafeName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > LONGEST_NAME) return false;
  const isSafe = (part: string) => part !== '' && part !== '.' && part !== '..' && part.length <= 200;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name that anyone wants has one
  return name.split('/').every(isSafe) && !/^-|[\\:\u0000-\u001f]/.test(name);
}

const isStrings = (list: unknown, most: number): list is string[] =>
  Array.isArray(list) && list.length <= most && list.every((each) => typeof each === 'string');

/** A job that came through a queue, if it is one that this program would have sent. Throws `bad-option`. */
export async function checkVerbJob(program: Command, given: unknown, blobs: number): Promise<VerbJob> {
  const { words, input, output, flags, files } = (given ?? {}) as Partial<VerbJob>;
  if (!isStrings(words, 2) || !isStrings(files, MOST_FILES)) return refuse('the job names no verb or no files');
  if (files.length !== blobs || new Set(files).size !== blobs) refuse(`${files.length} names of ${blobs} files`);
  if (!files.every(isSafeName)) refuse('a file has a name that leads elsewhere');
  const { verb, count } = await findBatchVerb(program, words);
  if (words.length !== count) refuse(`${words.join(' ')} is no verb`);
  const isGiven = (name: unknown): name is string =>
    isSafeName(name) && files.some((file) => file === name || file.startsWith(`${name}/`));
  if (!isGiven(input)) return refuse('the input is not among the files');
  if (!isSafeName(output?.replace(/\/$/, '')) || output!.slice(0, -1).includes('/')) refuse('the output has no name');
  if (!Array.isArray(flags) || flags.length > MOST_FLAGS) return refuse('the job has no list of flags');
  for (const each of flags) {
    if (!isStrings(each, 2) || each.length < 1) return refuse('a flag is no text');
    const [flag, value] = each;
    const option = findFlag(verb, flag);
    checkValue(option, value);
    if (value !== undefined && takesFile(option, value) && !isGiven(value)) refuse(`${flag} names no file of the job`);
  }
  return { words, input, output: output!, flags, files };
}
