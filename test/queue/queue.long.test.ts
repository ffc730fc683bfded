import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { type Tile, tilesHere } from '../../src/kernels/tiles.ts';
import { redisAddress } from '../../src/platform/node/queue/address.ts';
import { openQueue, type QueueClient, queueTiles } from '../../src/platform/node/queue/queue-client.ts';
import { keyOf, type QueueJob, queueName } from '../../src/platform/node/queue/queue-job.ts';
import { BlobStore } from '../../src/platform/node/queue/store.ts';
import { TILES } from '../../src/tile-tasks.ts';
import { ended, MAIN, newFolder } from '../cli/pliant.ts';
import { expectRefusal } from '../refusal.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';
import { describeWithRedis, SECRET, startRedis, startWorker, type TestWorker } from './redis.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

async function all(tiles: AsyncIterable<Tile>): Promise<Uint8Array[]> {
  const made: Uint8Array[] = [];
  for await (const { index, bytes } of tiles) made[index] = bytes;
  return made;
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await setTimeout(20);
};

describeWithRedis('the queue', (program) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-queue-'));
  const workers: TestWorker[] = [];
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let store: BlobStore;
  let bytes: Uint8Array;
  const clients: QueueClient[] = [];
  const connect = async () => {
    const client = await openQueue(redisAddress(redis.url, false, { PLIANT_REDIS_PASSWORD: SECRET }), store, version);
    clients.push(client);
    return client;
  };
  const openDirectly = () =>
    new Queue(queueName(version), {
      connection: { host: '127.0.0.1', port: redis.port, password: SECRET },
      prefix: 'pliant',
    });
  const states = () => workers.flatMap(({ events }) => events.map(({ state }) => state));

  beforeAll(async () => {
    const rig = randomRig({ seed: 5, vertices: 8000 });
    const poses = Array.from({ length: 40 }, (_, seed) => randomPose(rig, { seed }));
    const transforms = Float32Array.from(poses.flatMap((pose) => [...pose]));
    const clip = { name: 'all', times: Float64Array.from(poses, (_, k) => k), transforms };
    ({ bytes } = await writeModelGlb({ ...rig, clips: [clip] }));
    redis = await startRedis(program);
    store = await BlobStore.open(folder);
    workers.push(...(await Promise.all([0, 1].map(() => startWorker(redis.url, folder, '--threads', '1')))));
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    for (const worker of workers) await worker.kill();
    await redis?.kill();
  });

  /** Tiles of many frames take a while, so that a worker can be lost in the midst of one. */
  const jobs = (operator: string) => Array.from({ length: 6 }, (_, begin) => ({ begin, frames: 34, operator }));
  const expectSame = async (made: Uint8Array[], operator: string) => {
    const expected = await all(tilesHere(TILES).run('skin', [{ bytes }], jobs(operator)));
    expect(made.map((tile, i) => Buffer.compare(tile, expected[i]))).toEqual(jobs(operator).map(() => 0));
  };

  it('makes the bytes of the calling thread, also when a worker is killed', async () => {
    const tiles = queueTiles(await connect());
    const run = all(tiles.run('skin', [{ bytes }], jobs('lbs')));
    const queue = openDirectly();
    while ((await queue.getActiveCount()) < 2) await setTimeout(5);
    await workers[0].kill();
    await queue.close();
    await expectSame(await run, 'lbs');
    // All is there: nothing is asked of anybody.
    const before = states().length;
    await expectSame(await all(tiles.run('skin', [{ bytes }], jobs('lbs'))), 'lbs');
    expect(states()).toHaveLength(before);
  });

  it('goes on when Redis is gone and back with nothing in it, with a worker that comes later', async () => {
    const tiles = queueTiles(await connect());
    const made: Uint8Array[] = [];
    let restarted = false;
    for await (const tile of tiles.run('skin', [{ bytes }], jobs('dqs'))) {
      made[tile.index] = tile.bytes;
      if (restarted) continue;
      restarted = true;
      await redis.kill();
      redis = await startRedis(program, redis.port);
      workers.push(await startWorker(redis.url, folder, '--threads', '1'));
    }
    await expectSame(made, 'dqs');
  });

  it('does what two ask for once', async () => {
    const runs = await Promise.all([1, 2].map(async () => queueTiles(await connect())));
    const before = states().length;
    const made = await Promise.all(runs.map((tiles) => all(tiles.run('skin', [{ bytes }], jobs('sdqs')))));
    for (const each of made) await expectSame(each, 'sdqs');
    expect(
      states()
        .slice(before)
        .filter((state) => state === 'done'),
    ).toHaveLength(6);
  });

  it('tells of jobs that fail, makes damaged results again, and leaves nothing when it is left', async () => {
    const client = await connect();
    const tiles = queueTiles(client);
    const run = (job: unknown) => all(tiles.run('skin', [{ bytes }], [job]));
    await expectRefusal(run({ begin: 999 }), 'not-found', { values: [999] });
    // Checked before anything is sent.
    await expectRefusal(run({ begin: -1 }), 'bad-option', { option: 'begin' });

    const input = (await store.put(bytes)).hash;
    const data = { task: 'skin', inputs: [input], job: { version: 1, job: jobs('lbs')[0] } };
    const { hash } = await client.make(data);
    writeFileSync(store.pathOf(hash), Buffer.alloc((await store.size(hash))!));
    await expectSame(await all(tiles.run('skin', [{ bytes }], jobs('lbs'))), 'lbs');

    const controller = new AbortController();
    const left = async () => {
      const many = Array.from({ length: 40 }, (_, i) => ({
        begin: i,
        model: 0,
        operator: 'dib' as const,
        frames: 1,
      }));
      for await (const _ of tiles.run('skin', [{ bytes }], many, { signal: controller.signal })) controller.abort();
    };
    await expectRefusal(left(), 'cancelled');
    const queue = openDirectly();
    expect(await queue.getWaitingCount()).toBe(0);
    await queue.close();
  });

  it('does nothing that is not in its table, and goes on', async () => {
    const queue = openDirectly();
    const input = (await store.put(bytes)).hash;
    const other = (await store.put(Uint8Array.of(1, 2, 3))).hash;
    writeFileSync(store.pathOf(other), 'no');
    const bad: [data: unknown, code: string, key?: string][] = [
      [{ task: 'skin', inputs: ['../../../etc/passwd'], job: {} }, 'bad-option'],
      [{ task: 'skin', inputs: [input], job: { version: 1, job: {} } }, 'bad-option', 'f'.repeat(64)],
      [{ task: 'constructor', inputs: [], job: {} }, 'bad-option'],
      [{ task: 'eval', inputs: [], job: 'process.exit()' }, 'bad-option'],
      ['no job', 'bad-option'],
      [{ task: 'skin', inputs: [input], job: { version: 2, job: {} } }, 'unsupported'],
      [{ task: 'skin', inputs: [input], job: { version: 1, job: { frames: 1e9 } } }, 'bad-option'],
      [{ task: 'skin', inputs: [input, input], job: { version: 1, job: {} } }, 'bad-input'],
      [{ task: 'skin', inputs: [other], job: { version: 1, job: {} } }, 'bad-file'],
      [
        { task: 'verb', inputs: [input], job: { words: ['worker'], input: 'a', output: 'b', flags: [], files: ['a'] } },
        'bad-option',
      ],
      [
        {
          task: 'verb',
          inputs: [input],
          job: { words: ['skin'], input: '../a', output: 'b.abc', flags: [], files: ['../a'] },
        },
        'bad-option',
      ],
      [
        {
          task: 'verb',
          inputs: [input],
          job: { words: ['skin'], input: 'a.glb', output: 'b.abc', flags: [['--output', '/tmp/x']], files: ['a.glb'] },
        },
        'bad-option',
      ],
      [
        {
          task: 'verb',
          inputs: [input],
          job: {
            words: ['weights'],
            input: 'a.glb',
            output: 'b.glb',
            flags: [['--skeleton', '/etc/passwd']],
            files: ['a.glb'],
          },
        },
        'bad-option',
      ],
    ];
    const ids: string[] = [];
    for (const [data, , key = keyOf(version, data as QueueJob)] of bad) {
      ids.push(key);
      await queue.add('anything', data, { jobId: key });
    }
    const told = () => workers.flatMap(({ events }) => events.filter(({ job }) => ids.includes(job)));
    await until(() => told().length >= bad.length);
    const codes = Object.fromEntries(told().map(({ job, error }) => [job, error?.code]));
    expect(ids.map((id) => codes[id])).toEqual(bad.map(([, code]) => code));
    await queue.close();
    await expectSame(await all(queueTiles(await connect()).run('skin', [{ bytes }], jobs('lbs'))), 'lbs');
  });

  it('runs batches: the same files as here, in a process that sees nothing else', async () => {
    const desk = newFolder();
    writeFileSync(join(desk, 'rig.glb'), bytes);
    writeFileSync(join(desk, 'bad.glb'), 'no GLB');
    const batch = async (...flags: string[]) => {
      const env = { ...process.env, PLIANT_REDIS_PASSWORD: SECRET };
      const args = [MAIN, 'batch', 'skin', 'rig.glb', 'bad.glb', '--json', ...flags];
      const outcome = await ended(spawn(process.execPath, args, { cwd: desk, env }));
      expect([outcome.status, outcome.stdout + outcome.stderr]).toEqual([2, expect.not.stringContaining(SECRET)]);
      const lines = outcome.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return Object.fromEntries(lines.map((line) => [line.input, line.error?.code ?? line.state]));
    };
    const queue = ['--queue', redis.url, '--store', folder];
    expect(await batch('-o', 'far', '--to', 'abc', ...queue)).toEqual({ 'rig.glb': 'written', 'bad.glb': 'bad-file' });
    expect(await batch('-o', 'here', '--to', 'abc')).toEqual({ 'rig.glb': 'written', 'bad.glb': 'bad-file' });
    const [far, here] = ['far', 'here'].map((name) => readFileSync(join(desk, name, 'rig.abc')));
    expect(far.equals(here)).toBe(true);
  });

  it('simulates pairs of cloth for many garments: the same folders as here', async () => {
    const desk = newFolder();
    for (const [name, width] of [
      ['flag', 0.6],
      ['scarf', 0.2],
    ] as const) {
      writeFileSync(join(desk, `${name}.obj`), writeObj(sheet(name, 80, [0, 1, 0], [width, 0, 0], [0, -0.6, 0])));
    }
    const quick = ['--coarse-vertices', '16', '--settle', '0', '--seconds', '1', '--frames-per-second', '8'];
    const batch = async (folder_: string, ...flags: string[]) => {
      const env = { ...process.env, PLIANT_REDIS_PASSWORD: SECRET };
      const args = [MAIN, 'batch', 'cloth', 'pair', '*.obj', '--pin-vertices', '0', ...quick, '-o', folder_, ...flags];
      expect(await ended(spawn(process.execPath, args, { cwd: desk, env }))).toMatchObject({ status: 0 });
    };
    await batch('far', '--queue', redis.url, '--store', folder);
    await batch('here');
    for (const name of ['flag', 'scarf']) {
      const [far, here] = ['far', 'here'].map((place) => join(desk, place, name));
      const files = readdirSync(here);
      expect(files).toContain('pairs.json');
      expect(readdirSync(far)).toEqual(files);
      for (const file of files)
        expect(readFileSync(join(far, file)).equals(readFileSync(join(here, file))), file).toBe(true);
    }
  });

  it('never shows the password, and leaves no scratch', async () => {
    const [, worker] = workers;
    expect(await worker.stop()).toBe(143);
    expect(workers.map((each) => each.printed()).join('')).not.toContain(SECRET);
    expect(readdirSync(join(folder, 'part'))).toEqual([]);
    const [own] = readdirSync(join(folder, 'scratch'));
    expect(readdirSync(join(folder, 'scratch', own))).toEqual([]);
  });
});
