import { fileName } from '../../../../src/io/paths.ts';
import { FORMATS, kindByName } from '../../../../src/io/sniff.ts';

/** Picked or dropped files with their paths. */
export type PathFile = [path: string, file: File];

/** File extension of sessions. */
export const SESSION = '.pliant';

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What ties pairs of cloth together, in a folder of `pliant cloth pair`. */
const isPairList = (path: string): boolean => fileName(path) === 'pairs.json';

/** The fine cache beside a coarse one, if there is one: `walk.coarse.abc` → `walk.fine.abc`. Other paths stay. */
const COARSE = /(^|[._-])coarse(?=[._-][^/]*$)/;
const fineOf = (path: string): string => {
  const name = fileName(path);
  return path.slice(0, path.length - name.length) + (COARSE.test(name) ? name.replace(COARSE, '$1fine') : '\0');
};

/** Whether a group is cloth to learn from: a list of pairs, or a coarse and a fine cache. */
export const isClothPair = (paths: readonly string[]): boolean =>
  isPairList(paths[0]) || (paths.length === 2 && fineOf(paths[0]) === paths[1]);

/**
 * What to open as one. A scene (GLB, Alembic, COLLADA, BVH) stands alone; the other meshes and caches of a folder, or
 * those that came loose together, are frames of one sequence or a mesh with its cache. Unknown files are left out unless
 * there is nothing else: then the reader says what is wrong with them.
 */
export function groupFiles(files: readonly PathFile[]): string[][] {
  const visible = files.map(([path]) => path).filter((path) => !path.split('/').some((part) => part.startsWith('.')));
  const roleOf = (path: string): string | undefined => {
    const kind = kindByName(path);
    return kind && FORMATS[kind].role;
  };
  const folders = new Set(visible.filter(isPairList).map(folderOf));
  const pairs = [...folders].map((folder) => visible.filter((path) => isPairList(path) && folderOf(path) === folder));
  const caches = visible.filter((path) => !folders.has(folderOf(path)) && visible.includes(fineOf(path)));
  const paired = new Set([...caches, ...caches.map(fineOf)]);
  const others = visible.filter((path) => !folders.has(folderOf(path)) && !paired.has(path));
  const scenes = others.filter((path) => roleOf(path) === 'scene').map((path) => [path]);
  const frames = new Map<string, string[]>();
  for (const path of others.filter((path) => roleOf(path) === 'mesh' || roleOf(path) === 'cache')) {
    frames.set(folderOf(path), [...(frames.get(folderOf(path)) ?? []), path]);
  }
  const groups = [...pairs, ...caches.map((path) => [path, fineOf(path)]), ...scenes, ...frames.values()];
  return groups.length > 0 ? groups : visible.slice(0, 1).map((path) => [path]);
}

/** Name of a group: its file; for several files their folder, or the common start of their names. */
export function groupName(paths: readonly string[]): string {
  if (isPairList(paths[0])) return fileName(folderOf(paths[0])) || 'pairs';
  if (paths.length === 1) return fileName(paths[0]);
  return fileName(folderOf(paths[0])) || stemOf(paths) || fileName(paths[0]);
}

/** The common start of all names, without the frame number: `run_000.obj`, `run_001.obj` → `run`. */
function stemOf(names: readonly string[]): string {
  let length = 0;
  while (length < names[0].length && names.every((name) => name[length] === names[0][length])) length++;
  return names[0].slice(0, length).replace(/[\s._-]*\d*[\s._-]*$/, '');
}

/** The files of a drop, those in folders included. */
export async function droppedFiles(transfer: DataTransfer): Promise<PathFile[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return pickedFiles(transfer.files);
  return (await Promise.all(entries.map((entry) => filesOf(entry, '')))).flat();
}

export const pickedFiles = (files: Iterable<File>): PathFile[] =>
  Array.from(files, (file): PathFile => [file.webkitRelativePath || file.name, file]);

async function filesOf(entry: FileSystemEntry, folder: string): Promise<PathFile[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [[path, file]];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PathFile[] = [];
  for (;;) {
    // Browsers return entries in batches of a hundred.
    const lot = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (lot.length === 0) return found;
    for (const inner of lot) found.push(...(await filesOf(inner, `${path}/`)));
  }
}

/** Files that the studio's own server offers under `list`, each with an address to read it from. */
export async function offeredFiles(list: string): Promise<PathFile[]> {
  if (!/^[\w-]+$/.test(list)) throw new Error(`address: files (got "${list}", expected the name of a list)`);
  const answer = await fetch(`given/${list}`);
  if (!answer.ok) throw new Error('the files from the command line are no longer available: run pliant studio again');
  const offered = (await answer.json()) as { path: string; address: string }[];
  return Promise.all(
    offered.map(async ({ path, address }): Promise<PathFile> => {
      const blob = await (await fetch(address)).blob();
      return [path, new File([blob], fileName(path))];
    }),
  );
}
