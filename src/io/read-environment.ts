import { PliantError } from '../error.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import type { Note } from '../model/note.ts';
import type { ByteSource } from './files.ts';
import { readExr } from './read-exr.ts';
import { readHdr } from './read-hdr.ts';

/** A picture of light from all directions: Radiance (.hdr) or OpenEXR (.exr), told apart by their first bytes. */
export async function readEnvironment(source: ByteSource, notes: Note[] = []): Promise<EnvironmentMap> {
  const head = await source.read(0, Math.min(4, source.size));
  if (head[0] === 0x76 && head[1] === 0x2f && head[2] === 0x31 && head[3] === 1) return readExr(source, notes);
  if (head[0] === 0x23 && head[1] === 0x3f) return readHdr(source, notes);
  throw new PliantError('bad-file', 'readEnvironment', 'is no picture of light (expected HDR or EXR)', {
    file: source.name,
  });
}
