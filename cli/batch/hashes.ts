import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../../src/platform/node/files.ts';

/** SHA-256 of a text, in hexadecimal. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 of a file. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash);
  } catch (error) {
    throw fileError(error, 'read', path);
  }
  return hash.digest('hex');
}

/** SHA-256 of a file, or of a folder's names and files; undefined where there is neither. */
export async function hashOfOutput(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.isFile() ? hashOfFile(path) : undefined;
  const lines: string[] = [];
  for (const name of (await readdir(path)).sort()) lines.push(`${name} ${await hashOfOutput(join(path, name))}`);
  return hashOf(lines.join('\n'));
}
