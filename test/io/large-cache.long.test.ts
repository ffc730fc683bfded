import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPc2 } from '../../src/io/read-pc2.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { pc2File } from './cache-fixtures.ts';

const VERTICES = 200_000;
const FRAMES = 1_200;
const FRAME_BYTES = 12 * VERTICES;

it('a PC2 of 2.9 GB is read in the memory of a few frames', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-test-'));
  try {
    // A sparse file: a header, zeros that take no room, and some numbers at the very end.
    const path = join(folder, 'large.pc2');
    const file = await open(path, 'w');
    await file.truncate(32 + FRAMES * FRAME_BYTES);
    const header = pc2File([[0, 0, 0]], { samples: FRAMES }).slice(0, 32);
    new DataView(header.buffer).setInt32(16, VERTICES, true);
    await file.write(header, 0, 32, 0);
    await file.write(new Uint8Array(Float32Array.of(1, 2, 3).buffer), 0, 12, 32 + FRAMES * FRAME_BYTES - 12);
    await file.close();

    const before = process.memoryUsage().rss;
    const source = await nodeFiles.open(path);
    expect(source.size).toBeGreaterThan(2 ** 31);
    const sequence = await readPc2(source, {
      positions: new Float32Array(3 * VERTICES),
      triangles: new Uint32Array(0),
    });
    const frame = new Float32Array(3 * VERTICES);
    let most = 0;
    for (const k of [0, ...Array.from({ length: 60 }, (_, n) => 20 * n), FRAMES - 1]) {
      await sequence.readFrame(k, frame);
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect([...frame.slice(-3)]).toEqual([1, 2, 3]);
    await sequence.close?.();
    // 62 frames of 2.4 MB were read; what the collector has not yet taken may linger, the file's 2.9 GB may not.
    expect(most).toBeLessThan(400 * 2 ** 20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
