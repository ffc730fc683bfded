import { realpath } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import { chooseFiles } from '../../src/io/choose-files.ts';
import type { ByteSink, FolderSink } from '../../src/io/files.ts';
import { createFileSink, createFolderSink, nodeFiles } from '../../src/platform/node/index.ts';

/** What is written, chosen by the output's name; `frames` is a folder with one OBJ per frame. */
export type OutputKind = 'glb' | 'abc' | 'obj' | 'pc2' | 'mdd' | 'frames';

/** The open outputs of a verb. They appear under their names when all went well, and not at all otherwise. */
export type Output =
  | { kind: 'glb' | 'obj'; path: string; sink: ByteSink; report?: ByteSink }
  | { kind: 'abc'; path: string; sink: ByteSink }
  /** A cache has no triangles: its rest mesh lies beside it as OBJ, and is written unless it is there already. */
  | { kind: 'pc2' | 'mdd'; path: string; sink: ByteSink; rest?: ByteSink }
  | { kind: 'frames'; path: string; folder: FolderSink };

/** An open GLB and, where it is wanted, its page. */
export type GlbOutput = Output & { kind: 'glb' | 'obj' };

/** The flags of every verb that writes. */
export interface OutputFlags {
  output?: string;
  force: boolean;
}

export const addOutputFlags = (command: Command, description: string): Command =>
  command.option('-o, --output <path>', description).option('--force', 'replace an output that exists', false);

/** The flags of every verb that tells how it went on a page. */
export const addReportFlags = (command: Command): Command =>
  command
    .option('--report <file>', 'HTML page with curves and pictures [default beside the output, out.report.html]', true)
    .option('--no-report', 'do not write the HTML page');

/** Where the page goes; true: beside the output, false: there is none. */
export interface ReportFlags {
  report: string | boolean;
}

/** The page that goes with `out.glb` when no other is named. */
export const reportPath = (glb: string): string => glb.replace(/\.glb$/i, '.report.html');

/** A file or folder that was written. */
export interface Written {
  path: string;
  bytes: number;
}

/** An output that was named and is of a kind that its verb writes. */
export interface OutputPlan {
  path: string;
  kind: OutputKind;
  /** A page that goes with a file. */
  report?: string;
  /** Which files of a folder `--force` may replace [default frames]. */
  isOurs?: (name: string) => boolean;
  /** The rest mesh that goes with a cache. */
  rest?: string;
}

/** By extension; a name that ends in `/`, or that a folder has, is a folder of OBJs. */
export async function planOutput(
  operation: string,
  path: string | undefined,
  kinds: readonly OutputKind[],
): Promise<OutputPlan> {
  const names = kinds.map((kind) => (kind === 'frames' ? 'a folder that ends in /' : `.${kind}`)).join(', ');
  if (!path) throw new PliantError('bad-option', operation, `no output: name one with -o (expected ${names})`);
  if (path === '-') {
    throw new PliantError('bad-option', operation, `stdout is not written to (got -, expected a name: ${names})`);
  }
  const isFolder = /[/\\]$/.test(path) || (await nodeFiles.kind(path)) === 'folder';
  const extension = isFolder ? 'frames' : extname(path).slice(1).toLowerCase();
  const kind = kinds.find((candidate) => candidate === extension);
  if (kind) return isCache(kind) ? { path, kind, rest: restPath(path) } : { path, kind };
  throw new PliantError('bad-option', operation, `cannot write this kind of output (expected ${names})`, {
    file: path,
  });
}

/** A GLB and, where it is wanted, its page. */
export async function planWithReport(
  operation: string,
  { output, report }: Pick<OutputFlags, 'output'> & ReportFlags,
): Promise<OutputPlan> {
  const plan = await planOutput(operation, output, ['glb']);
  if (report === '')
    throw new PliantError('bad-option', operation, '--report (got nothing, expected the name of a page)');
  return report === false ? plan : { ...plan, report: report === true ? reportPath(plan.path) : report };
}

const isCache = (kind: OutputKind): kind is 'pc2' | 'mdd' => kind === 'pc2' || kind === 'mdd';

/** The rest mesh that accompanies a cache. */
const restPath = (path: string): string => path.replace(/\.(pc2|mdd)$/i, '.obj');

/** Refuses, even with `--force`, to write over a file that is read, or one twice. `inputs` are files and folders. */
export async function requireOtherFiles(
  operation: string,
  { path, report, rest }: OutputPlan,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  const read = new Set<string>();
  for (const input of inputs) {
    if (input === undefined) continue;
    const isFolder = (await nodeFiles.kind(input)) === 'folder';
    const { main, cache } = isFolder ? await chooseFiles(nodeFiles, [input]) : { main: [], cache: undefined };
    for (const file of [input, ...main, ...(cache ? [cache] : [])]) {
      const real = await realpath(file).catch(() => undefined);
      if (real !== undefined) read.add(real);
    }
  }
  const written = new Set<string>();
  for (const file of [path, report, rest]) {
    if (file === undefined) continue;
    const real = await realpath(file).catch(() => resolve(file));
    const clash = read.has(real) ? 'is also an input' : written.has(real) ? 'is the output twice' : undefined;
    if (clash) throw new PliantError('bad-option', operation, `${clash} (expected another name)`, { file });
    written.add(real);
  }
}

/** Counts what passes. */
function counting(path: string, sink: ByteSink, written: Written[]): ByteSink {
  const entry = { path, bytes: 0 };
  written.push(entry);
  return {
    write(bytes) {
      entry.bytes += bytes.length;
      return sink.write(bytes);
    },
    patch: (offset, bytes) => sink.patch(offset, bytes),
    close: () => sink.close(),
    abort: () => sink.abort(),
  };
}

/**
 * Opens the output before anything is computed, so that one that exists, has no folder or may not be written is refused
 * at once; then runs `write`, and closes it. After a failure nothing is left.
 */
export async function withOutput<T>(
  { path, kind, report, rest, isOurs }: OutputPlan,
  force: boolean,
  write: (output: Output) => Promise<T>,
): Promise<{ result: T; written: Written[] }> {
  const written: Written[] = [];
  const opened: (ByteSink | FolderSink)[] = [];
  const keep = <S extends ByteSink | FolderSink>(sink: S): S => {
    opened.push(sink);
    return sink;
  };
  const file = async (name: string): Promise<ByteSink> =>
    counting(name, keep(await createFileSink(name, { force })), written);
  const folder = async (): Promise<FolderSink> => {
    const sink = keep(await createFolderSink(path, { force, isOurs }));
    return { ...sink, file: async (name) => counting(name, await sink.file(name), written) };
  };
  const openAll = async (): Promise<Output> => {
    if (kind === 'frames') return { kind, path, folder: await folder() };
    const sink = await file(path);
    const beside = async (name: string | undefined) => (name === undefined ? undefined : await file(name));
    if (isCache(kind)) return { kind, path, sink, rest: await beside(rest) };
    if (kind === 'abc') return { kind, path, sink };
    return { kind, path, sink, report: await beside(report) };
  };

  try {
    const output = await openAll();
    const result = await write(output);
    for (const sink of opened) await sink.close();
    const total = written.reduce((sum, entry) => sum + entry.bytes, 0);
    return { result, written: kind === 'frames' ? [{ path, bytes: total }] : written };
  } catch (error) {
    for (const sink of opened) await sink.abort();
    throw error;
  }
}
