import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tables.ts';

/** The folder of sequences and models by others: what PLIANT_DATA names, or `shared/data` beside the checkout. */
const DATA = process.env.PLIANT_DATA ?? join(ROOT, '../shared/data');

/**
 * The path of something in it, or undefined, with a line on stderr that says what is left out and why: the data are not
 * part of the repository.
 */
export function realData(path: string): string | undefined {
  const full = join(DATA, path);
  if (existsSync(full)) return full;
  console.error(`${path}: left out, ${full} is absent (see CONTRIBUTING.md)`);
  return undefined;
}
