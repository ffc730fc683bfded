import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';

/** The files that a pattern such as `frames/*.obj` names, sorted; a path without a pattern, or that exists, names itself. */
export async function expandGlob(pattern: string): Promise<string[]> {
  if (!isDynamicPattern(pattern) || existsSync(pattern)) return [pattern];
  const paths = await glob(pattern, { absolute: isAbsolute(pattern), expandDirectories: false, onlyFiles: true });
  return paths.sort();
}
