import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ByteSource, memorySource } from '../../src/io/files.ts';
import { readMdd } from '../../src/io/read-mdd.ts';
import { readPc2 } from '../../src/io/read-pc2.ts';
import { writeMdd } from '../../src/io/write-mdd.ts';
import { writePc2 } from '../../src/io/write-pc2.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { type Note, note } from '../../src/model/note.ts';
import { type MeshSequence, memorySequence, steadyTimes, validateSequence } from '../../src/model/sequence.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { mddFile, pc2File } from './cache-fixtures.ts';
import { memorySink } from './support.ts';

const points = (n: number): Mesh => ({ positions: new Float32Array(3 * n), triangles: new Uint32Array(0) });
const FRAMES = [
  [0, 1, 2, 3, 4, 5],
  [6, 7, 8, 9, 10, 11],
  [0.5, -0.5, 0.25, 1e-20, 1e20, -0],
];

describe('readPc2', () => {
  const read = (bytes: Uint8Array, rest?: Mesh, fps?: number) => readPc2(memorySource('test.pc2', bytes), rest, fps);

  it('reads frames when asked, into the array given', async () => {
    const sequence = await read(pc2File(FRAMES), points(2));
    await validateSequence(sequence);
    expect(sequence.frameCount).toBe(3);
    for (const k of [2, 0, 1]) expect(await sequence.readFrame(k)).toEqual(Float32Array.from(FRAMES[k]));
    const out = new Float32Array(6);
    expect(await sequence.readFrame(1, out)).toBe(out);
    expect([...out]).toEqual(FRAMES[1]);
    for (const k of [-1, 3, 0.5]) await expectRefusal(sequence.readFrame(k), 'bad-option', { values: [0, 2] });
  });

  it('has times by first frame, frames per sample and rate', async () => {
    const sequence = await read(pc2File(FRAMES, { first: 10, step: 2 }), points(2), 20);
    expect([...sequence.times]).toEqual([0.5, 0.6, 0.7]);
  });

  it('has points at the first frame when the mesh is not known', async () => {
    const { rest } = await read(pc2File(FRAMES));
    expect([...rest.positions]).toEqual(FRAMES[0]);
    expect(rest.triangles.length).toBe(0);
  });

  it.each<[string, Uint8Array, Refusal]>([
    ['another number of vertices', pc2File([[1, 2, 3]]), { values: [1, 2] }],
    ['a truncated file', pc2File(FRAMES).slice(0, -1), { values: [103, 104, 2, 3] }],
    ['a truncated header', pc2File(FRAMES).slice(0, 31), { offset: 0 }],
    ['another magic', pc2File(FRAMES).fill(0x58, 0, 1), { file: 'test.pc2', offset: 0, values: ['XOINTCACHE2'] }],
    ['another version', pc2File(FRAMES, { version: 2 }), { file: 'test.pc2', offset: 12, values: [2, 1] }],
    ['enormous counts', pc2File(FRAMES, { samples: 0x7fffffff }), { offset: 104 }],
    ['no frames', pc2File([]), { values: [0, 0] }],
    ['negative counts', pc2File(FRAMES, { samples: -1 }), { values: [-1] }],
    ['no time between frames', pc2File(FRAMES, { step: 0 }), { values: [0] }],
    ['NaN as time', pc2File(FRAMES, { first: Number.NaN }), { values: ['NaN'] }],
  ])('refuses %s', async (_, bytes, facts) => {
    await expectRefusal(read(bytes, points(2)), 'bad-file', facts);
  });

  it('refuses a NaN when its frame is read', async () => {
    const sequence = await read(pc2File([FRAMES[0], [0, 0, 0, 0, Number.NaN, 0]]), points(2));
    await sequence.readFrame(0);
    await expectRefusal(sequence.readFrame(1), 'bad-file', { file: 'test.pc2', offset: 72, values: [1, 1, 'NaN'] });
  });
});

describe('readMdd', () => {
  const read = (bytes: Uint8Array, rest?: Mesh, notes?: Note[]) =>
    readMdd(memorySource('test.mdd', bytes), rest, 10, notes);

  it('reads big-endian frames and times', async () => {
    const sequence = await read(mddFile(FRAMES, [0, 0.25, 1]), points(2));
    await validateSequence(sequence);
    expect([...sequence.times]).toEqual([0, 0.25, 1]);
    expect(await sequence.readFrame(2)).toEqual(Float32Array.from(FRAMES[2]));
  });

  it('replaces times that do not increase, with a note', async () => {
    const notes: Note[] = [];
    const sequence = await read(mddFile(FRAMES, [0, 0, 0]), points(2), notes);
    expect([...sequence.times]).toEqual([0, 0.1, 0.2]);
    expect(notes).toEqual([note('times-unordered', { frame: 1, seconds: 0, framesPerSecond: 10 })]);
  });

  it.each<[string, Uint8Array, Refusal]>([
    ['another number of vertices', mddFile([[1, 2, 3]], [0]), { values: [1, 2] }],
    ['a truncated file', mddFile(FRAMES, [0, 1, 2]).slice(0, -4), { values: [88, 92] }],
    ['a truncated header', Uint8Array.of(0, 0, 0), { offset: 0 }],
    ['enormous counts', Uint8Array.of(0x7f, 255, 255, 255, 0x7f, 255, 255, 255), { values: [0x7fffffff] }],
    ['negative counts', new Uint8Array(100).fill(255), { values: [-1] }],
  ])('refuses %s', async (_, bytes, facts) => {
    await expectRefusal(read(bytes, points(2)), 'bad-file', facts);
  });
});

/** A header, and as many bytes as it promises: none of them may be asked for. */
const claimed = (header: Uint8Array, size: number): ByteSource => ({
  ...memorySource('test', header),
  size,
});

describe('caches larger than what is read', () => {
  const pc2 = (vertices: number, frames: number) => {
    const header = pc2File([], { samples: frames });
    new DataView(header.buffer).setInt32(16, vertices, true);
    return readPc2(claimed(header, 32 + 12 * vertices * frames));
  };
  const mdd = (vertices: number, frames: number) => {
    const header = new DataView(new ArrayBuffer(8));
    header.setInt32(0, frames);
    header.setInt32(4, vertices);
    return readMdd(claimed(new Uint8Array(header.buffer), 8 + 4 * frames + 12 * vertices * frames));
  };

  it.each([
    [2e8, 1],
    [2 ** 31 - 1, 1],
    [1, 4e8],
    [1, 1.7e9],
  ])('are refused at once: %d vertices × %d frames', async (vertices, frames) => {
    const facts = { file: 'test', values: [vertices, frames, 2 ** 26, 2 ** 22] };
    await expectRefusal(pc2(vertices, frames), 'too-large', facts);
    await expectRefusal(mdd(vertices, frames), 'too-large', facts);
  });
});

describe('caches of as many frames as can be read', () => {
  it('open at once: times are made when they are asked for', async () => {
    const header = pc2File([[1, 2, 3]], { first: 5, samples: 2 ** 22 });
    const sequence = await readPc2(claimed(header, 32 + 12 * 2 ** 22), points(1));
    expect(sequence.frameCount).toBe(2 ** 22);
    expect(Object.getOwnPropertyDescriptor(sequence, 'times')?.value).toBeUndefined();
    const { times } = sequence;
    expect(times).toBe(sequence.times);
    expect([times.length, times[0], times[2 ** 22 - 1]]).toEqual([2 ** 22, 5 / 24, (5 + 2 ** 22 - 1) / 24]);
  });

  it('are refused where steps of time drown in the number of the first frame', async () => {
    const header = pc2File([[1, 2, 3]], { first: 2 ** 60, samples: 4 });
    await expectRefusal(readPc2(claimed(header, 32 + 48), points(1)), 'bad-file', { file: 'test', offset: 20 });
  });
});

describe('writePc2', () => {
  const write = async (...args: Parameters<typeof memorySequence>) => {
    const sink = memorySink();
    const { report } = await writePc2(memorySequence(...args), sink);
    return { bytes: sink.bytes(), report };
  };

  it('reads back equal', async () => {
    const frames = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 })).chain(([n, p]) =>
      fc.array(fc.float32Array({ minLength: 3 * n, maxLength: 3 * n, noNaN: true, noDefaultInfinity: true }), {
        minLength: p,
        maxLength: p,
      }),
    );
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        const rest = points(all[0].length / 3);
        const { bytes, report } = await write('test', rest, all);
        expect(report.figures).toEqual({ bytes: bytes.length });
        const back = await readPc2(memorySource('back.pc2', bytes), rest);
        expect(back.times).toEqual(steadyTimes(all.length));
        for (const [k, frame] of all.entries()) expect(await back.readFrame(k)).toEqual(frame);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('writes the bytes of the format', async () => {
    const { bytes } = await write(
      'test',
      points(2),
      FRAMES.map((frame) => Float32Array.from(frame)),
    );
    expect(bytes).toEqual(pc2File(FRAMES));
  });

  it('says when times are uneven', async () => {
    const frames = FRAMES.map((frame) => Float32Array.from(frame));
    const { report } = await write('test', points(2), frames, Float64Array.of(0, 0.1, 1));
    expect(report.notes).toEqual([note('times-evened', { format: 'PC2' })]);
  });

  it('reports progress and stops when asked', async () => {
    const sequence = memorySequence(
      'test',
      points(2),
      FRAMES.map((frame) => Float32Array.from(frame)),
    );
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = (done: number) => {
      seen.push(done);
      if (done === 2) controller.abort();
    };
    const writing = writePc2(sequence, memorySink(), { onProgress, signal: controller.signal });
    await expectRefusal(writing, 'cancelled', { values: ['writePc2'] });
    expect(seen).toEqual([0, 1, 2]);
  });
});

describe('writeMdd', () => {
  const frames = FRAMES.map((frame) => Float32Array.from(frame));

  it('writes the bytes of the format, which read back equal', async () => {
    const times = [0.5, 0.625, 3];
    const sink = memorySink();
    const { report } = await writeMdd(memorySequence('test', points(2), frames, Float64Array.from(times)), sink);
    expect(sink.bytes()).toEqual(mddFile(FRAMES, times));
    expect(report.figures).toEqual({ bytes: sink.bytes().length });
    const back = await readMdd(memorySource('back.mdd', sink.bytes()), points(2));
    expect([...back.times]).toEqual(times);
    for (const [k, frame] of frames.entries()) expect(await back.readFrame(k)).toEqual(frame);
  });

  it('refuses times that are one in float32', async () => {
    const sequence = memorySequence('test', points(2), frames, Float64Array.of(1e6, 1e6 + 1 / 1024, 2e6));
    await expectRefusal(writeMdd(sequence, memorySink()), 'bad-input', { values: [0, 1] });
  });

  it('asks for one frame after the other, always into the same array', async () => {
    const asked: number[] = [];
    const arrays = new Set<Float32Array | undefined>();
    const sequence: MeshSequence = {
      ...memorySequence('test', points(2), frames),
      async readFrame(k, out) {
        asked.push(k);
        arrays.add(out);
        return out!.fill(k);
      },
    };
    await writeMdd(sequence, memorySink());
    expect(asked).toEqual([0, 1, 2]);
    expect(arrays.size).toBe(1);
    expect(arrays).not.toContain(undefined);
  });
});
