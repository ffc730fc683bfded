import { readFile } from 'node:fs/promises';
import { PliantError } from '../../src/error.ts';
import { fileError } from '../../src/platform/node/index.ts';
import type { NameMap } from '../../src/verbs/other-motions.ts';

/** What a JSON file holds. */
export async function readJson(verb: string, file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(error, verb, file);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PliantError('bad-file', verb, `not JSON: ${(error as SyntaxError).message}`, { file });
  }
}

/** The file of `--map`, where one was given. */
export async function readNameMap(verb: string, file: string | undefined): Promise<NameMap | undefined> {
  if (file === undefined) return undefined;
  const map = await readJson(verb, file);
  const isMap = typeof map === 'object' && map !== null && !Array.isArray(map);
  if (isMap && Object.values(map).every((bone) => typeof bone === 'string')) return map as NameMap;
  throw new PliantError('bad-file', verb, 'not a joint map (expected {"joint of the clip": "bone of the rig", …})', {
    file,
  });
}
