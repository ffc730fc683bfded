import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { type Tile, tilesHere } from '../../src/kernels/tiles.ts';
import { nodeTiles } from '../../src/platform/node/tiles.ts';
import { TILES } from '../../src/tile-tasks.ts';
import { expectRefusal } from '../refusal.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';

// Threads are real and run the compiled worker.
const worker = new URL('../../dist/src/platform/node/tile-worker.js', import.meta.url);

async function all(tiles: AsyncIterable<Tile>): Promise<Uint8Array[]> {
  const made: Uint8Array[] = [];
  for await (const { index, bytes } of tiles) made[index] = bytes;
  return made;
}

describe.skipIf(!existsSync(worker))('nodeTiles (skipped when dist/ has not been built)', async () => {
  const rig = randomRig({ seed: 3, vertices: 2000 });
  const poses = [0, 1, 2, 3, 4, 5].map((seed) => randomPose(rig, { seed }));
  const transforms = Float32Array.from(poses.flatMap((pose) => [...pose]));
  const clip = { name: 'all', times: Float64Array.from(poses, (_, k) => k), transforms };
  const { bytes } = await writeModelGlb({ ...rig, clips: [clip] });
  const jobs = poses.map((_, begin) => ({ begin, operator: begin % 2 ? 'dqs' : 'lbs' }));
  const threads = nodeTiles(2, worker);
  afterAll(() => threads.close());

  it('makes the same bytes as the calling thread', async () => {
    const expected = await all(tilesHere(TILES).run('skin', [{ bytes }], jobs));
    const made = await all(threads.run('skin', [{ bytes }], jobs));
    expect(made).toHaveLength(6);
    expect(made.every((tile, i) => Buffer.compare(tile, expected[i]) === 0)).toBe(true);
    expect(Buffer.compare(made[0], made[2])).not.toBe(0);
  });

  it('says what is wrong with blobs and jobs', async () => {
    const run = (input: Uint8Array, job: unknown) => all(threads.run('skin', [{ bytes: input }], [job]));
    await expectRefusal(run(bytes.subarray(0, 100), {}), 'bad-file');
    await expectRefusal(run(bytes, { begin: 6 }), 'not-found', { values: [6] });
    await expectRefusal(run(bytes, { begin: 0.5 }), 'bad-option', { option: 'begin' });
    await expectRefusal(run(bytes, { code: 'x' }), 'bad-option', { option: 'code' });
    await expectRefusal(run(bytes, [1]), 'bad-option');
  });

  it('cancels in the midst of a tile', async () => {
    const controller = new AbortController();
    const run = async () => {
      for await (const _ of threads.run('skin', [{ bytes }], jobs, { signal: controller.signal })) controller.abort();
    };
    await expectRefusal(run(), 'cancelled');
    expect(await all(threads.run('skin', [{ bytes }], [jobs[0]]))).toHaveLength(1);
  });

  it('says when its worker cannot be started', async () => {
    await expectRefusal(nodeTiles(1, new URL('no-such-worker.js', worker)).make('skin', [{ bytes }], {}), 'internal');
  });
});
