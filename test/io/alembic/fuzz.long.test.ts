import { describe, expect, it } from 'vitest';
import { PliantError } from '../../../src/error.ts';
import { type Random, seededRandom } from '../../../src/math/rng.ts';
import { validateMesh } from '../../../src/model/mesh.ts';
import { validateSequence } from '../../../src/model/sequence.ts';
import { fullArchive, openBytes } from './fixtures.ts';

/** Mutations that know where an archive's offsets, sizes and headers are: bytes at random seldom meet them. */
const COUNT = 5_000;
const SEED = 2013;

const TOP_BIT = 1n << 63n;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)];

/** Offsets of all entries of groups, and of all groups and blocks. */
function anatomy(bytes: Uint8Array): { entries: number[]; starts: number[] } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: number[] = [];
  const starts: number[] = [];
  const visit = (group: number): void => {
    const count = Number(view.getBigUint64(group, true));
    for (let c = 0; c < count; c++) {
      const entry = group + 8 + 8 * c;
      const child = view.getBigUint64(entry, true);
      entries.push(entry);
      if ((child & ~TOP_BIT) === 0n) continue;
      starts.push(Number(child & ~TOP_BIT));
      if (child < TOP_BIT) visit(Number(child));
    }
  };
  visit(Number(view.getBigUint64(8, true)));
  return { entries, starts };
}

describe(`${COUNT} mutations (seed ${SEED}) of the offsets, sizes and headers of an archive`, () => {
  it('end in a valid result or in a PliantError that blames the file', async () => {
    const valid = await fullArchive();
    const { entries, starts } = anatomy(valid);
    const counts = { accepted: 0, refused: 0 };
    for (let n = 0; n < COUNT; n++) {
      const random = seededRandom(SEED + n);
      const bytes = valid.slice();
      const view = new DataView(bytes.buffer);
      for (let edit = Math.ceil(3 * random()); edit > 0; edit--) {
        const kind = random();
        if (kind < 0.4) view.setBigUint64(pick(random, entries), view.getBigUint64(pick(random, entries), true), true);
        else if (kind < 0.6) view.setBigUint64(pick(random, starts), BigInt(Math.floor(200 * random())), true);
        else if (kind < 0.7) view.setBigUint64(pick(random, starts), 1n << BigInt(Math.floor(64 * random())), true);
        else {
          const at = Math.min(bytes.length - 1, pick(random, starts) + 8 + Math.floor(60 * random()));
          bytes[at] = pick(random, [0, 1, 2, 0x7f, 0x80, 0xff, Math.floor(256 * random())]);
        }
      }
      try {
        const asset = await openBytes(bytes);
        for (const mesh of asset.meshes) validateMesh(mesh);
        for (const sequence of asset.sequences) await validateSequence(sequence);
        counts.accepted++;
      } catch (error) {
        const blamesFile = error instanceof PliantError && error.code !== 'internal';
        if (!blamesFile || /^validate/.test(error.message))
          throw new Error(`mutation ${n}: ${error}`, { cause: error });
        counts.refused++;
      }
    }
    expect(counts.accepted).toBeGreaterThan(COUNT / 10);
    expect(counts.refused).toBeGreaterThan(COUNT / 10);
  });
});
