import { basename } from 'node:path';
import type { PageExtra } from '../../src/report/sections.ts';
import { flagName } from '../flags/flags.ts';
import { filesText } from './report-text.ts';

/** Text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** More files than this are shown as the first and the last. */
const FILES_SHOWN = 4;

/**
 * The command line that runs, as a line for a shell: as it was typed, but for patterns that the shell resolved. Of many
 * files all but the first and the last are left out. `words` are those after `pliant`.
 */
export function commandLine(files: readonly string[] = [], words: readonly string[] = process.argv.slice(2)): string {
  const hidden = new Set(files.length > FILES_SHOWN ? files.slice(1, -1) : []);
  const shown = words.flatMap((word, w) => {
    if (!hidden.has(word)) return [/^[\w./:=,@%+-]+$/.test(word) ? word : quoted(word)];
    return hidden.has(words[w - 1]) ? [] : ['…'];
  });
  return ['pliant', ...shown].join(' ');
}

/** Where a report page that goes with `output` comes from. It has no date: the same input gives the same words. */
export const pageOrigin = (output: string, files: readonly string[]): PageExtra => ({
  title: `${basename(output)} from ${filesText(files)}`,
  command: commandLine(files),
  optionName: flagName,
});
