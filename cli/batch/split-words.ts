import type { Command } from 'commander';
import { checkValue, findFlag } from './verb-job.ts';

/** Tells the inputs of a verb from its flags, as commander would, and checks the values. */
export function splitWords(
  verb: Command,
  words: readonly string[],
): { inputs: string[]; flags: [flag: string, value?: string][] } {
  const inputs: string[] = [];
  const flags: [string, string?][] = [];
  for (let w = 0; w < words.length; w++) {
    const word = words[w];
    if (word === '--') return { inputs: [...inputs, ...words.slice(w + 1)], flags };
    if (!/^-./.test(word)) {
      inputs.push(word);
      continue;
    }
    const [, name, inline] = /^([^=]+)(?:=([\s\S]*))?$/.exec(word)!;
    const option = findFlag(verb, name);
    const value = option.required ? (inline ?? words[++w]) : inline;
    checkValue(option, value);
    flags.push(value === undefined ? [option.long!] : [option.long!, value]);
  }
  return { inputs, flags };
}
