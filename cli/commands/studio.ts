import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { OptionSpecs } from '../../src/index.ts';
import { kindByName } from '../../src/io/sniff.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { plural } from '../../src/report/format.ts';
import { addFlags } from '../flags/flags.ts';
import { withExamples } from '../flags/help.ts';
import { expandPaths } from '../input/inputs.ts';
import { type OfferedFile, serveStudio } from '../studio-server.ts';
import type { GlobalFlags } from '../terminal/session.ts';

/** Where the build puts the studio, seen from the compiled command. */
const STUDIO = fileURLToPath(new URL('../../studio', import.meta.url));

/** Browsers keep recent work by address: it should not change from day to day. */
const USUAL_PORT = 4737;

const STUDIO_OPTIONS = {
  port: {
    type: 'number',
    default: 0,
    min: 0,
    max: 65535,
    integer: true,
    description: `port to serve on; 0: ${USUAL_PORT} if it is free, which keeps recent work, otherwise any`,
  },
} as const satisfies OptionSpecs;

/** The files of a folder, by paths below its name; or a file, with what may belong to it. */
async function offeredFiles(path: string): Promise<OfferedFile[]> {
  const kind = await nodeFiles.kind(path);
  if (kind === 'missing') throw new PliantError('not-found', 'studio', 'no such file or folder', { file: path });
  if (kind === 'folder') {
    const folder = basename(resolve(path));
    return (await filesIn(path)).map((name) => ({ path: `${folder}/${name}`, file: join(path, name) }));
  }
  const own = { path: basename(path), file: path };
  if (kindByName(path) !== 'gltf') return [own];
  const named = (await filesNamedBy(path)).map((name) => ({ path: name, file: join(dirname(path), name) }));
  return [own, ...named];
}

/** The buffers and pictures that a glTF file names, if they are there. What is missing or wrong, the page reports. */
async function filesNamedBy(path: string): Promise<string[]> {
  const json = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Record<string, unknown>;
  const uris = ['buffers', 'images'].flatMap((list) =>
    ((json[list] ?? []) as { uri?: unknown }[]).map(({ uri }) => uri),
  );
  const names = uris.filter((uri) => typeof uri === 'string').map(decodeURIComponent);
  const own = [...new Set(names)].filter((name) => !/^[a-z]+:/i.test(name));
  const kinds = await Promise.all(own.map((name) => nodeFiles.kind(join(dirname(path), name))));
  return own.filter((_, n) => kinds[n] === 'file');
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);

/** Asks the system to show an address; where it cannot, the address on the terminal has to do. */
function openInBrowser(url: string): void {
  const [command, args] =
    process.platform === 'win32'
      ? ['cmd', ['/c', 'start', '', url]]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', [url]];
  spawn(command as string, args as string[], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

interface Flags extends GlobalFlags {
  port?: number;
  open: boolean;
}

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Serves the studio on localhost and opens it in the browser. Everything runs in the page; files never leave your ' +
        'machine. Press Ctrl-C to stop.',
    )
    .argument('[files...]', 'files or folders to open');
  addFlags(command, STUDIO_OPTIONS)
    .option('--no-open', 'print the address without opening a browser')
    .action(async (files: string[], _flags: object, self: Command) => {
      const { port, open, json } = self.optsWithGlobals<Flags>();
      const paths = files.length > 0 ? await expandPaths('studio', files) : [];
      const offered = (await Promise.all(paths.map(offeredFiles))).flat();
      const server = port
        ? await serveStudio(STUDIO, offered, port)
        : await serveStudio(STUDIO, offered, USUAL_PORT).catch(() => serveStudio(STUDIO, offered));
      const told = offered.length > 0 ? ` with ${plural(offered.length, 'file')}` : '';
      process.stdout.write(
        json
          ? `${JSON.stringify({ url: server.url })}\n`
          : `Studio running at ${server.url}${told}. Press Ctrl-C to stop.\n`,
      );
      if (open) openInBrowser(server.url);
      if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      await server.close();
    });
  withExamples(command, [
    ['pliant studio', 'opens the studio; samples are built in'],
    ['pliant studio cloth/ figure.glb', 'opens a folder of frames and a rig, each in a tab'],
  ]);
}
