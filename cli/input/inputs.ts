import { PliantError } from '../../src/error.ts';
import type { Asset, InputFiles, ReadOptions } from '../../src/index.ts';
import { readableFiles } from '../../src/io/choose-files.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import type { GltfReading } from '../../src/io/read-gltf.ts';
import { FORMATS, kindByName } from '../../src/io/sniff.ts';
import { expandGlob, nodeFiles } from '../../src/platform/node/index.ts';

/** The files that paths and patterns such as `frames/*.obj`, which the shell left alone, stand for. */
export async function expandPaths(verb: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (path === '') throw new PliantError('bad-option', verb, 'empty path (expected a file or folder)');
    const missing = (await nodeFiles.kind(path)) === 'missing';
    if (missing && path === '-') {
      throw new PliantError('bad-option', verb, 'stdin is not supported (got -, expected a file)');
    }
    // A file may have a name that looks like a pattern.
    const files = missing ? await expandGlob(path) : [path];
    if (files.length === 0) throw new PliantError('not-found', verb, 'no file matches the pattern', { file: path });
    found.push(...files);
  }
  return found;
}

/** The assets that a verb reads. */
export class Inputs {
  /** What was read, in order. */
  readonly list: InputFiles[] = [];
  readonly #verb: string;
  readonly #assets: Asset[] = [];

  constructor(verb: string) {
    this.#verb = verb;
  }

  /** Reads paths or patterns that are one asset; it stays open until `use` ends. */
  async open(paths: string | readonly string[], options: Partial<ReadOptions> & GltfReading = {}): Promise<Asset> {
    const files = await expandPaths(this.#verb, typeof paths === 'string' ? [paths] : paths);
    const asset = await readAsset(nodeFiles, files, options);
    this.#assets.push(asset);
    this.list.push({ files, format: asset.format, bytes: asset.bytes });
    return asset;
  }

  /** The same, where a path was given at all. */
  openIf = async (path: string | undefined): Promise<Asset | undefined> =>
    path === undefined ? undefined : this.open(path);

  /** Reads several assets, see `#groups`; all stay open until `use` ends. */
  async openGroups(paths: readonly string[], options: Partial<ReadOptions>): Promise<Asset[]> {
    const assets: Asset[] = [];
    for (const group of await this.#groups(paths, options)) assets.push(await this.open(group, options));
    return assets;
  }

  /** The same one by one: each is closed before the next is opened. */
  async *eachGroup(paths: readonly string[], options: Partial<ReadOptions>, each: boolean): AsyncGenerator<Asset> {
    for (const group of await this.#groups(paths, options, each)) {
      yield await this.open(group, options);
      await this.#close();
    }
  }

  /**
   * The files of each asset: those that hold whole scenes, and folders, alone; meshes and caches together as one sequence,
   * unless `each` wants every file alone, also those of folders.
   */
  async #groups(paths: readonly string[], options: Partial<ReadOptions>, each = false): Promise<string[][]> {
    const together: string[] = [];
    const groups: string[][] = [];
    for (const path of await expandPaths(this.#verb, paths)) {
      const kind = kindByName(path);
      const isFolder = (await nodeFiles.kind(path)) === 'folder';
      const inside = each && isFolder ? await readableFiles(nodeFiles, path) : [];
      if (inside.length > 0) groups.push(...inside.map((file) => [file]));
      else if (each || isFolder || (kind && FORMATS[kind].role === 'scene')) groups.push([path]);
      else if (together.push(path) === 1) groups.push(together);
    }
    if (groups.length > 1 && options.cache !== undefined) {
      const cause = `(got ${groups.length} inputs, expected one mesh for the cache)`;
      throw new PliantError('bad-option', this.#verb, cause, { option: 'cache' });
    }
    return groups;
  }

  /** Runs, and lets go of the files that sequences read from. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.#close();
    }
  }

  async #close(): Promise<void> {
    for (const { sequences } of this.#assets.splice(0)) for (const sequence of sequences) await sequence.close?.();
  }
}
