// Tracing poses of light in one thread, in two, and by two workers of a queue: seconds of the clock, the best of several turns
// that they take one after the other, because other work on the machine comes and goes. And how soon a job whose worker was
// killed is at work again. Needs redis-server.
//
//   node dist/bench/light-queue.js [--turns 5] [--poses 48] [--write]

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Queue, QueueEvents } from 'bullmq';
import { type TileRunner, tilesHere } from '../src/kernels/tiles.ts';
import { bakePoses } from '../src/light/bake-poses.ts';
import { TRACE_OPTIONS } from '../src/light/traced-pose.ts';
import { defaultsOf } from '../src/model/options.ts';
import { nodeTiles } from '../src/platform/node/index.ts';
import { redisAddress } from '../src/platform/node/queue/address.ts';
import { openQueue, queueTiles } from '../src/platform/node/queue/queue-client.ts';
import { queueName } from '../src/platform/node/queue/queue-job.ts';
import { BlobStore } from '../src/platform/node/queue/store.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { TILES } from '../src/tile-tasks.ts';
import { traceWith } from '../src/verbs/light-parts.ts';
import { fileModel } from './light-cases.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    turns: { type: 'string', default: '5' },
    poses: { type: 'string', default: '48' },
    write: { type: 'boolean', default: false },
  },
});
const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string };
const started: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));

/** Starts a program and resolves when it has printed something. */
function start(command: string, args: readonly string[], ready: RegExp): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => ready.test(text) && resolve(child));
    }
    child.on('error', reject);
  });
}

const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as { port: number };
    server.close(() => resolve(free));
  });
});
const url = `redis://127.0.0.1:${port}`;
const startWorker = () =>
  start(
    process.execPath,
    [`${ROOT}dist/cli/main.js`, 'worker', url, '--store', folder, '--threads', '1'],
    /waiting for jobs/,
  );

/** Seconds of the clock for tracing all poses. */
async function traceAll(tiles: TileRunner, seed: number): Promise<number> {
  const begun = performance.now();
  const options = { ...defaultsOf(TRACE_OPTIONS), rays: 512, seed };
  for await (const _ of traceWith(tiles)([model], parts, options, {}));
  return (performance.now() - begun) / 1000;
}

/** Seconds from the end of a worker until what it was at is at work elsewhere. */
async function restartTimes(times: number): Promise<number[]> {
  const connection = { host: '127.0.0.1', port };
  const queue = new Queue(queueName(version), { connection, prefix: 'pliant' });
  const events = new QueueEvents(queueName(version), { connection, prefix: 'pliant' });
  await events.waitUntilReady();
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    const victim = workers[0];
    // One job, so that nobody else has it; longer than all of this takes.
    const long = { ...defaultsOf(TRACE_OPTIONS), rays: 65_536, seed: 1000 + time };
    const controller = new AbortController();
    // The other worker stands still until the first has the job.
    workers[1].kill('SIGSTOP');
    const tiles = queueTiles(await openQueue(redisAddress(url), await BlobStore.open(folder), version));
    const run = (async () => {
      for await (const _ of traceWith(tiles)([model], parts.slice(0, 1), long, { signal: controller.signal }));
    })().catch(() => {});
    while ((await queue.getActiveCount()) === 0) await setTimeout(5);
    workers[1].kill('SIGCONT');
    await setTimeout(3000);
    const again = new Promise<number>((resolve) => events.once('active', () => resolve(performance.now())));
    const killed = performance.now();
    victim.kill('SIGKILL');
    found.push(((await again) - killed) / 1000);
    // Its heir is ended as well: nobody needs what it makes.
    workers[1].kill('SIGKILL');
    controller.abort();
    await run;
    await tiles.close();
    await queue.obliterate({ force: true });
    workers.splice(0, 2, await startWorker(), await startWorker());
  }
  await events.close();
  await queue.close();
  return found.sort((a, b) => a - b);
}

const man = await fileModel('gltf/CesiumMan.glb', ['bvh/02_01.bvh', 'bvh/05_02.bvh']);
const model = man ?? sampleFigure(2000, 24, 24);
const parts = bakePoses([model], Number(flags.poses), 1).map((pose) => pose.parts);
await start(
  'redis-server',
  ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  /Ready to accept/,
);
const workers = [await startWorker(), await startWorker()];
const far = queueTiles(await openQueue(redisAddress(url), await BlobStore.open(folder), version));
const runners: [string, TileRunner][] = [
  ['one thread', tilesHere(TILES)],
  ['two threads', nodeTiles(2)],
  ['queue, two workers', far],
];
const best = runners.map(() => Infinity);
for (let turn = 0; turn <= Number(flags.turns); turn++) {
  for (const [r, [name, tiles]] of runners.entries()) {
    const seconds = await traceAll(tiles, 10 * turn + r);
    // The first turn starts threads and reads blobs.
    if (turn > 0) best[r] = Math.min(best[r], seconds);
    console.error(turn, name, seconds.toFixed(2));
  }
}
for (const [, tiles] of runners) await tiles.close();
const lost = await restartTimes(5);
for (const child of started) child.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });

const [one, two, queued] = best;
const rows = runners.map(([name], r) => [name, best[r].toFixed(2)]);
const text = `${markdownTable(['', 'seconds'], rows)}

Two threads against one: ${(one / two).toFixed(2)} ×. The queue's two workers against two threads: ${(queued / two).toFixed(2)} × the time.

A job whose worker was killed (−9) was at work elsewhere after ${lost.map((s) => s.toFixed(1)).join(', ')} s.`;
console.log(text);
if (flags.write) {
  const about = `${man ? 'CesiumMan, 2,338 vertices' : 'A generated figure'}, ${flags.poses} poses, 512 rays: seconds of the clock, the best of ${flags.turns} turns. ${machine()}. Written by \`node dist/bench/light-queue.js --write\`.`;
  writeResults('light-queue', `# Light over a queue\n\n${about}\n\n${text}`);
}
