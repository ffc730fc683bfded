import { PliantError } from '../../src/error.ts';
import type { ByteSink, FileAccess, FolderSink } from '../../src/io/files.ts';
import { memorySource } from '../../src/io/files.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textSource = (text: string, name = 'test.txt') => memorySource(name, bytesOf(text));

/** Files in memory by path; counts how many are open. */
export function memoryFiles(contents: Record<string, Uint8Array | string>): FileAccess & { openCount(): number } {
  let open = 0;
  const inside = (folder: string) => {
    const prefix = `${folder.replace(/\/$/, '')}/`;
    return Object.keys(contents).filter((path) => path.startsWith(prefix));
  };
  return {
    openCount: () => open,
    async open(path) {
      const content = contents[path];
      if (content === undefined) throw new PliantError('not-found', 'open', 'no such file', { file: path });
      open++;
      const source = memorySource(path, typeof content === 'string' ? bytesOf(content) : content);
      let closed = false;
      return {
        name: source.name,
        size: source.size,
        read: source.read,
        async close() {
          if (!closed) open--;
          closed = true;
        },
      };
    },
    async kind(path) {
      return path in contents ? 'file' : inside(path).length > 0 ? 'folder' : 'missing';
    },
    async list(folder) {
      return inside(folder).map((path) => path.slice(path.lastIndexOf('/') + 1));
    },
  };
}

/** Collects what is written. */
export function memorySink(): ByteSink & { bytes(): Uint8Array } {
  let all = new Uint8Array(1 << 12);
  let size = 0;
  return {
    async write(bytes) {
      if (size + bytes.length > all.length) {
        const larger = new Uint8Array(2 * (size + bytes.length));
        larger.set(all.subarray(0, size));
        all = larger;
      }
      all.set(bytes, size);
      size += bytes.length;
    },
    async patch(offset, bytes) {
      all.subarray(0, size).set(bytes, offset);
    },
    async close() {},
    async abort() {},
    bytes: () => all.slice(0, size),
  };
}

/** Collects the files that are written; `prefix` goes before their names. */
export function memoryFolder(prefix: string): FolderSink & { contents(): Record<string, Uint8Array> } {
  const sinks = new Map<string, ReturnType<typeof memorySink>>();
  return {
    async file(name) {
      const sink = memorySink();
      sinks.set(prefix + name, sink);
      return sink;
    },
    async close() {},
    async abort() {},
    contents: () => Object.fromEntries([...sinks].map(([name, sink]) => [name, sink.bytes()])),
  };
}
