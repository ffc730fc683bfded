import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memorySource, NO_FILES } from '../../src/io/files.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import type { TileRunner } from '../../src/kernels/tiles.ts';
import type { Asset } from '../../src/model/asset.ts';
import { redisAddress } from '../../src/platform/node/queue/address.ts';
import { openQueue, queueTiles } from '../../src/platform/node/queue/queue-client.ts';
import { queueName } from '../../src/platform/node/queue/queue-job.ts';
import { BlobStore } from '../../src/platform/node/queue/store.ts';
import { lightBake } from '../../src/verbs/light-bake.ts';
import { ended, MAIN, newFolder } from '../cli/pliant.ts';
import { smallFigure } from '../light/small-figure.ts';
import { describeWithRedis, SECRET, startRedis, startWire, startWorker, type TestWorker } from './redis.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** A folder of one megabyte, where the system lets us make one. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}

describeWithRedis('light over a queue', (program) => {
  const desk = newFolder();
  const workers: TestWorker[] = [];
  const disk = smallDisk();
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let wire: Awaited<ReturnType<typeof startWire>>;
  let queue: Queue;
  let lonely: ReturnType<typeof ended>;

  const OPTIONS = { poses: 10, rays: 256, spheres: 8, directions: 16, fit: false };
  let asset: Asset;
  const bake = async (seed: number, tiles?: TileRunner) =>
    (await lightBake(asset, { ...OPTIONS, seed, tiles, glb: {} })).file!;
  /** Over the queue, and the same in this thread. */
  const farBake = async (seed: number, url: string, store: string) => {
    const address = redisAddress(url, false, { PLIANT_REDIS_PASSWORD: SECRET });
    const tiles = queueTiles(await openQueue(address, await BlobStore.open(store), version));
    return bake(seed, tiles).finally(() => tiles.close());
  };
  const expectSame = async (seed: number, far: Uint8Array) =>
    expect(Buffer.compare(far, await bake(seed)), 'bytes differ').toBe(0);
  const begun = async () => {
    while ((await queue.getActiveCount()) === 0) await setTimeout(5);
  };
  const end = async () => {
    for (const worker of workers.splice(0)) await worker.kill();
  };

  beforeAll(async () => {
    const { bytes } = await writeModelGlb([smallFigure()]);
    writeFileSync(join(desk, 'figure.glb'), bytes);
    asset = await readGltf(memorySource('figure.glb', bytes), NO_FILES, 'figure.glb');
    // A port that nobody listens at: it tries for a while.
    const nowhere = [MAIN, 'worker', 'redis://127.0.0.1:1', '--store', join(desk, 'nowhere')];
    lonely = ended(spawn(process.execPath, nowhere, { cwd: desk }));
    redis = await startRedis(program);
    wire = await startWire(redis.port);
    const connection = { host: '127.0.0.1', port: redis.port, password: SECRET };
    queue = new Queue(queueName(version), { connection, prefix: 'pliant' });
  });
  afterAll(async () => {
    await end();
    await queue?.close();
    wire?.close();
    await redis?.kill();
    if (disk) execFileSync('umount', [disk]);
  });

  it('bakes the bytes of a thread, with workers that are lost and added', async () => {
    const store = join(desk, 'store');
    workers.push(await startWorker(redis.url, store, '--threads', '1'));
    const flags = Object.entries({ poses: 10, rays: 256, spheres: 8, directions: 16, queue: redis.url, store });
    const args = [MAIN, 'light', 'bake', 'figure.glb', '-o', 'far.glb', '--no-fit', '--no-report'];
    const env = { ...process.env, PLIANT_REDIS_PASSWORD: SECRET };
    const line = [...args, ...flags.map(([name, value]) => `--${name}=${value}`)];
    const far = ended(spawn(process.execPath, line, { cwd: desk, env }));
    await begun();
    await workers[0].kill();
    workers.push(await startWorker(wire.url, store, '--threads', '1'));
    expect(await far).toMatchObject({ status: 0 });
    await expectSame(1, readFileSync(join(desk, 'far.glb')));
  });

  it.each([{ dead: false }, { dead: true }])('waits while the network is cut (%o)', async ({ dead }) => {
    const seed = dead ? 3 : 2;
    const far = farBake(seed, wire.url, join(desk, 'store'));
    await begun();
    wire.cut();
    await setTimeout(2500); // past the lock of what is at work
    wire.mend({ dead });
    await expectSame(seed, await far);
  });

  it.skipIf(!disk)(
    'waits while the disk of the store is full (skipped where no small disk can be mounted)',
    async () => {
      const store = join(disk!, 'store');
      mkdirSync(store);
      await end();
      // What a lost worker had begun is for the store of before.
      await queue.obliterate({ force: true });
      const far = farBake(4, redis.url, store);
      // Filled once the inputs are there, before anyone can make a result of them.
      while ((await queue.getWaitingCount()) === 0) await setTimeout(5);
      const { bavail, bsize } = statfsSync(disk!);
      writeFileSync(join(disk!, 'filling'), Buffer.alloc(bavail * bsize));
      const worker = await startWorker(redis.url, store, '--threads', '1');
      workers.push(worker);
      while (!/waiting for room/.test(worker.printed())) await setTimeout(20);
      rmSync(join(disk!, 'filling'));
      await expectSame(4, await far);
      expect(worker.events.filter(({ state }) => state === 'failed')).toEqual([]);
      expect(readdirSync(join(store, 'part'))).toEqual([]);
    },
  );

  it('gives up where there is no Redis', async () => {
    expect(await lonely).toMatchObject({ status: 1, stderr: expect.stringMatching(/cannot reach Redis/) });
  });
});
