import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';

/**
 * The files that a pattern such as `frames/*.obj` names, sorted, or the folders of one that ends in `/`; a path without a
 * pattern, or that exists, names itself.
 */
export async function expandGlob(pattern: string): Promise<string[]> {
  if (!isDynamicPattern(pattern) || existsSync(pattern)) return [pattern];
  const folders = pattern.endsWith('/');
  const paths = await glob(pattern, {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    onlyFiles: !folders,
    onlyDirectories: folders,
  });
  return paths.sort();
}

/** The folder that all files of a pattern lie in: `shots` of `shots/**` + `/*.abc`. A path that is none lies in its own. */
export function globFolder(pattern: string): string {
  const parts = pattern.replace(/\/+$/, '').split('/');
  const first = existsSync(pattern) ? -1 : parts.findIndex((part) => isDynamicPattern(part));
  return parts.slice(0, first < 0 ? -1 : first).join('/') || (pattern.startsWith('/') ? '/' : '.');
}
