import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/io/alembic/archive.ts';
import { bracket, unionOfTimes } from '../../../src/io/alembic/bracket.ts';
import { metaDataText, parseMetaData } from '../../../src/io/alembic/meta-data.ts';
import { PageCache } from '../../../src/io/alembic/page-cache.ts';
import { halfToFloat, numbersOf, PODS, textsOf } from '../../../src/io/alembic/pods.ts';
import { ReadAhead } from '../../../src/io/alembic/read-ahead.ts';
import { ACYCLIC, sampleTimes, samplingOf } from '../../../src/io/alembic/time-sampling.ts';
import { memorySource } from '../../../src/io/files.ts';
import { murmur3 } from '../../../src/math/murmur3.ts';
import { expectRefusal } from '../../refusal.ts';
import { bytesOf } from '../support.ts';
import { archiveOf, podBytes, rate, textBytes } from './fixtures.ts';

const open = async (bytes: Uint8Array) => openArchive(memorySource('test.abc', bytes), 'test');

/** The definition, with 64-bit integers: slow and obvious. */
function murmur3Slow(bytes: Uint8Array): Uint8Array {
  const mask = (1n << 64n) - 1n;
  const mul = (a: bigint, b: bigint) => (a * b) & mask;
  const rotate = (x: bigint, r: bigint) => ((x << r) | (x >> (64n - r))) & mask;
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const word = (from: number, to: number) => {
    let value = 0n;
    for (let c = Math.min(to, bytes.length) - 1; c >= from; c--) value = (value << 8n) | BigInt(bytes[c]);
    return value;
  };
  let h1 = 0n;
  let h2 = 0n;
  const blocks = Math.floor(bytes.length / 16);
  for (let b = 0; b < blocks; b++) {
    h1 ^= mul(rotate(mul(word(16 * b, 16 * b + 8), c1), 31n), c2);
    h1 = (mul((rotate(h1, 27n) + h2) & mask, 5n) + 0x52dce729n) & mask;
    h2 ^= mul(rotate(mul(word(16 * b + 8, 16 * b + 16), c2), 33n), c1);
    h2 = (mul((rotate(h2, 31n) + h1) & mask, 5n) + 0x38495ab5n) & mask;
  }
  h2 ^= mul(rotate(mul(word(16 * blocks + 8, 16 * blocks + 16), c2), 33n), c1);
  h1 ^= mul(rotate(mul(word(16 * blocks, 16 * blocks + 8), c1), 31n), c2);
  const mix = (x: bigint) => {
    let k = mul(x ^ (x >> 33n), 0xff51afd7ed558ccdn);
    k = mul(k ^ (k >> 33n), 0xc4ceb9fe1a85ec53n);
    return k ^ (k >> 33n);
  };
  h1 ^= BigInt(bytes.length);
  h2 ^= BigInt(bytes.length);
  h1 = (h1 + h2) & mask;
  h2 = (h2 + h1) & mask;
  h1 = mix(h1);
  h2 = mix(h2);
  h1 = (h1 + h2) & mask;
  h2 = (h2 + h1) & mask;
  return new Uint8Array(BigUint64Array.of(h1, h2).buffer);
}

describe('the key of a sample', () => {
  it('is MurmurHash3', () => {
    const hex = (text: string) => Buffer.from(murmur3(bytesOf(text))).toString('hex');
    // Published values, each half little-endian here.
    expect(hex('')).toBe('00000000000000000000000000000000');
    expect(hex('The quick brown fox jumps over the lazy dog')).toBe('6c1b07bc7bbc4be347939ac4a93c437a');
  });

  it('equals its definition', () => {
    const property = (bytes: Uint8Array): void => {
      expect(murmur3(bytes)).toEqual(murmur3Slow(bytes));
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), property), { seed: 5, numRuns: 300 });
    // Also where the bytes do not start at a word.
    property(new Uint8Array(100).map((_, c) => 7 * c * c).subarray(3));
  });
});

describe('plain old data', () => {
  it('half floats are float32 numbers', () => {
    expect([0, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555].map(halfToFloat)).toEqual([
      0,
      -0,
      1,
      -2,
      65504,
      2 ** -24,
      0.333251953125,
    ]);
    expect(halfToFloat(0x7c00)).toBe(Infinity);
    expect(halfToFloat(0x7e00)).toBeNaN();
  });

  it('numbers of every type come out, at any alignment', () => {
    const bytes = new Uint8Array(33).map((_, c) => (37 * c) % 251);
    for (const pod of PODS) {
      const aligned = numbersOf(bytes.slice(1), pod);
      expect(numbersOf(bytes.subarray(1), pod)).toEqual(aligned);
      expect(aligned.length).toBeGreaterThan(0);
    }
    expect([...numbersOf(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 'int64')]).toEqual([-1]);
    expect([...numbersOf(Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0), 'uint64')]).toEqual([2 ** 32 + 1]);
  });

  it('texts end with zeros', () => {
    expect(textsOf(bytesOf('größe\0\0b'), 'string')).toEqual(['größe', '', 'b']);
    expect(textsOf(new Uint8Array(Uint32Array.of(0x1f642, 0x41, 0).buffer), 'wstring')).toEqual(['🙂A']);
  });
});

describe('meta data', () => {
  it('is keys and values', () => {
    const text = metaDataText({ schema: 'A_v1', b: '2', a: 'x=y;z' });
    expect(text).toBe('a=x y z;b=2;schema=A_v1');
    expect([...parseMetaData('a=1;d=one; two;e=')]).toEqual([
      ['a', '1'],
      ['d', 'one; two'],
      ['e', ''],
    ]);
  });
});

describe('time samplings', () => {
  it('are uniform, cyclic or acyclic', () => {
    expect([...sampleTimes(rate(4, 1), 3)]).toEqual([1, 1.25, 1.5]);
    expect([...sampleTimes({ timePerCycle: 1, stored: Float64Array.of(0, 0.25) }, 5)]).toEqual([0, 0.25, 1, 1.25, 2]);
    expect([...sampleTimes({ timePerCycle: ACYCLIC, stored: Float64Array.of(1, 5, 6) }, 2)]).toEqual([1, 5]);
  });

  it('are uniform when written wherever times are even', () => {
    const even = Float64Array.from({ length: 100 }, (_, k) => 3 + k / 30);
    expect(samplingOf(even).stored).toHaveLength(1);
    sampleTimes(samplingOf(even), 100).forEach((time, k) => {
      expect(time).toBeCloseTo(even[k], 12);
    });
    const uneven = Float64Array.of(0, 1, 2, 2.5);
    expect(samplingOf(uneven)).toEqual({ timePerCycle: ACYCLIC, stored: uneven });
  });

  it('bracket a time', () => {
    const times = Float64Array.of(0, 1, 3);
    expect(bracket(times, -5)).toEqual({ before: 0, after: 0, fraction: 0 });
    expect(bracket(times, 0.25)).toEqual({ before: 0, after: 1, fraction: 0.25 });
    expect(bracket(times, 1 - 1e-9)).toEqual({ before: 1, after: 1, fraction: 0 });
    expect(bracket(times, 2)).toEqual({ before: 1, after: 2, fraction: 0.5 });
    expect(bracket(times, 9)).toEqual({ before: 2, after: 2, fraction: 0 });
    expect([...unionOfTimes([Float64Array.of(0, 1, 2), Float64Array.of(0.5, 1 + 1e-9, 3)])]).toEqual([0, 0.5, 1, 2, 3]);
  });
});

describe('reading through pages', () => {
  it('equals reading the source, with fewer reads', async () => {
    const bytes = new Uint8Array(300_000).map((_, c) => (c * 31) % 253);
    let reads = 0;
    const source = memorySource('a', bytes);
    const pages = new PageCache({
      ...source,
      read: (offset, length) => {
        reads++;
        return source.read(offset, length);
      },
    });
    const check = async (offset: number, length: number) =>
      expect(Buffer.compare(await pages.read(offset, length), bytes.subarray(offset, offset + length))).toBe(0);
    for (let offset = 0; offset < 299_000; offset += 997) await check(offset, 900);
    await check(65_000, 65_536);
    await check(0, 200_000);
    await check(299_999, 1);
    expect(reads).toBeLessThan(8);
    await expectRefusal(pages.read(299_999, 2), 'bad-file');
  });
});

describe('reading ahead', () => {
  it('equals reading the source, and pieces in order take few reads', async () => {
    const bytes = new Uint8Array(2 ** 21).map((_, c) => (c * 31) % 253);
    const source = memorySource('a', bytes);
    let reads = 0;
    const ahead = new ReadAhead({
      ...source,
      read: (offset, length) => {
        reads++;
        return source.read(offset, length);
      },
    });
    const check = async (offset: number, length: number) =>
      expect(Buffer.compare(await ahead.read(offset, length), bytes.subarray(offset, offset + length))).toBe(0);
    for (let offset = 0; offset + 9_000 < bytes.length; offset += 10_000) await check(offset, 9_000);
    expect(reads).toBeLessThan(7);
    // Here and there: each by itself, and nothing more.
    reads = 0;
    for (const offset of [2_000_000, 5, 1_500_000, 700_000]) await check(offset, 50_000);
    await check(bytes.length - 3, 3);
    expect(reads).toBeLessThanOrEqual(5);
    await expectRefusal(ahead.read(bytes.length - 3, 4), 'bad-file');
  });
});

describe('properties', () => {
  /** Samples → what is stored and what comes back. */
  const written = async (samples: readonly number[]) => {
    const bytes = await archiveOf(async (top, archive) => {
      const property = top.properties.scalar('n', { pod: 'uint32', sampling: archive.addSampling(rate(10)) });
      for (const sample of samples) await property.set(podBytes('uint32', [sample]));
    });
    const property = (await (await (await open(bytes)).top.properties()).property('n'))!;
    const read: number[] = [];
    for (let k = 0; k < samples.length; k++) read.push((await property.numbers(property.storedIndex(k)))[0]);
    return { property, read };
  };

  it('samples that repeat the first or the last are not stored', async () => {
    const { property, read } = await written([4, 4, 4, 5, 6, 5, 5, 7, 7, 7]);
    expect(read).toEqual([4, 4, 4, 5, 6, 5, 5, 7, 7, 7]);
    expect(property.header).toMatchObject({ firstChanged: 3, lastChanged: 7, samples: 10 });
    expect(property.stored).toBe(6);
    // 5 was written once.
    expect(property.block(1).offset).toBe(property.block(3).offset);
    expect(property.times[9]).toBeCloseTo(0.9, 12);
  });

  it('any samples come back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 }), async (samples) => {
        expect((await written(samples)).read).toEqual(samples);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it.each([1, 200, 300, 66_000])('%i samples have headers of the width they need', async (count) => {
    const bytes = await archiveOf(async (top) => {
      const property = top.properties.array('long', { pod: 'int8' });
      await property.set(Uint8Array.of(1, 2));
      for (let k = 1; k < count; k++) property.repeat();
      await top.properties.scalar('after', { pod: 'float64' }).set(podBytes('float64', [0.5]));
    });
    const properties = await (await open(bytes)).top.properties();
    const long = (await properties.property('long'))!;
    expect([long.samples, long.isConstant, long.stored]).toEqual([count, true, 1]);
    expect([...(await long.numbers(0))]).toEqual([1, 2]);
    expect([...(await (await properties.property('after'))!.numbers(0))]).toEqual([0.5]);
  });

  it('meta data is listed once, or follows when the list is full or the text is long', async () => {
    const long = 'x'.repeat(400);
    const bytes = await archiveOf(async (top) => {
      for (let p = 0; p < 300; p++) {
        await top.properties.scalar(`p${p}`, { pod: 'uint8', metaData: { number: String(p) } }).set(Uint8Array.of(1));
      }
      top.child('o', { text: long, schema: 'Other_v1' });
    });
    const { top } = await open(bytes);
    const { headers } = await top.properties();
    expect(headers.map(({ metaData }) => metaData.get('number'))).toEqual(
      Array.from({ length: 300 }, (_, p) => `${p}`),
    );
    expect(top.children[0].metaData.get('text')).toBe(long);
  });

  it('texts, wide texts and several dimensions come back', async () => {
    const bytes = await archiveOf(
      async (top) => {
        const inner = top.properties.compound('inner', { a: 'b' });
        await inner.array('words', { pod: 'string' }).set(textBytes(['one', '', 'drei ß'], 'string'), [3]);
        await inner.array('wide', { pod: 'wstring' }).set(textBytes(['🙂'], 'wstring'), [1]);
        await inner.scalar('word', { pod: 'string' }).set(textBytes(['alone'], 'string'));
        await inner.array('table', { pod: 'float32' }).set(podBytes('float32', [1, 2, 3, 4]), [2, 2]);
        await inner.array('empty', { pod: 'float32' }).set(new Uint8Array(0));
        inner.array('never', { pod: 'float32' });
      },
      { _ai_Description: 'one; two' },
    );
    const archive = await open(bytes);
    expect(archive.metaData.get('_ai_Description')).toBe('one  two');
    const inner = (await (await archive.top.properties()).compound('inner'))!;
    const texts = async (name: string) => (await inner.property(name))!.texts(0);
    expect(await texts('words')).toEqual(['one', '', 'drei ß']);
    expect(await texts('wide')).toEqual(['🙂']);
    expect(await texts('word')).toEqual(['alone']);
    expect([...(await (await inner.property('table'))!.numbers(0))]).toEqual([1, 2, 3, 4]);
    expect((await (await inner.property('empty'))!.numbers(0)).length).toBe(0);
    expect((await inner.property('never'))!.samples).toBe(0);
    expect(await inner.property('absent')).toBeUndefined();
    expect(await inner.compound('words')).toBeUndefined();
  });
});
