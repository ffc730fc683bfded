import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  controlArray,
  createPool,
  type ParallelPool,
  type PoolMessage,
  WorkerLost,
} from '../../src/kernels/parallel.ts';
import { SKIN_OPERATORS } from '../../src/model/skinned-model.ts';
import { nodePool } from '../../src/platform/node/pool.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { expectRefusal } from '../refusal.ts';
import { farthest, randomPose, randomRig } from '../skin/rigs.ts';

// Workers are real threads and run the compiled worker.
const worker = new URL('../../dist/src/platform/node/worker.js', import.meta.url);

describe.skipIf(!existsSync(worker))('nodePool (skipped when dist/ has not been built)', () => {
  let pool: ParallelPool;
  beforeAll(async () => {
    pool = await nodePool(3, worker);
  });
  afterAll(() => pool.close());

  const rig = randomRig({ seed: 1, vertices: 20_003 });

  it.each(SKIN_OPERATORS)('poses the same with three threads as with one: %s', (operator) => {
    for (const kernel of ['auto', 'typescript'] as const) {
      const alone = new Skinner(rig, { operator, kernel });
      const together = new Skinner(rig, { operator, kernel }, pool);
      for (let k = 0; k < 5; k++) {
        const pose = randomPose(rig, { seed: k, scale: 1.2 });
        const expected = alone.pose(pose);
        const { positions, normals } = together.pose(pose);
        expect(farthest(positions, expected.positions)).toBe(0);
        expect(farthest(normals!, expected.normals!)).toBe(0);
      }
      together.dispose();
    }
  });

  it('serves many jobs in turn, hundreds of times', () => {
    const small = randomRig({ seed: 2, vertices: 9000 });
    const skinners = [rig, small].map((model) => new Skinner(model, { operator: 'dqs' }, pool));
    const alone = [rig, small].map((model) => new Skinner(model, { operator: 'dqs' }));
    const poses = [0, 1, 2].map((seed) => randomPose(rig, { seed }));
    for (let k = 0; k < 600; k++) {
      const { positions } = skinners[k % 2].pose(poses[k % 3]);
      if (k % 20 < 2) expect(farthest(positions, alone[k % 2].pose(poses[k % 3]).positions)).toBe(0);
    }
    for (const skinner of skinners) skinner.dispose();
  });

  it('poses sequences, morphs and all', async () => {
    const pose = randomPose(rig, { seed: 7 });
    const transforms = Float32Array.from([...pose, ...pose]);
    const morphs = [{ name: 'grow', positions: rig.mesh.positions.map((x) => 2 * x) }];
    const morphWeights = Float32Array.of(0.75, 0);
    const clip = { name: 'one', times: Float64Array.of(0, 1), transforms, morphWeights };
    const model = { ...rig, morphs, clips: [clip] };
    const sequence = posedSequence(model, 'one', {}, pool);
    const alone = new Skinner(model);
    const grown = await sequence.readFrame(0);
    expect(farthest(grown, alone.pose(pose, undefined, Float32Array.of(0.75)).positions)).toBe(0);
    const plain = await sequence.readFrame(1);
    expect(farthest(plain, alone.pose(pose).positions)).toBe(0);
    expect(farthest(plain, grown)).toBeGreaterThan(0.5);
  });

  it('refuses a number of threads that makes no sense', async () => {
    for (const threads of [0, 1.5, Number.NaN])
      await expectRefusal(nodePool(threads, worker), 'bad-option', { option: 'threads' });
  });

  it('says when its worker cannot be started', async () => {
    await expectRefusal(nodePool(2, new URL('no-such-worker.js', worker)), 'internal');
  });
});

describe.skipIf(!existsSync(worker))('a thread that ends (skipped when dist/ has not been built)', () => {
  it('while it works is noticed by who waits for it', async () => {
    const control = controlArray();
    /** 1 once the thread has a piece. */
    const entered = new Int32Array(new SharedArrayBuffer(4));
    const parallel = new URL('../../dist/src/kernels/parallel.js', import.meta.url);
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      import('${parallel}').then(({ poolWorker }) => {
        const { control, entered } = workerData;
        const leave = () => {
          Atomics.store(entered, 0, 1);
          Atomics.notify(entered, 0);
          process.exit();
        };
        parentPort.on('message', poolWorker(control, { work: () => leave }, 1));
        parentPort.postMessage('ready');
      });`;
    const thread = new Worker(code, { eval: true, workerData: { control, entered } });
    await new Promise((done) => thread.once('message', done));
    const own = { post: (message: PoolMessage) => thread.postMessage(message), terminate: async () => {} };
    let pieces = 0;
    const work = () => () => {
      pieces++;
      Atomics.wait(entered, 0, 0);
    };
    const pool = createPool([own], control, { work }, true, 0.4);
    expect(() => pool.open('work', null).run(40, 1)).toThrow(WorkerLost);
    const before = pieces;
    expect(() => pool.open('work', null).run(40, 1)).toThrow(WorkerLost);
    expect(pieces).toBe(before); // at once, before any work
    await thread.terminate();
  });
});
