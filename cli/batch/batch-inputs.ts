import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PliantError } from '../../src/error.ts';
import type { FileAccess } from '../../src/index.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { fileError, nodeFiles } from '../../src/platform/node/files.ts';
import { expandGlob, globFolder } from '../../src/platform/node/glob.ts';

/** An input of a batch, and where what is made of it goes. */
export interface BatchInput {
  /** As it was found. */
  path: string;
  /** In the output folder, `/` between parts; ends in `/` for a folder. */
  output: string;
}

/** What outputs may be, as `--to` names it. */
export const OUTPUT_FORMATS = ['glb', 'abc', 'pc2', 'mdd', 'obj', 'png', 'apng', 'folder'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const isInside = (path: string, folder: string): boolean => {
  const way = relative(resolve(folder), resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/**
 * The inputs that paths and patterns name. Outputs are called after them, in folders as they are below the pattern's own:
 * `shots/**` + `/*.abc` puts `shots/a/walk.abc` to `a/walk.glb`. What an earlier batch has put into `folder` is no input.
 */
export async function batchInputs(
  patterns: readonly string[],
  folder: string,
  format: OutputFormat,
): Promise<BatchInput[]> {
  const inputs: BatchInput[] = [];
  const sources = new Map<string, string>();
  const seen = new Set<string>();
  for (const pattern of patterns) {
    const parent = globFolder(pattern);
    const found = await expandGlob(pattern);
    const paths = found.filter((path) => !isInside(path, folder) || isInside(parent, folder));
    if (paths.length === 0)
      throw new PliantError('not-found', 'batch', 'no file matches the pattern', { file: pattern });
    for (const path of paths) {
      if ((await nodeFiles.kind(path)) === 'missing')
        throw new PliantError('not-found', 'batch', 'no such file or folder', { file: path });
      const real = await realpath(path);
      // Two patterns may name one file.
      if (seen.has(real)) continue;
      seen.add(real);
      const output = outputOf(relative(parent, path).split(sep).join('/'), format);
      const other = sources.get(output);
      if (other !== undefined) {
        const cause = `would be written to ${output}, as ${other} (expected inputs of different names, or batches of their own)`;
        throw new PliantError('bad-option', 'batch', cause, { file: path });
      }
      sources.set(output, path);
      inputs.push({ path, output });
    }
  }
  for (const { output } of inputs) {
    const place = join(folder, output);
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined && seen.has(real)) {
      throw new PliantError('bad-option', 'batch', 'is also an input (expected another folder)', { file: place });
    }
  }
  return inputs;
}

function outputOf(name: string, format: OutputFormat): string {
  const bare = name.slice(0, name.length - extname(name).length).replace(/\/+$/, '');
  return format === 'folder' ? `${bare}/` : `${bare}.${format}`;
}

/** A file of an input: what it is called where the verb runs, and where it is. */
export interface InputFile {
  name: string;
  path: string;
}

/** Formats whose files stand alone. */
const ALONE = /\.(glb|abc|pc2|mdd|ply|off|stl|bvh)$/i;

/** A name that no command line takes for a flag. */
const plainName = (name: string): string => name.replace(/^-/, '_').replaceAll(/[\\:]/g, '_');

/**
 * All files that a path brings along: the file, or those of the folder, and what the reader opens beside it, such as
 * buffers, materials and textures.
 */
export async function filesOf(path: string): Promise<{ name: string; files: InputFile[] }> {
  const real = path.replace(/[/\\]+$/, '') || path;
  const name = plainName(basename(resolve(real)));
  if ((await nodeFiles.kind(real)) === 'folder') {
    const entries = await readdir(real, { withFileTypes: true }).catch((error) => {
      throw fileError(error, 'list', real);
    });
    const inside = await Promise.all(
      entries.map(async (entry) =>
        (await nodeFiles.kind(join(real, entry.name))) === 'file' ? entry.name : undefined,
      ),
    );
    const files = inside.filter((each) => each !== undefined && !each.startsWith('.')) as string[];
    return { name, files: files.sort().map((each) => ({ name: `${name}/${each}`, path: join(real, each) })) };
  }
  const files = new Map([[name, real]]);
  for (const beside of ALONE.test(real) ? [] : await openedBeside(real)) {
    const way = relative(dirname(real), beside).split(sep).join('/');
    if (beside !== real && isInside(beside, dirname(real))) files.set(way, beside);
  }
  return { name, files: [...files].map(([each, where]) => ({ name: each, path: where })) };
}

/** Reads a file only to see what is read beside it. */
async function openedBeside(path: string): Promise<string[]> {
  const opened = new Set<string>();
  const watched: FileAccess = {
    ...nodeFiles,
    async open(file) {
      const source = await nodeFiles.open(file);
      opened.add(file);
      return source;
    },
  };
  try {
    const { sequences } = await readAsset(watched, [path]);
    for (const sequence of sequences) await sequence.close?.();
  } catch {
    // What is wrong with it, its verb will say.
  }
  return [...opened];
}
