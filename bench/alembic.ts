// How fast frames come out of an Alembic archive: against reading the same bytes from the file.
//
//   node dist/bench/alembic.js [--write]

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAlembic } from '../src/io/read-alembic.ts';
import { writeAlembic } from '../src/io/write-alembic.ts';
import type { Mesh } from '../src/model/mesh.ts';
import type { MeshSequence } from '../src/model/sequence.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { createFileSink, nodeFiles } from '../src/platform/node/index.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

/** A wavy grid of n × n vertices, whose frames are computed. */
function grid(n: number, frameCount: number): MeshSequence {
  const vertices = n * n;
  const triangles: number[] = [];
  for (let r = 0; r + 1 < n; r++) {
    for (let c = 0; c + 1 < n; c++) {
      const i = r * n + c;
      triangles.push(i, i + 1, i + n + 1, i, i + n + 1, i + n);
    }
  }
  const frame = (k: number, out: Float32Array): Float32Array => {
    for (let i = 0; i < vertices; i++) {
      out[3 * i] = i % n;
      out[3 * i + 1] = Math.sin(0.1 * (i % n) + 0.3 * k);
      out[3 * i + 2] = Math.floor(i / n);
    }
    return out;
  };
  const rest: Mesh = { positions: frame(0, new Float32Array(3 * vertices)), triangles: Uint32Array.from(triangles) };
  return {
    name: 'grid',
    rest,
    frameCount,
    times: steadyTimes(frameCount),
    readFrame: async (k, out = new Float32Array(3 * vertices)) => frame(k, out),
  };
}

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
    await figures('784 × 20,000', grid(28, 20_000), folder),
    await figures('10,000 × 1,700', grid(100, 1_700), folder),
    await figures('160,000 × 105', grid(400, 105), folder),
  ];
  const head = ['vertices × frames', 'MB', 'open ms', 'frames MB/s', 'plain reads MB/s', '× time', 'written MB/s'];
  const text = `# Reading Alembic

Frames of a written archive, one after the other, from a warm cache of the file system; beside it the same number of
bytes in reads of the same size, without anything done to them. Must: 200 MB/s. ${machine()}.

${markdownTable(head, rows)}
`;
  console.log(text);
  if (flags.write) writeResults('alembic', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
