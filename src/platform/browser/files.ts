import { PliantError } from '../../error.ts';
import { type ByteSource, endOfFile, type FileAccess } from '../../io/files.ts';

/** `a/./b/../c/` → `a/c`; the root is ''. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** A source over a file the user picked or dropped; only the slices that are asked for are read. */
function blobSource(name: string, blob: Blob): ByteSource {
  return {
    name,
    size: blob.size,
    async read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > blob.size) throw endOfFile(name, offset, length, blob.size);
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
      } catch (error) {
        // The browser lets go of a picked file when it changes on disk.
        throw new PliantError('no-permission', 'read', `the browser refused (${error})`, { file: name });
      }
    },
    async close() {},
  };
}

/**
 * Files picked or dropped, under the paths the browser gives them: those of a picked folder keep their folders. A file
 * from elsewhere (an entry of a dropped folder, a download) can be given with the path it is to have.
 */
export function blobFiles(files: Iterable<File | readonly [path: string, blob: Blob]>): FileAccess {
  const byPath = new Map<string, Blob>();
  for (const file of files) {
    const [path, blob] = file instanceof File ? [file.webkitRelativePath || file.name, file] : file;
    byPath.set(normalizePath(path), blob);
  }
  const inside = (folder: string): string[] => {
    const prefix = folder === '' ? '' : `${folder}/`;
    return [...byPath.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  };

  return {
    async open(path) {
      const file = byPath.get(normalizePath(path));
      if (!file) throw new PliantError('not-found', 'open', 'no such file', { file: path });
      return blobSource(path, file);
    },
    async kind(path) {
      const normal = normalizePath(path);
      if (byPath.has(normal)) return 'file';
      return inside(normal).length > 0 ? 'folder' : 'missing';
    },
    async list(folder) {
      const names = inside(normalizePath(folder));
      if (names.length === 0) throw new PliantError('not-found', 'list', 'no such folder', { file: folder });
      return names.filter((name) => !name.includes('/'));
    },
  };
}
