import { describe, expect, it } from 'vitest';
import {
  controlArray,
  createPool,
  type PoolMessage,
  poolWorker,
  type TaskTable,
  WorkerLost,
} from '../../src/kernels/parallel.ts';
import { refusal } from '../refusal.ts';

/** Where the control array counts the workers at work, and the messages posted. */
const ACTIVE = 2;
const POSTED = 7;

/** Counts how often each index is visited. */
const tasks: TaskTable = {
  count: (data) => {
    const counts = data as Int32Array;
    return (begin, end) => {
      for (let i = begin; i < end; i++) Atomics.add(counts, i, 1);
    };
  },
  fail: () => () => {
    throw new Error('on purpose');
  },
};

describe('a pool of the calling thread alone', () => {
  const pool = createPool([], controlArray(), tasks, true);

  it('visits every index once, whatever the grain', () => {
    for (const grain of [1, 7, 64, 1000]) {
      const counts = new Int32Array(100);
      pool.open('count', counts).run(100, grain);
      expect(counts.every((count) => count === 1)).toBe(true);
    }
    pool.open('count', new Int32Array(0)).run(0, 8);
    expect(pool.threads).toBe(1);
  });

  it('passes failures on, and works again afterwards', () => {
    expect(() => pool.open('fail', null).run(10, 1)).toThrow(/on purpose/);
    const counts = new Int32Array(10);
    pool.open('count', counts).run(10, 3);
    expect(counts.every((count) => count === 1)).toBe(true);
  });

  it('knows its tasks by name', () => {
    expect(() => pool.open('sing', null)).toThrow(refusal('internal', { values: ['sing', 'count', 'fail'] }));
  });
});

describe('the protocol', () => {
  it('posts each message once to every worker, counted before it is sent', () => {
    const control = controlArray();
    const posted: PoolMessage[] = [];
    const worker = { post: (message: PoolMessage) => posted.push(message), terminate: async () => {} };
    const pool = createPool([worker, worker], control, tasks, true);
    const job = pool.open('count', new Int32Array(4));
    job.run(4, 1); // nobody else enters: the caller does it all
    job.close();
    expect(pool.threads).toBe(3);
    expect(posted.map((message) => Object.keys(message)[0])).toEqual(['open', 'open', 'close', 'close']);
  });

  it('lets a worker that has messages waiting return to read them', () => {
    const control = controlArray();
    const handle = poolWorker(control, tasks, 1);
    control[POSTED] = 2; // two messages are on their way
    handle({ open: 1, task: 'count', data: new Int32Array(1) }); // must not block: it is the first of two
    expect(control[POSTED]).toBe(2);
  });

  it('does not blame a job for the failure of another, which nobody asked about', () => {
    const control = controlArray();
    control[POSTED] = 2;
    poolWorker(control, tasks, 1)({ open: 1, task: 'sing', data: null });
    const pool = createPool([], control, tasks, true);
    const [first, second] = [pool.open('count', new Int32Array(1)), pool.open('count', new Int32Array(1))];
    second.run(1, 1);
    first.run(1, 1); // the failure is gone by now: it belongs to a run that never was
  });

  it('reports a worker that could not be set up', () => {
    const control = controlArray();
    control[POSTED] = 2;
    poolWorker(control, tasks, 1)({ open: 1, task: 'sing', data: null });
    const pool = createPool([], control, tasks, true);
    expect(() => pool.open('count', new Int32Array(1)).run(1, 1)).toThrow(/"sing"/);
  });

  it('gives up on a worker that entered and is gone, whether it sleeps meanwhile or not', () => {
    const worker = { post: () => {}, terminate: async () => {} };
    for (const canBlock of [true, false]) {
      const control = controlArray();
      control[ACTIVE] = 1;
      const job = createPool([worker], control, tasks, canBlock, 0.05).open('count', new Int32Array(4));
      expect(() => job.run(4, 1)).toThrow(new WorkerLost());
    }
  });

  it('is of no use once a worker is lost, and says so at once', () => {
    const control = controlArray();
    const counts = new Int32Array(4);
    const pool = createPool([{ post: () => {}, terminate: async () => {} }], control, tasks, true, 0.05);
    const job = pool.open('count', counts);
    control[ACTIVE] = 1;
    expect(() => job.run(4, 1)).toThrow(WorkerLost);
    control[ACTIVE] = 0; // even if it comes back
    counts.fill(0);
    for (const other of [job, pool.open('count', counts)]) expect(() => other.run(4, 1)).toThrow(WorkerLost);
    expect([...counts]).toEqual([0, 0, 0, 0]); // nothing was begun
  });

  it('tells of the failure of the caller rather than of the worker that was lost meanwhile', () => {
    const control = controlArray();
    const pool = createPool([{ post: () => {}, terminate: async () => {} }], control, tasks, true, 0.05);
    control[ACTIVE] = 1;
    expect(() => pool.open('fail', null).run(4, 1)).toThrow('on purpose');
    expect(() => pool.open('count', new Int32Array(4)).run(4, 1)).toThrow(WorkerLost);
  });
});
