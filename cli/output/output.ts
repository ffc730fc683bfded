import { realpath } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { PliantError } from '../../src/error.ts';
import type { ByteSink, FolderSink, OutputFile, VerbReport } from '../../src/index.ts';
import { chooseFiles } from '../../src/io/choose-files.ts';
import { lapTimer } from '../../src/model/report.ts';
import { createFileSink, createFolderSink, nodeFiles } from '../../src/platform/node/index.ts';
import type { OutputFlags, ReportFlags } from '../flags/shared-flags.ts';
import { expandPaths } from '../input/inputs.ts';

/** What a verb writes, by kind. */
interface Sinks {
  /** A GLB may have an HTML page beside it. */
  glb: { sink: ByteSink; report?: ByteSink };
  abc: { sink: ByteSink };
  obj: { sink: ByteSink };
  png: { sink: ByteSink };
  apng: { sink: ByteSink };
  html: { sink: ByteSink };
  /** A cache has no triangles: its rest mesh is written beside it as OBJ, unless it is there already. */
  pc2: { sink: ByteSink; rest?: ByteSink };
  mdd: { sink: ByteSink; rest?: ByteSink };
  /** One OBJ, or one PNG, per frame. */
  frames: { folder: FolderSink };
}

/** Chosen by the output's name. */
export type OutputKind = keyof Sinks;

/** The open outputs of a verb. They appear under their names when all went well, and not at all otherwise. */
export type Output<K extends OutputKind = OutputKind> = { [P in K]: { kind: P } & Sinks[P] }[K];

/** The page that goes with `out.glb` when no other is named. */
const reportPath = (glb: string): string => glb.replace(/\.(glb|vrm)$/i, '.report.html');

/** An output that was named and is of a kind that its verb writes. */
export interface OutputPlan<K extends OutputKind = OutputKind> {
  path: string;
  kind: K;
  /** A page that goes with a file. */
  report?: string;
  /** Which files of a folder `--force` may replace [default frames]. */
  isOurs?: (name: string) => boolean;
  /** The rest mesh that goes with a cache. */
  rest?: string;
}

/** By extension; a name that ends in `/`, or that a folder has, is a folder of OBJs. `missing`: what to say without a path. */
export async function planOutput<K extends OutputKind>(
  operation: string,
  path: string | undefined,
  kinds: readonly K[],
  missing = missingOutput(kinds),
): Promise<OutputPlan<K>> {
  const names = kinds.map((kind) => (kind === 'frames' ? 'a folder ending in /' : `.${kind}`)).join(', ');
  const option = 'output';
  if (!path) throw new PliantError('bad-option', operation, missing);
  if (path === '-') {
    throw new PliantError('bad-option', operation, `stdout is not supported (got -, expected ${names})`, { option });
  }
  const isFolder = /[/\\]$/.test(path) || (await nodeFiles.kind(path)) === 'folder';
  // A VRM avatar is a GLB with extensions of its own, which editing keeps.
  const extension = isFolder ? 'frames' : extname(path).slice(1).toLowerCase().replace('vrm', 'glb');
  const kind = kinds.find((candidate) => candidate === extension);
  if (kind) return isCache(kind) ? { path, kind, rest: restPath(path) } : { path, kind };
  const what = isFolder ? 'is a folder' : 'unsupported output format';
  throw new PliantError('bad-option', operation, `${what} (expected ${names})`, { file: path });
}

function missingOutput(kinds: readonly OutputKind[]): string {
  const file = (['glb', 'png', 'html'] as const).find((kind) => kinds.includes(kind));
  return file ? `no output file: add -o out.${file}` : 'no output folder: add -o out/';
}

/** A GLB and, where it is wanted, its page. */
export async function planWithReport(
  operation: string,
  { output, report }: Pick<OutputFlags, 'output'> & ReportFlags,
): Promise<OutputPlan<'glb'>> {
  const plan = await planOutput(operation, output, ['glb']);
  if (typeof report === 'string' && !/\.html?$/i.test(report)) {
    const cause = `(got ${report || 'nothing'}, expected a name ending in .html)`;
    throw new PliantError('bad-option', operation, cause, { option: 'report' });
  }
  return report === false ? plan : { ...plan, report: report === true ? reportPath(plan.path) : report };
}

const isCache = (kind: OutputKind): kind is 'pc2' | 'mdd' => kind === 'pc2' || kind === 'mdd';

/** The rest mesh that accompanies a cache. */
const restPath = (path: string): string => path.replace(/\.(pc2|mdd)$/i, '.obj');

/**
 * Refuses inputs that are missing; and, even with `--force`, to write over a file that is read, or one twice. `inputs` are
 * files, folders, patterns.
 */
export async function requireFiles(
  operation: string,
  { path, report, rest }: OutputPlan,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  const read = new Set<string>();
  const named = inputs.filter((input) => input !== undefined);
  for (const input of await expandPaths(operation, named)) {
    const kind = await nodeFiles.kind(input);
    if (kind === 'missing') throw new PliantError('not-found', operation, 'no such file or folder', { file: input });
    const { main, cache } = kind === 'folder' ? await chooseFiles(nodeFiles, [input]) : { main: [], cache: undefined };
    for (const file of [input, ...main, ...(cache ? [cache] : [])]) {
      const real = await realpath(file).catch(() => undefined);
      if (real !== undefined) read.add(real);
    }
  }
  const written = new Set<string>();
  for (const file of [path, report, rest]) {
    if (file === undefined) continue;
    const real = await realpath(file).catch(() => resolve(file));
    const clash = read.has(real) ? 'is also an input' : written.has(real) ? 'is written twice' : undefined;
    if (clash) throw new PliantError('bad-option', operation, `${clash} (expected another name)`, { file });
    written.add(real);
  }
}

/** Counts what passes. */
function counting(path: string, sink: ByteSink, written: OutputFile[]): ByteSink {
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
export async function withOutput<K extends OutputKind, T>(
  { path, kind, report, rest, isOurs }: OutputPlan<K>,
  force: boolean,
  write: (output: Output<K>) => Promise<T>,
): Promise<{ result: T; written: OutputFile[] }> {
  const written: OutputFile[] = [];
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
  const beside = async (name: string | undefined) => (name === undefined ? undefined : await file(name));
  const openAll = async (): Promise<object> =>
    kind === 'frames'
      ? { kind, folder: await folder() }
      : { kind, sink: await file(path), report: await beside(report), rest: await beside(rest) };

  try {
    const output = (await openAll()) as Output<K>;
    const result = await write(output);
    for (const sink of opened) await sink.close();
    const total = written.reduce((sum, entry) => sum + entry.bytes, 0);
    return { result, written: kind === 'frames' ? [{ path, bytes: total }] : written };
  } catch (error) {
    for (const sink of opened) await sink.abort();
    throw error;
  }
}

/** Writes the page of a verb, where one was asked for, and adds the time to the report. */
export async function writePage(
  { report: page }: Output<'glb'>,
  { seconds }: VerbReport,
  makePage: () => Promise<string>,
): Promise<void> {
  if (!page) return;
  const lap = lapTimer(seconds);
  await page.write(new TextEncoder().encode(await makePage()));
  lap('report page');
}
