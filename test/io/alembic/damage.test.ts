import { describe, expect, it } from 'vitest';
import { OgawaFile } from '../../../src/io/alembic/ogawa.ts';
import { OgawaWriter } from '../../../src/io/alembic/ogawa-writer.ts';
import { ACYCLIC, type TimeSampling } from '../../../src/io/alembic/time-sampling.ts';
import { type ByteSource, memorySource } from '../../../src/io/files.ts';
import { readAlembic } from '../../../src/io/read-alembic.ts';
import { expectRefusal, type Refusal } from '../../refusal.ts';
import { memorySink } from '../support.ts';
import { addInstance, addMesh, addXform, archiveOf, moved, openBytes, rate, SQUARE } from './fixtures.ts';

const TOP_BIT = 1n << 63n;

/** Changes the 64-bit words of an archive. */
function words(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const get = (offset: number): bigint => view.getBigUint64(offset, true);
  const set = (offset: number, value: bigint): void => view.setBigUint64(offset, value, true);
  const root = Number(get(8));
  /** Offset of child c's entry in a group, by indices from the root. */
  const entry = (...path: number[]): number => {
    let group = root;
    for (const c of path.slice(0, -1)) group = Number(get(group + 8 + 8 * c));
    return group + 8 + 8 * path[path.length - 1];
  };
  return { get, set, root, entry };
}

const small = () =>
  archiveOf(async (top, archive) => {
    const frames = [0, 1, 2].map((z) => moved(SQUARE.points, 0, 0, z));
    await addMesh(await addXform(top, 'x'), 'm', { frames, sampling: archive.addSampling(rate(24)) });
  });

/** Root → top object → x → m → its properties → .geom. */
const GEOM = [2, 1, 1, 0, 0];

async function damaged(damage: (file: ReturnType<typeof words>, bytes: Uint8Array) => void): Promise<Uint8Array> {
  const bytes = await small();
  damage(words(bytes), bytes);
  return bytes;
}

describe('damaged archives', () => {
  it('loops in the tree end in an error', async () => {
    const up = await damaged(({ get, set, entry }) => set(entry(2, 1, 1), get(entry(2, 1))));
    await expectRefusal(openBytes(up), 'bad-file', { file: 'test.abc', offset: 907 });
    const self = await damaged(({ set, entry, root }) => set(entry(2), BigInt(root)));
    await expectRefusal(openBytes(self), 'bad-file', { offset: 1418 });
    const properties = await damaged(({ get, set, entry }) => set(entry(...GEOM), get(entry(2, 1, 1, 0))));
    await expectRefusal(openBytes(properties), 'bad-file', { offset: 765 });
  });

  it('samples belong to one property: a file is read no more often than it is long', async () => {
    const shared = await damaged(({ get, set, entry }) => set(entry(...GEOM, 2), get(entry(...GEOM, 3))));
    await expectRefusal(openBytes(shared), 'bad-file', { offset: 723 });
  });

  it('a name above many objects, which is in each of their paths', async () => {
    const bytes = await archiveOf(async (top) => {
      const long = top.child('n'.repeat(2 ** 17));
      for (let n = 0; n < 2 ** 10; n++) long.child(`m${n}`);
    });
    await expectRefusal(openBytes(bytes), 'bad-file', { values: [134217728] });
  });

  it.each<[string, Refusal, (file: ReturnType<typeof words>, bytes: Uint8Array) => void]>([
    ['another container', { values: ['ogawa'] }, (_, bytes) => bytes.set([0x6f])],
    ['another version of it', { offset: 6, values: [2, 1] }, (_, bytes) => bytes.set([2], 7)],
    ['a root beyond the end', { offset: 1450 }, ({ set }, { length }) => set(8, BigInt(length))],
    ['a root that is data', { offset: 8 }, ({ set, root }) => set(8, TOP_BIT | BigInt(root))],
    ['an offset beyond 2⁵³', { values: ['4611686018427388000', 16] }, ({ set, entry }) => set(entry(2), 1n << 62n)],
    ['an offset into the header', { values: [8, 16] }, ({ set, entry }) => set(entry(2), 8n)],
    ['a count of 2⁶⁰', { values: ['1152921504606847000'] }, ({ set, root }) => set(root, 1n << 60n)],
    ['too few parts', { values: [2, 6] }, ({ set, root }) => set(root, 2n)],
    ['a group where data belongs', { values: [4] }, ({ set, get, entry }) => set(entry(4), get(entry(2)))],
    ['data where a group belongs', { offset: 985 }, ({ set, get, entry }) => set(entry(2, 1), get(entry(0)))],
    [
      'headers cut short',
      { offset: 931 },
      ({ set, get, entry }) => {
        const block = Number(get(entry(2, 2)) & ~TOP_BIT);
        set(block, get(block) - 3n);
      },
    ],
    [
      'a block of 2⁴⁰ bytes',
      { values: [1099511627776] },
      ({ set, get, entry }) => set(Number(get(entry(...GEOM, 1, 0)) & ~TOP_BIT), 1n << 40n),
    ],
    [
      'a sample shorter than its key',
      { values: [7] },
      ({ set, get, entry }) => set(Number(get(entry(...GEOM, 1, 0)) & ~TOP_BIT), 7n),
    ],
    [
      'half a point',
      { values: ['P', 47, 12] },
      ({ set, get, entry }) => set(Number(get(entry(...GEOM, 1, 0)) & ~TOP_BIT), 63n),
    ],
    [
      'fewer samples than promised',
      { values: ['P', 2, 6] },
      ({ set, get, entry }) => set(Number(get(entry(...GEOM, 1))), 2n),
    ],
  ])('%s', async (_, facts, damage) => {
    await expectRefusal(openBytes(await damaged(damage)), 'bad-file', facts);
  });

  it('a frame of another size is refused when it is read, by its sample', async () => {
    const bytes = await damaged(({ set, get, entry }) => set(Number(get(entry(...GEOM, 1, 4)) & ~TOP_BIT), 16n + 36n));
    const [sequence] = (await openBytes(bytes)).sequences;
    await sequence.readFrame(1);
    await expectRefusal(sequence.readFrame(2), 'bad-file', { values: ['/x/m', 'P', 2, 3, 4] });
  });

  it('a newer file version is not supported', async () => {
    const bytes = await damaged(({ get, entry }, all) => all.set([9], Number(get(entry(0)) & ~TOP_BIT) + 8));
    await expectRefusal(openBytes(bytes), 'unsupported', { values: [9, 0] });
  });

  it.each<[string, Refusal, Parameters<typeof addMesh>[2]]>([
    ['a vertex that is not there', { values: ['/m', 2, 4, 0, 3] }, { indices: [[0, 3, 4, 1]] }],
    ['a negative vertex', { values: [0, -1] }, { indices: [[-1, 3, 2, 1]] }],
    ['a negative count', { values: [0, -4] }, { counts: [[-4]] }],
    ['counts that do not add up', { values: [5, 4] }, { counts: [[5]] }],
    ['a coordinate that is no number', { values: [1, 'NaN'] }, { frames: [[0, 0, 0, Number.NaN, 0, 0]] }],
    ['a normal that is no number', { values: ['N', 0] }, { N: { values: [0, Infinity, 0], scope: 'con' } }],
  ])('%s', async (_, facts, spec) => {
    const bytes = await archiveOf(async (top) => void (await addMesh(top, 'm', spec)));
    await expectRefusal(openBytes(bytes), 'bad-file', facts);
  });

  it('transforms that are none', async () => {
    const spec = (ops: number[], values: number[]) =>
      archiveOf(async (top) => void (await addMesh(await addXform(top, 'x', { ops, values: [values] }), 'm')));
    await expectRefusal(openBytes(await spec([0x70], [1])), 'bad-file', { values: [7, 0, 6] });
    await expectRefusal(openBytes(await spec([0x10], [1, 2])), 'bad-file', { values: [16, 24] });
    await expectRefusal(openBytes(await spec([0x00], [1, 1, Number.NaN])), 'bad-file', { offset: 66 });
    await expectRefusal(openBytes(await spec([0x00], [1e300, 1, 1])), 'bad-file', { values: ['Infinity'] });
  });

  it('times that do not increase', async () => {
    const times: [TimeSampling, Refusal][] = [
      [{ timePerCycle: 1, stored: Float64Array.of(0, 0.5, 0.4) }, { values: ['P', 2, 0.4] }],
      [{ timePerCycle: 1, stored: Float64Array.of(0, 2) }, { values: ['P', 2, 1] }],
      [{ timePerCycle: 0, stored: Float64Array.of(0) }, { values: ['P', 0] }],
      [{ timePerCycle: ACYCLIC, stored: Float64Array.of(0) }, { values: ['P', 2, 1] }],
      [{ timePerCycle: 1, stored: new Float64Array(0) }, { values: ['P'] }],
    ];
    for (const [sampling, facts] of times) {
      const archive = (frames: number[][]) =>
        archiveOf(async (top, writer) => {
          await addMesh(top, 'm', { frames, sampling: writer.addSampling(sampling) });
        });
      const moving = await archive([SQUARE.points, moved(SQUARE.points, 0, 0, 1)]);
      await expectRefusal(openBytes(moving), 'bad-file', facts);
      // What does not move needs no times.
      expect((await openBytes(await archive([SQUARE.points]))).meshes).toHaveLength(1);
    }
  });

  it('instances of instances of instances …', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(await addXform(top, 'x0'), 'm');
      for (let level = 1; level <= 40; level++) {
        const x = await addXform(top, `x${level}`);
        await addInstance(x, 'a', `/x${level - 1}`);
        await addInstance(x, 'b', `/x${level - 1}`);
      }
    });
    await expectRefusal(openBytes(bytes), 'bad-file', { values: [65536] });
  });

  it('objects too deep', async () => {
    const bytes = await archiveOf(async (top) => {
      let object = top;
      for (let level = 0; level < 600; level++) object = object.child('o');
    });
    await expectRefusal(openBytes(bytes), 'bad-file', { values: [513] });
  });

  it('every cut-off archive is refused', async () => {
    const bytes = await small();
    for (let length = 0; length < bytes.length; length += 13) {
      await expectRefusal(openBytes(bytes.slice(0, length)), 'bad-file', { file: 'test.abc' });
    }
  });
});

describe('offsets beyond 4 GB', () => {
  const GAP = 5 * 2 ** 30;

  /** The same archive with everything but the header moved back by GAP; what lies between is never read. */
  function farAway(bytes: Uint8Array): ByteSource {
    const { get, set, root } = words(bytes);
    const move = (group: number): void => {
      const count = Number(get(group));
      for (let c = 0; c < count; c++) {
        const child = get(group + 8 + 8 * c);
        const offset = child & ~TOP_BIT;
        if (offset === 0n) continue;
        if (child === offset) move(Number(child));
        set(group + 8 + 8 * c, child + BigInt(GAP));
      }
    };
    move(root);
    set(8, BigInt(root + GAP));
    const near = memorySource('far.abc', bytes);
    return {
      ...near,
      size: bytes.length + GAP,
      async read(offset, length) {
        const out = new Uint8Array(length);
        for (const shift of [0, GAP]) {
          const from = Math.max(offset - shift, shift === 0 ? 0 : 16);
          const to = Math.min(offset + length - shift, shift === 0 ? 16 : bytes.length);
          if (to > from) out.set(await near.read(from, to - from), from + shift - offset);
        }
        return out;
      },
    };
  }

  it('are read', async () => {
    const [sequence] = (await readAlembic(farAway(await small()))).sequences;
    expect([...(await sequence.readFrame(2))]).toEqual(moved(SQUARE.points, 0, 0, 2));
  });

  it('are written', async () => {
    const sink = memorySink();
    const writer = new OgawaWriter(sink);
    const child = { isData: true, offset: GAP + 3 };
    await writer.finish(await writer.group([child, { ...child, isData: false }]));
    const { get } = words(sink.bytes());
    expect([get(24), get(32)]).toEqual([TOP_BIT | BigInt(GAP + 3), BigInt(GAP + 3)]);
  });
});

describe('the allowance of opening', () => {
  it('ends when the same block is read again and again, and with opening itself', async () => {
    const bytes = await small();
    const file = new OgawaFile(memorySource('small.abc', bytes), 'readAlembic', 10);
    const root = await file.root();
    const version = root.child(0); // 4 bytes
    await file.block(version);
    await file.block(version);
    await expectRefusal(file.block(version), 'too-large', { file: 'small.abc', offset: 1001 });
    file.opened();
    expect((await file.block(version)).length).toBe(4);
  });
});
