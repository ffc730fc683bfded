import { glob, isDynamicPattern } from 'tinyglobby';

/** The files that a pattern such as `frames/*.obj` names; a plain path names itself, whether it exists or not. */
export async function expandGlob(pattern: string): Promise<string[]> {
  if (!isDynamicPattern(pattern)) return [pattern];
  const paths = await glob(pattern, { onlyFiles: true, expandDirectories: false, dot: false });
  return paths.sort();
}
