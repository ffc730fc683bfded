import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { findRedis } from '../../scripts/redis.mjs';

/** A real Redis and real workers, for tests. */

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Never to be seen in anything that is printed. */
export const SECRET = 'a-secret-7d1f';

/** A `describe` whose tests have a redis-server. Without one they are skipped and say so; when `CI` is set they fail. */
export function describeWithRedis(title: string, tests: (program: string) => void): void {
  const program = findRedis();
  if (program) describe(title, () => tests(program));
  else if (process.env.CI) {
    it(title, () => {
      throw new Error('no redis-server, and tests of the queue must not be skipped when CI is set');
    });
  } else {
    describe.skip(`${title} (skipped: no redis-server found; install it or set PLIANT_REDIS_SERVER)`, () => tests(''));
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a Redis that forgets everything when it ends. */
export async function startRedis(program: string, given?: number) {
  const port = given ?? (await freePort());
  const dir = mkdtempSync(join(tmpdir(), 'pliant-redis-'));
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir].map(String);
  const child = spawn(program, [...args, '--requirepass', SECRET], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.add(child);
  await until(child, /Ready to accept connections/);
  return { port, url: `redis://127.0.0.1:${port}`, kill: () => killed(child) };
}

/** A wire to a port of this machine that can be cut: what is sent meanwhile arrives later, or never. */
export async function startWire(port: number) {
  const pairs = new Set<[Socket, Socket]>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as [Socket, Socket][]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
      if (isCut) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    cut() {
      isCut = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    /** Connections go on, or are found to be dead. */
    mend({ dead = false } = {}) {
      isCut = false;
      for (const pair of pairs) for (const socket of pair) dead ? socket.destroy() : socket.resume();
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}

/** Ends a process as a power cut would. */
function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.on('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Resolves when a child has printed something. */
function until(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        if (pattern.test(text)) resolve();
      });
    }
    child.on('exit', () => reject(new Error(`it ended: ${text}`)));
  });
}

export interface TestWorker {
  /** What it has told of jobs so far. */
  events: { task: string; state: string; job: string; error?: { code: string } }[];
  /** All that it has printed. */
  printed(): string;
  kill(): Promise<void>;
  /** Asks it to stop; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a worker, and resolves when it waits for jobs. */
export async function startWorker(url: string, store: string, ...flags: string[]): Promise<TestWorker> {
  const child = spawn(process.execPath, [MAIN, 'worker', url, '--store', store, '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PLIANT_REDIS_PASSWORD: SECRET },
  });
  started.add(child);
  const events: TestWorker['events'] = [];
  let printed = '';
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) events.push(JSON.parse(line));
  });
  await until(child, /waiting for jobs/);
  return {
    events,
    printed: () => printed,
    kill: () => killed(child),
    stop: () =>
      new Promise((resolve) => {
        child.on('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}
