import { describe, expect, it } from 'vitest';
import { clothModel, coarseClip } from '../../src/cloth/cloth-model.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { barycentric } from '../../src/cloth/guide.ts';
import { trainUpsampler } from '../../src/cloth/upsampler/train.ts';
import { Upsampler } from '../../src/cloth/upsampler/upsampler.ts';
import { parseContainer } from '../../src/io/gltf/container.ts';
import { packData, unpackData } from '../../src/io/gltf/packed-data.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { type TrainedCloth, validateTrainedCloth } from '../../src/model/trained-cloth.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { fuzzReader } from '../io/fuzz.ts';
import { readGlb } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { squeezedPair, wavy } from './squeezed-pair.ts';

const pair = squeezedPair(wavy, 12);

async function trained(): Promise<TrainedCloth> {
  const { upsampler } = await trainUpsampler([pair], { examples: 5, modes: 3 });
  return {
    name: 'sheet',
    coarse: pair.coarse.rest,
    fine: pair.fine.rest,
    pinned: { coarse: Uint32Array.of(0), fine: Uint32Array.of(0, 1) },
    thickness: 0.006,
    method: 'learned',
    physics: 'quiet',
    body: true,
    upsampler,
  };
}

const fileOf = async (cloth: TrainedCloth, good = cloth): Promise<Uint8Array> =>
  (await writeModelGlb(clothModel(good, [await coarseClip(pair.coarse, 5)]), { cloth })).bytes;

describe('trained cloth in a GLB', () => {
  it('survives bit for bit, and the file is valid', async () => {
    const cloth = await trained();
    const bytes = await fileOf(cloth);
    const { json } = parseContainer(bytes) as {
      json: { extensions: Record<string, { accessor: number; extras: object }> };
    };
    await expectValidGlb(bytes, [`/accessors/${json.extensions.PLIANT_cloth.accessor}`]);
    expect(json.extensions.PLIANT_cloth.extras).toEqual({ name: 'sheet', method: 'learned', physics: 'quiet' });
    const asset = await readGlb(bytes);
    expect(asset.cloths).toEqual([cloth]);
  });

  it('shows the embedding of its clip in any player', async () => {
    const cloth = await trained();
    const { models } = await readGlb(await fileOf(cloth));
    const shown = posedSequence(models[0], 0);
    const embedding = new Embedding(cloth.coarse, cloth.fine);
    const [rest, posed] = [new Float64Array(3 * embedding.count), new Float64Array(3 * embedding.count)];
    barycentric(embedding, cloth.coarse.positions, rest);
    barycentric(embedding, await pair.coarse.readFrame(3), posed);
    const frame = await shown.readFrame(3);
    frame.forEach((x, c) => {
      expect(x).toBeCloseTo(posed[c] + cloth.fine.positions[c] - rest[c], 5);
    });
  });

  it('that contradicts itself is refused by name', async () => {
    const cloth = await trained();
    const u = cloth.upsampler!;
    const damages: [object, RegExp][] = [
      [{ coarse: undefined }, /coarse mesh/],
      [{ fine: { ...cloth.fine, triangles: new Uint32Array() } }, /fine mesh/],
      [{ pinned: { ...cloth.pinned, fine: Uint32Array.of(9999) } }, /pins of the fine mesh/],
      [{ thickness: -1 }, /thickness/],
      [{ method: 'magic' }, /method/],
      [{ physics: 'magic' }, /physics/],
      [{ body: 1 }, /body/],
      [{ upsampler: undefined }, /upsampler/],
      [{ upsampler: { ...u, modes: 0.5 } }, /modes/],
      [{ upsampler: { ...u, basis: new Int8Array(3) } }, /basis/],
      [{ upsampler: { ...u, directions: new Int8Array(3) } }, /directions/],
      [{ upsampler: { ...u, matrices: u.matrices.map(() => Number.NaN) } }, /matrices/],
    ];
    for (const [damage, message] of damages) {
      const broken = { ...cloth, ...damage } as TrainedCloth;
      await expect(readGlb(await fileOf(broken, cloth))).rejects.toThrow(message);
    }
    expect(() => validateTrainedCloth(undefined)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });

  it('that is damaged is refused or can be run', async () => {
    const cloth = await trained();
    const use = (read: TrainedCloth | undefined) => {
      if (!read?.upsampler) return;
      const embedding = new Embedding(read.coarse, read.fine);
      const pose = Float64Array.from(read.coarse.positions);
      const out = new Float64Array(3 * embedding.count);
      new Upsampler(read.upsampler, read.coarse, embedding).apply(pose, undefined, out);
    };
    const packed = async (bytes: Uint8Array) => use(validateTrainedCloth(unpackData(bytes), 'readGltf'));
    const asFile = async (bytes: Uint8Array) => use((await readGlb(bytes)).cloths?.[0]);
    expect((await fuzzReader('packed cloth', [packData(cloth)], packed, 150, 8)).refused).toBeGreaterThan(10);
    expect((await fuzzReader('cloth', [await fileOf(cloth)], asFile, 100, 7)).refused).toBeGreaterThan(10);
  });
});
