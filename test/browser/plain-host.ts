import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { StudioServer } from '../../cli/studio-server.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a folder below a path and nothing else, with no header but the type: as hosts of static pages do. */
export async function servePlainly(folder: string, path: string): Promise<StudioServer> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pathname.startsWith(path) ? pathname.slice(path.length) || 'index.html' : undefined;
    const body = name === undefined ? undefined : await readFile(join(folder, name)).catch(() => undefined);
    if (!body) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': TYPES[extname(name!)] ?? 'application/octet-stream' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  };
}
