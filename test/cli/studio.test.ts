import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StudioServer, serveStudio } from '../../cli/studio-server.ts';
import { expectRefusal } from '../refusal.ts';
import { ended, newDesk, pliant, startPliant } from './pliant.ts';

/** A request as it is, with nothing tidied up on the way. */
function ask(
  url: string,
  path: string,
  { host, method = 'GET' }: { host?: string; method?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { Host: host };
    request({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the server of the studio', () => {
  const outside = mkdtempSync(join(tmpdir(), 'pliant-outside-'));
  const folder = mkdtempSync(join(tmpdir(), 'pliant-served-'));
  let server: StudioServer;
  beforeAll(async () => {
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    writeFileSync(join(outside, 'mesh.obj'), 'v 0 0 0\n');
    writeFileSync(join(folder, 'index.html'), '<!doctype html>page');
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    symlinkSync(outside, join(folder, 'linked'));
    server = await serveStudio(folder, [{ path: 'a/mesh.obj', file: join(outside, 'mesh.obj') }]);
  });
  afterAll(() => server.close());

  it('serves the page on the loopback address, isolated and with a strict policy', async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?files=[\w-]+$/);
    const { status, headers, body } = await ask(server.url, '/?files=x');
    expect([status, body]).toEqual([200, '<!doctype html>page']);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%5csecret.txt',
    '/....//secret.txt',
    `${outside}/secret.txt`,
    `/${outside}/secret.txt`,
    `/%2f${outside.slice(1)}/secret.txt`,
    'http://elsewhere/index.html',
    '/link.txt',
    '/linked/secret.txt',
    '/linked/',
    '/%252e%252e/secret.txt',
    '/..%252fsecret.txt',
    '/..\\secret.txt',
    '/assets/../../secret.txt',
    '/./index.html',
    '//index.html',
    '/INDEX.HTML',
    '/index.html;/../secret.txt',
    '/file:///etc/passwd',
    '/C:\\Windows\\win.ini',
    '/\u{ff0e}\u{ff0e}/secret.txt'.replace(/[^ -~]/g, encodeURIComponent),
    '/index.html/',
    '/index.html%00.js',
    '/given/',
    '/given/mesh.obj',
    '/constructor',
    '/__proto__',
  ])('has nothing at %s', async (path) => {
    const { status, body } = await ask(server.url, path);
    expect([status, body]).toEqual([404, 'not found\n']);
  });

  it('answers only to its own name, and only reads', async () => {
    const { port } = new URL(server.url);
    expect((await ask(server.url, '/', { host: 'evil.example' })).status).toBe(403);
    expect((await ask(server.url, '/', { host: `evil.example:${port}` })).status).toBe(403);
    expect((await ask(server.url, '/', { host: '127.0.0.1' })).status).toBe(403);
    expect((await ask(server.url, '/', { host: `localhost:${port}` })).status).toBe(200);
    expect((await ask(server.url, '/', { host: `127.0.0.1.evil.example:${port}` })).status).toBe(403);
    expect((await ask(server.url, '/', { host: `LOCALHOST.:${port}` })).status).toBe(403);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const { status, headers } = await ask(server.url, '/', { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
    const { status, headers, body } = await ask(server.url, '/', { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, '19', '']);
  });

  it('survives what is no request', async () => {
    const { hostname, port } = new URL(server.url);
    for (const nonsense of [
      'GET / HTTP/1.0\r\n\r\n',
      'CONNECT 127.0.0.1:80 HTTP/1.1\r\n\r\n',
      '\0\0\0\r\n\r\n',
      'GET ',
    ]) {
      await new Promise<void>((done) => {
        const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(nonsense));
        let answer = '';
        socket.on('data', (bytes) => {
          answer += String(bytes);
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          expect(answer).not.toContain('200 OK');
          done();
        });
      });
    }
    expect((await ask(server.url, '/')).status).toBe(200);
  });

  it('cannot be reached from other machines', async () => {
    const { port } = new URL(server.url);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((place) => place?.family === 'IPv4' && !place.internal)
      .map((place) => place!.address);
    for (const host of ['127.0.0.2', ...others]) {
      const refused = new Promise((done) => {
        connect({ host, port: Number(port) })
          .on('connect', () => done(false))
          .on('error', () => done(true));
      });
      expect(await refused, host).toBe(true);
    }
  });

  it('offers named files under names that nobody can guess', async () => {
    const list = new URL(server.url).searchParams.get('files');
    const [{ path, address }] = JSON.parse((await ask(server.url, `/given/${list}`)).body);
    expect(path).toBe('a/mesh.obj');
    expect(address).toMatch(/^given\/[0-9a-f-]{36}$/);
    expect((await ask(server.url, `/${address}`)).body).toBe('v 0 0 0\n');
  });

  it('says when the studio is not built, or the port is taken', async () => {
    await expectRefusal(serveStudio(join(folder, 'nowhere'), []), 'not-found');
    const port = Number(new URL(server.url).port);
    await expectRefusal(serveStudio(folder, [], port), 'bad-option', { option: 'port', values: [port] });
  });
});

describe('pliant studio', () => {
  it('serves the built studio with the files named, until Ctrl-C', async () => {
    const { folder } = newDesk();
    writeFileSync(join(folder, 'one.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    // Of the files beside a glTF file, those that it names.
    const gltf = {
      asset: { version: '2.0' },
      buffers: [{ uri: 'my%20cloth.bin' }, { uri: 'data:,' }, { uri: 'gone.bin' }],
    };
    writeFileSync(join(folder, 'cloth.gltf'), JSON.stringify(gltf));
    for (const name of ['my cloth.bin', 'other.bin', 'notes.txt']) writeFileSync(join(folder, name), '');
    const child = startPliant(['studio', 'one.obj', 'cloth.gltf', '--no-open', '--json'], folder);
    const outcome = ended(child);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (text) => resolve(JSON.parse(String(text)).url));
      child.on('close', () => reject(new Error('ended early')));
    });
    expect((await ask(url, '/')).body).toContain('Pliant Studio');
    const list = new URL(url).searchParams.get('files');
    expect(JSON.parse((await ask(url, `/given/${list}`)).body)).toMatchObject(
      ['one.obj', 'cloth.gltf', 'my cloth.bin'].map((path) => ({ path })),
    );
    child.kill('SIGINT');
    expect(await outcome).toMatchObject({ status: 0, stderr: '' });
  });

  it('refuses what is not there', () => {
    const { status, stderr } = pliant(['studio', 'nothing.glb', '--no-open']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^pliant: nothing\.glb: .*\n$/)]);
    expect(pliant(['studio', '--port', '70000']).status).toBe(2);
  });
});
