// How fast frames come out of an Alembic archive: against reading the same bytes from the file.
//
//   node dist/bench/alembic.js [--write]

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MeshSequence, readAlembic, writeAlembic } from '../src/index.ts';
import { createFileSink, nodeFiles } from '../src/platform/node/index.ts';
import { wavyGrid } from './grid.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** The fastest of five turns each, in turn. */
async function figures(name: string, sequence: MeshSequence, folder: string): Promise<string[]> {
  const path = join(folder, 'grid.abc');
  const sink = await createFileSink(path, { force: true });
  const writing = await seconds(async () => {
    await writeAlembic([sequence], sink);
    await sink.close();
  });
  const size = statSync(path).size;
  const { frameCount } = sequence;
  const frame = new Float32Array(sequence.rest.positions.length);
  const bytes = frameCount * frame.byteLength;
  const best = { opening: Infinity, frames: Infinity, plain: Infinity };
  for (let turn = 0; turn < 5; turn++) {
    const handle = await open(path);
    const buffer = new Uint8Array(frame.byteLength);
    const plain = await seconds(async () => {
      for (let k = 0; k < frameCount; k++) await handle.read(buffer, 0, buffer.length, k * buffer.length);
    });
    await handle.close();
    let opened: MeshSequence | undefined;
    const opening = await seconds(async () => {
      [opened] = (await readAlembic(await nodeFiles.open(path))).sequences;
    });
    const frames = await seconds(async () => {
      for (let k = 0; k < frameCount; k++) await opened!.readFrame(k, frame);
    });
    await opened!.close?.();
    best.opening = Math.min(best.opening, opening);
    best.frames = Math.min(best.frames, frames);
    best.plain = Math.min(best.plain, plain);
  }
  const rate = (time: number): string => (bytes / time / 1e6).toFixed(0);
  return [
    name,
    (size / 1e6).toFixed(0),
    (1000 * best.opening).toFixed(1),
    rate(best.frames),
    rate(best.plain),
    (best.frames / best.plain).toFixed(1),
    rate(writing),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'pliant-alembic-'));
try {
  const rows = [
    await figures('784 × 20,000', wavyGrid(28, 20_000), folder),
    await figures('10,000 × 1,700', wavyGrid(100, 1_700), folder),
    await figures('160,000 × 105', wavyGrid(400, 105), folder),
  ];
  const head = ['vertices × frames', 'MB', 'open ms', 'frames MB/s', 'plain reads MB/s', '× time', 'written MB/s'];
  const text = `# Reading Alembic

Frames of an archive read one after the other, with a warm file-system cache, and plain reads of the same sizes for
comparison. Goal: at least 200 MB/s. ${machine()}.

${markdownTable(head, rows)}
`;
  console.log(text);
  if (flags.write) writeResults('alembic', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
