import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { PliantError } from '../src/error.ts';

/** A file that the page may read. */
export interface OfferedFile {
  /** As the page is to know it, `/` between parts. */
  path: string;
  /** Where it is. */
  file: string;
}

export interface StudioServer {
  /** Where the page is, with the list of files that it opens. */
  url: string;
  close(): Promise<void>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline; WebAssembly is compiled from bytes that the scripts hold. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  // The transcoder of KTX2 pictures is put together by three.js.
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  // Cross-origin isolated: threads may share memory.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** What an address answers with. */
type Answer = { file: string; type: string } | { json: string };

/**
 * Serves the studio on the loopback address, to this machine alone. Which addresses exist is settled before the first
 * request: the files of the built studio by their names, and the offered ones under names that nobody can guess. A
 * request is looked up among them and never becomes a path, so that there is nothing to climb out of.
 */
export async function serveStudio(folder: string, offered: readonly OfferedFile[], port = 0): Promise<StudioServer> {
  const answers = await studioFiles(folder);
  const list = offerFiles(answers, offered);
  const server = createServer((request, response) => answer(answers, hostOf(server), request, response));
  await listen(server, port);
  const query = list === undefined ? '' : `?files=${list}`;
  return {
    url: `http://${hostOf(server)}/${query}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Address → file, for every regular file of the built studio; links are not followed. */
async function studioFiles(folder: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const address = `/${file.slice(join(folder, '/').length).replaceAll('\\', '/')}`;
    answers.set(address, { file, type: TYPES[extname(entry.name)] ?? 'application/octet-stream' });
  }
  const page = answers.get('/index.html');
  if (!page) throw new PliantError('not-found', 'studio', 'the studio is not built (run npm run build)');
  return answers.set('/', page);
}

/** Adds the offered files under random names, and their list, whose name is returned. */
function offerFiles(answers: Map<string, Answer>, offered: readonly OfferedFile[]): string | undefined {
  if (offered.length === 0) return undefined;
  const list = offered.map(({ path, file }) => {
    const address = `given/${randomUUID()}`;
    answers.set(`/${address}`, { file, type: 'application/octet-stream' });
    return { path, address };
  });
  const name = randomUUID();
  answers.set(`/given/${name}`, { json: JSON.stringify(list) });
  return name;
}

async function answer(
  answers: ReadonlyMap<string, Answer>,
  host: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, text: string, headers = {}) => {
    response
      .writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8', ...headers })
      .end(`${text}\n`);
  };
  // A page elsewhere can make its own name point to this machine, but then says that name.
  const asked = request.headers.host ?? '';
  if (asked !== host && asked !== host.replace('127.0.0.1', 'localhost')) return refuse(403, 'wrong host');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(405, 'only GET and HEAD', { Allow: 'GET, HEAD' });
  }
  const found = answers.get((request.url ?? '').split(/[?#]/)[0]);
  if (!found) return refuse(404, 'not found');
  if ('json' in found) {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'application/json' }).end(found.json);
    return;
  }
  const size = await stat(found.file).then(
    (facts) => (facts.isFile() ? facts.size : undefined),
    () => undefined,
  );
  if (size === undefined) return refuse(404, 'the file is gone');
  response.writeHead(200, { ...HEADERS, 'Content-Type': found.type, 'Content-Length': size });
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(found.file)
      .on('error', () => response.destroy())
      .pipe(response);
}

const hostOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code ?? error.message})`;
      fail(new PliantError('bad-option', 'studio', `${port} ${cause}`, { option: 'port' }));
    });
    server.listen(port, '127.0.0.1', done);
  });
}
