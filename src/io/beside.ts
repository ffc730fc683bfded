import { PliantError } from '../error.ts';
import type { Image } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type FileAccess, readAll, withSource } from './files.ts';
import { imageType } from './image-type.ts';
import { fileName } from './paths.ts';

/** Where a file lies, and how to reach those beside it. */
export interface Beside {
  files: FileAccess;
  /** Of the file itself. */
  path: string;
}

/**
 * A file that another one names: below its folder or, since names often hold the folders of another machine, in it. Undefined when
 * it is not there.
 */
export async function readBeside({ files, path }: Beside, name: string): Promise<Uint8Array | undefined> {
  const relative = name.trim().replaceAll('\\', '/');
  const leadsOut = /^\/|^[a-z][a-z0-9+.-]*:|\0/i.test(relative) || relative.split('/').includes('..');
  const folder = path.slice(0, path.length - fileName(path).length);
  for (const candidate of new Set([...(leadsOut ? [] : [relative]), fileName(relative)])) {
    if (candidate === '' || candidate === '..') continue;
    try {
      return await withSource(files, folder + candidate, (source) => readAll(source, 'readBeside'));
    } catch (error) {
      if (!(error instanceof PliantError) || error.code === 'cancelled') throw error;
    }
  }
  return undefined;
}

/** Pictures beside a file, each read once. Those that are missing, or that glTF cannot hold, cost a note. */
export class PicturesBeside {
  readonly #beside: Beside | undefined;
  readonly #notes: Note[];
  readonly #images = new Map<string, Image | undefined>();

  constructor(beside: Beside | undefined, notes: Note[]) {
    this.#beside = beside;
    this.#notes = notes;
  }

  async read(name: string): Promise<Image | undefined> {
    if (!this.#images.has(name)) this.#images.set(name, await this.#readOnce(name));
    return this.#images.get(name);
  }

  async #readOnce(name: string): Promise<Image | undefined> {
    const bytes = this.#beside && (await readBeside(this.#beside, name));
    const mimeType = bytes && (await imageType(bytes));
    if (mimeType) return { name: fileName(name.replaceAll('\\', '/')), mimeType, bytes };
    this.#notes.push(
      bytes ? note('not-read', { what: 'pictures', names: [name] }) : note('image-missing', { file: name }),
    );
    return undefined;
  }
}
