import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const given = process.env.PLIANT_DATA;
const root = given ? join(given, '/') : fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/**
 * Sequences and models by others, which are not part of the repository: in the folder that PLIANT_DATA names, or in
 * `shared/data` beside the checkout. `path` ends in a slash; `why` says in a test's name that it was skipped.
 */
export function realData(folder = ''): { path: string; absent: boolean; why: string } {
  const path = root + folder;
  const absent = !existsSync(path);
  return { path, absent, why: absent ? ` (skipped: ${path} is absent, see CONTRIBUTING.md)` : '' };
}
