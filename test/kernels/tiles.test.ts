import { describe, expect, it } from 'vitest';
import { errorOf, PliantError, plainError } from '../../src/error.ts';
import { type StartTileThread, TileThreads, tileWorker } from '../../src/kernels/tile-threads.ts';
import { type Tile, type TileTable, tilesHere } from '../../src/kernels/tiles.ts';
import { expectRefusal, refusal } from '../refusal.ts';

/** Adds a number to every byte of its input; other jobs misbehave. */
const table: TileTable = {
  add: {
    inputs: { count: 1, maxBytes: 100 },
    version: 1,
    check(job) {
      if (typeof job === 'number' || job === 'fail' || job === 'hang') return job;
      throw new PliantError('bad-option', 'add', `(got ${job}, expected a number)`, { option: 'job' });
    },
    async open([bytes]) {
      if (bytes[0] === 255)
        throw new PliantError('bad-file', 'add', 'the first byte is 255', { file: 'it', offset: 0 });
      return (job: number | string) => {
        if (job === 'fail') throw new PliantError('bad-input', 'add', 'on purpose', { got: 'fail' });
        return job === 'hang' ? new Promise<never>(() => {}) : bytes.map((byte) => byte + (job as number));
      };
    },
  },
};

/** Threads that are none, but speak the protocol and count. */
function pretend() {
  const counts = { started: 0, ended: 0, inputs: 0 };
  const start: StartTileThread = async (reply) => {
    counts.started++;
    const handle = tileWorker(table, (answer) => setTimeout(() => reply(answer), 1));
    return {
      post(request) {
        if (request.inputs) counts.inputs++;
        handle(structuredClone(request));
      },
      async terminate() {
        counts.ended++;
      },
    };
  };
  return { counts, start };
}

async function all(tiles: AsyncIterable<Tile>): Promise<Uint8Array[]> {
  const made: Uint8Array[] = [];
  for await (const { index, bytes } of tiles) made[index] = bytes;
  return made;
}

const inputs = [{ bytes: Uint8Array.of(1, 2, 3) }];
const jobs = Array.from({ length: 20 }, (_, i) => i);

describe('tiles', () => {
  it('are the same in threads as in the calling one, each once', async () => {
    const { start, counts } = pretend();
    const threads = new TileThreads(start, 3, table);
    const told: number[] = [];
    const onProgress = (done: number, total: number) => told.push(done / total);
    const made = await all(threads.run('add', inputs, jobs, { onProgress }));
    expect(made).toEqual(await all(tilesHere(table).run('add', inputs, jobs)));
    expect(made[19]).toEqual(Uint8Array.of(20, 21, 22));
    expect(told).toEqual(jobs.map((i) => (i + 1) / 20));
    // Blobs went to each thread once.
    expect(counts).toEqual({ started: 3, ended: 0, inputs: 3 });
    await threads.close();
    expect(counts.ended).toBe(3);
  });

  it('are made only a few ahead of who takes them', async () => {
    const { start } = pretend();
    const threads = new TileThreads(start, 2, table);
    let made = 0;
    const make = threads.make.bind(threads);
    threads.make = async (...args) => {
      made++;
      return make(...args);
    };
    for await (const _ of threads.run('add', inputs, jobs)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      break;
    }
    expect(made).toBeLessThanOrEqual(4);
  });

  it('set threads up again for other blobs, and not for equal ones', async () => {
    const { start, counts } = pretend();
    const threads = new TileThreads(start, 1, table);
    const of = (byte: number, hash?: string) => [{ bytes: Uint8Array.of(byte), hash }];
    expect(await threads.make('add', of(1, 'a'), 1)).toEqual(Uint8Array.of(2));
    expect(await threads.make('add', of(1, 'a'), 2)).toEqual(Uint8Array.of(3));
    expect(await threads.make('add', of(7), 2)).toEqual(Uint8Array.of(9));
    expect(await threads.make('add', of(8), 2)).toEqual(Uint8Array.of(10));
    expect(counts.inputs).toBe(3);
  });

  it('pass errors on with code and facts, and go on afterwards', async () => {
    const { start, counts } = pretend();
    for (const runner of [new TileThreads(start, 2, table), tilesHere(table)]) {
      await expectRefusal(all(runner.run('add', inputs, [1, 'fail', 2])), 'bad-input', { got: 'fail' });
      const bad = [{ bytes: Uint8Array.of(255) }];
      await expectRefusal(all(runner.run('add', bad, [1])), 'bad-file', { file: 'it', offset: 0 });
      expect(await all(runner.run('add', inputs, [0]))).toEqual([inputs[0].bytes]);
    }
    expect(counts.started).toBeGreaterThan(0);
  });

  it('check everything before anything is made', async () => {
    const { start, counts } = pretend();
    for (const runner of [new TileThreads(start, 2, table), tilesHere(table)]) {
      const refused = (task: string, given: typeof inputs, list: unknown[]) => all(runner.run(task, given, list));
      await expectRefusal(refused('sing', inputs, [1]), 'bad-option', { candidates: ['add'] });
      await expectRefusal(refused('toString', inputs, [1]), 'bad-option');
      await expectRefusal(refused('add', [], [1]), 'bad-input');
      await expectRefusal(refused('add', [{ bytes: new Uint8Array(101) }], [1]), 'too-large', { values: [101, 100] });
      await expectRefusal(refused('add', inputs, [1, 2, {}]), 'bad-option', { option: 'job' });
      // What JSON cannot hold is no job either.
      await expectRefusal(refused('add', inputs, [Number.NaN]), 'bad-option', { option: 'job' });
    }
    expect(counts.started).toBe(0);
  });

  it('end the thread of a tile that is cancelled or takes too long, and start another', async () => {
    const { start, counts } = pretend();
    const threads = new TileThreads(start, 1, table);
    await expectRefusal(threads.make('add', inputs, 'hang', { timeLimit: 0.1 }), 'too-large', { values: [0.1] });
    const controller = new AbortController();
    const run = all(threads.run('add', inputs, ['hang', 1], { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    await expectRefusal(run, 'cancelled');
    expect(await threads.make('add', inputs, 1)).toEqual(Uint8Array.of(2, 3, 4));
    expect(counts).toMatchObject({ started: 3, ended: 2 });
    await threads.close();
    await expectRefusal(threads.make('add', inputs, 1), 'internal');
    expect(() => new TileThreads(start, 0, table)).toThrow(refusal('bad-option', { option: 'threads' }));
  });

  it('errors survive the way from thread to thread', () => {
    const error = new PliantError('bad-file', 'read', '(got 1, expected 2)', { file: 'a', line: 3, option: 'bones' });
    const back = errorOf(JSON.parse(JSON.stringify(plainError(error))));
    expect([back.message, back.explain((name) => `--${name}`)]).toEqual([
      error.message,
      error.explain((name) => `--${name}`),
    ]);
    expect(plainError(new TypeError('oh'))).toMatchObject({ code: 'internal', cause: 'oh' });
  });
});
