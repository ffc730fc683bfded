import { describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { writeSequenceGlb } from '../../src/io/write-glb.ts';
import { writeMdd } from '../../src/io/write-mdd.ts';
import { writeObj, writeObjSequence } from '../../src/io/write-obj.ts';
import { writePc2 } from '../../src/io/write-pc2.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence, validateSequence } from '../../src/model/sequence.ts';
import { tubeMesh } from './gltf/fixtures.ts';
import { memoryFiles, memoryFolder, memorySink } from './support.ts';

type Contents = Record<string, Uint8Array>;

const cache =
  (name: string, write: (sequence: MeshSequence, sink: ReturnType<typeof memorySink>) => Promise<unknown>) =>
  async (sequence: MeshSequence): Promise<Contents> => {
    const sink = memorySink();
    await write(sequence, sink);
    return { 'out/rest.obj': writeObj(sequence.rest), [`out/${name}`]: sink.bytes() };
  };

/** Format → the files of a sequence in it. */
const WRITERS: Record<string, (sequence: MeshSequence) => Promise<Contents>> = {
  frames: async (sequence) => {
    const folder = memoryFolder('out/');
    await writeObjSequence(sequence, folder);
    return folder.contents();
  },
  pc2: cache('cache.pc2', writePc2),
  mdd: cache('cache.mdd', writeMdd),
  abc: async (sequence) => {
    const sink = memorySink();
    await writeAlembic([sequence], sink);
    return { 'out/all.abc': sink.bytes() };
  },
  glb: async (sequence) => ({ 'out/all.glb': (await writeSequenceGlb(sequence)).bytes }),
};

async function through(format: string, sequence: MeshSequence): Promise<MeshSequence> {
  const { sequences } = await readAsset(memoryFiles(await WRITERS[format](sequence)), ['out']);
  expect(sequences).toHaveLength(1);
  await validateSequence(sequences[0]);
  return sequences[0];
}

/** The corners of all triangles in frame k: formats may number vertices in another order. */
async function corners({ rest, readFrame }: MeshSequence, k: number): Promise<number[]> {
  const frame = await readFrame(k);
  return Array.from(rest.triangles, (i) => [...frame.subarray(3 * i, 3 * i + 3)]).flat();
}

const P = 5;

function waving(mesh: Mesh, framesPerSecond: number, start = 0): MeshSequence {
  const random = seededRandom(3);
  const frames = Array.from({ length: P }, () => mesh.positions.map((x) => x + 0.3 * (random() - 0.5)));
  const times = Float64Array.from(frames, (_, k) => start + k / framesPerSecond);
  return memorySequence('tube', mesh, frames, times);
}

async function expectSame(got: MeshSequence, expected: MeshSequence): Promise<void> {
  expect(got.frameCount).toBe(expected.frameCount);
  expect(got.rest.uvs !== undefined).toBe(expected.rest.uvs !== undefined);
  for (let k = 0; k < expected.frameCount; k++) {
    expect(got.times[k]).toBeCloseTo(expected.times[k], 6);
    const [ours, theirs] = [await corners(got, k), await corners(expected, k)];
    expect(ours.length).toBe(theirs.length);
    // glTF holds differences to the rest pose, of about its size: one rounding to float32.
    const worst = ours.reduce((most, x, c) => Math.max(most, Math.abs(x - theirs[c])), 0);
    expect(worst).toBeLessThan(3e-7);
  }
}

const formats = Object.keys(WRITERS);

describe('a sequence from format to format', () => {
  const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const));

  it.each(pairs)('%s → %s', async (from, to) => {
    const original = waving(tubeMesh(3, 5), 24);
    await expectSame(await through(to, await through(from, original)), original);
  });

  it.each(['mdd', 'glb', 'pc2', 'abc'])('%s keeps times that start late, at another rate', async (format) => {
    const original = waving(tubeMesh(3, 5), 30, 1.5);
    await expectSame(await through(format, original), original);
  });

  it.each(['pc2', 'mdd', 'frames', 'abc'])(
    '%s keeps the order of the vertices and every bit of them',
    async (format) => {
      const original = waving(tubeMesh(3, 5), 24);
      const got = await through(format, original);
      for (let k = 0; k < P; k++) expect(await got.readFrame(k)).toEqual(await original.readFrame(k));
      // Alembic has no rest pose.
      expect(got.rest.positions).toEqual(format === 'abc' ? await original.readFrame(0) : original.rest.positions);
      expect(got.rest.triangles).toEqual(original.rest.triangles);
    },
  );
});
