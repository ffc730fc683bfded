import { PliantError } from '../error.ts';
import { type Note, note } from '../model/note.ts';
import { plural } from '../model/wording.ts';
import type { FileAccess } from './files.ts';
import { fileName, joinPath, naturalOrder, stem } from './paths.ts';
import { FORMATS, kindByName } from './sniff.ts';

const OPERATION = 'readAsset';

/** What to read: one file, a mesh with its cache, or a mesh per frame. */
export interface Input {
  name: string;
  /** One file, or the meshes of the frames in natural order. */
  main: string[];
  /** The cache that belongs to the one mesh in `main`. */
  cache?: string;
  /** What was left out of a folder. */
  notes: Note[];
}

/** Resolves a folder or list to the files that belong together. */
export async function chooseFiles(files: FileAccess, paths: readonly string[]): Promise<Input> {
  if (paths.length === 0) throw new PliantError('bad-option', OPERATION, 'no path (expected at least one)');
  for (const path of paths) {
    const kind = await files.kind(path);
    if (kind === 'missing') throw new PliantError('not-found', OPERATION, 'no such file or folder', { file: path });
    if (kind === 'folder' && paths.length > 1) {
      const cause = 'cannot combine a folder with other paths (expected the folder alone)';
      throw new PliantError('bad-option', OPERATION, cause, { file: path });
    }
    if (kind === 'file' && paths.length === 1) return { name: stem(path), main: [path], notes: [] };
  }
  const [first] = paths;
  if (paths.length > 1) return choosePaths(withoutNumber(stem(first)), paths, { file: first, isFolder: false });
  const name = fileName(first.replace(/[/\\]+$/, '')) || first;
  return choosePaths(name, await readableFiles(files, first), { file: first, isFolder: true });
}

/** The paths of the files in a folder that can be read, in natural order. */
export async function readableFiles(files: FileAccess, folder: string): Promise<string[]> {
  const names = (await files.list(folder)).filter((name) => !name.startsWith('.') && isReadable(name));
  return names.map((name) => joinPath(folder, name)).sort(naturalOrder);
}

/** `walk_0001` → `walk`. */
const withoutNumber = (name: string): string => name.replace(/[-_. ]*\d+$/, '') || name;

/** Whether a file of a folder takes part; pictures, material files and notes do not. */
function isReadable(name: string): boolean {
  const kind = kindByName(name);
  return kind !== undefined && FORMATS[kind].role !== 'unsupported';
}

const ONE_THING = 'expected frames of one format, or one mesh and one cache; otherwise pass a single file';

/** Several files are one thing: a mesh and its cache, or one mesh per frame. */
function choosePaths(
  name: string,
  paths: readonly string[],
  { file, isFolder }: { file: string; isFolder: boolean },
): Input {
  const sorted = [...paths].sort(naturalOrder);
  const ofRole = (role: string) => sorted.filter((path) => FORMATS[kindByName(path) ?? 'obj'].role === role);
  const [meshes, caches, scenes] = [ofRole('mesh'), ofRole('cache'), ofRole('scene')];
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', OPERATION, cause, { file });
  };
  if (sorted.length === 0) return fail('contains no supported file (subfolders are not searched)');
  if (caches.length > 1 || (caches.length === 1 && meshes.length > 1)) {
    const got = `${plural(meshes.length, 'mesh', 'meshes')} and ${plural(caches.length, 'cache')}`;
    return fail(`${got} (${isFolder ? ONE_THING : 'expected one mesh with one cache, or one mesh per frame'})`);
  }
  const isPair = meshes.length === 1 && caches.length === 1;
  if (scenes.length > 0 && sorted.length > 1 && !(isFolder && (isPair || meshes.length > 1))) {
    const expected = isFolder ? ONE_THING : 'expected that file alone';
    return fail(`${sorted.length} files, including ${fileName(scenes[0])} (${expected})`);
  }
  if (isPair) return { name, main: meshes, cache: caches[0], notes: leftOut(scenes) };
  if (meshes.length > 1) return { name, main: meshes, notes: leftOut(scenes) };
  return { name, main: sorted, notes: [] };
}

/** A sequence in a folder may have a scene beside it that was made of it. */
const leftOut = (scenes: readonly string[]): Note[] =>
  scenes.map((path) => note('scene-beside-frames', {}, fileName(path)));
