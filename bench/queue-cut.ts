// The network is cut for a minute while light is baked over a queue: what is noticed, how soon it goes on, whether a job is done
// twice, and whether the bytes are those of threads. Redis is behind a wire of TCP that stands still. Needs redis-server.
//
//   node dist/bench/queue-cut.js [--seconds 60] [--write]

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { realData } from './data.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, write: { type: 'boolean', default: false } },
});
const { findRedis } = (await import(`${ROOT}scripts/redis.mjs`)) as { findRedis(): string | undefined };
const program = findRedis();
const figure = realData('gltf/CesiumMan.glb');
if (!program || !figure) throw new Error('needs redis-server (or PLIANT_REDIS_SERVER), and CesiumMan.glb');
const MAIN = `${ROOT}dist/cli/main.js`;
const BAKE = ['light', 'bake', figure, '--no-report', '--poses', '32', '--rays', '256'];
/** Jobs that are done before the cut. */
const BEFORE = 6;
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** A wire to a port: cut, nothing arrives and nobody is told; mended, its connections go on or are found dead. */
async function wireTo(port: number) {
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const pairs: [Socket, Socket][] = [
      [near, far],
      [far, near],
    ];
    for (const [from, to] of pairs) {
      ends.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        ends.delete(from);
        to.destroy();
      });
      if (isCut) from.pause();
    }
  });
  let isCut = false;
  return {
    port: await listening(server),
    cut() {
      isCut = true;
      for (const end of ends) end.pause();
    },
    mend(dead: boolean) {
      isCut = false;
      for (const end of ends) dead ? end.destroy() : end.resume();
    },
  };
}

/** One cut. `all`: of both workers, or of one; the verb is always cut off. */
async function cutOnce(name: string, all: boolean, dead: boolean): Promise<string[]> {
  const free = createServer();
  const port = await listening(free);
  await new Promise((done) => free.close(done));
  const redis = spawn(program!, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]);
  await new Promise<void>((ready) => redis.stdout.on('data', (text) => /Ready to accept/.test(`${text}`) && ready()));
  const wire = await wireTo(port);
  const [wired, direct] = [wire.port, port].map((at) => `redis://127.0.0.1:${at}`);
  const store = join(folder, name);
  const made = new Map<string, number>();
  let [failed, noticed, done] = [0, 0, 0];
  const worker = (url: string) => {
    const args = [MAIN, 'worker', url, '--store', store, '--json', '--threads', '1'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { job, state } = JSON.parse(line) as { job: string; state: string };
        done++;
        if (state === 'done') made.set(job, (made.get(job) ?? 0) + 1);
        if (state === 'failed') failed++;
      }
    });
    child.stderr.on('data', (text) => {
      if (/Redis is away/.test(`${text}`) && noticed === 0) noticed = performance.now();
    });
    return child;
  };
  const workers = [worker(wired), worker(all ? wired : direct)];
  const bake = spawn(process.execPath, [MAIN, ...BAKE, '-o', `${store}.glb`, '--queue', wired, '--store', store]);
  const exit = new Promise<number | null>((resolve) => bake.on('exit', resolve));
  while (done < BEFORE) await setTimeout(20);
  wire.cut();
  const cut = performance.now();
  await setTimeout(1000 * Number(flags.seconds));
  const during = done - BEFORE;
  wire.mend(dead);
  const mended = performance.now();
  const before = done;
  while (done === before && bake.exitCode === null) await setTimeout(20);
  const again = performance.now() - mended;
  const status = await exit;
  for (const child of [...workers, redis]) child.kill('SIGKILL');
  const near = join(folder, 'near.glb');
  execFileSync(process.execPath, [MAIN, ...BAKE, '-o', near, '--force'], { stdio: 'ignore' });
  const same = status === 0 && readFileSync(`${store}.glb`).equals(readFileSync(near));
  const twice = [...made.values()].filter((times) => times > 1).length;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  return [
    `${all ? 'verb and both workers' : 'verb and one of two workers'}, ${dead ? 'connections dead' : 'connections go on'}`,
    noticed > 0 ? seconds(noticed - cut) : 'never',
    `${during}`,
    seconds(again),
    `${made.size}`,
    `${twice}`,
    `${failed}`,
    same ? 'yes' : 'no',
  ];
}

const rows: string[][] = [];
for (const [name, all, dead] of [
  ['silent', true, false],
  ['dead', false, true],
] as const) {
  rows.push(await cutOnce(name, all, dead));
  console.error(rows.at(-1)!.join(' | '));
}
rmSync(folder, { recursive: true, force: true });
const titles = [
  '',
  'noticed after, s',
  'jobs meanwhile',
  'next job after, s',
  'jobs in all',
  'twice',
  'failed',
  'same bytes',
];
const about = `\`light bake --queue\` of CesiumMan, 32 poses, 256 rays, two workers of a thread; between them and Redis nothing passes for
${flags.seconds} seconds, after ${BEFORE} jobs. "Same bytes": as a bake in threads. ${machine()}. Written by \`node dist/bench/queue-cut.js --write\`.`;
const text = `# A cut of the network\n\n${about}\n\n${markdownTable(titles, rows)}`;
console.log(text);
if (flags.write) writeResults('queue-cut', text);
