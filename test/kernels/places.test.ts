import { describe, expect, it } from 'vitest';
import { Places, placeArrays, viewArrays } from '../../src/kernels/places.ts';

const LINE = 64;

describe('places', () => {
  const table = {
    numbers: [Float64Array, 9],
    none: [Int32Array, 0],
    indices: [Int32Array, 3],
    bytes: [Uint8Array, 65],
  } as const;

  it('lie on cache lines of their own, none of them at 0', () => {
    const places = new Places();
    const at = placeArrays(table, places);
    const ends = Object.entries(at).map(([name, offset]) => {
      const [kind, length] = table[name as keyof typeof table];
      expect(offset % LINE).toBe(0);
      return [offset, offset + kind.BYTES_PER_ELEMENT * length];
    });
    expect(ends[0][0]).toBe(LINE);
    for (let n = 1; n < ends.length; n++) expect(ends[n][0]).toBeGreaterThanOrEqual(ends[n - 1][1]);
    expect(places.bytes).toBeGreaterThanOrEqual(ends[ends.length - 1][1]);
  });

  it('hold arrays of the kinds and lengths asked for, apart from each other', () => {
    const places = new Places();
    const at = placeArrays(table, places);
    const arrays = viewArrays(table, at, new ArrayBuffer(places.bytes));
    arrays.numbers.fill(1.5);
    arrays.indices.fill(-7);
    arrays.bytes.fill(200);
    expect([...arrays.numbers]).toEqual(new Array(9).fill(1.5));
    expect([...arrays.none]).toEqual([]);
    expect([...arrays.indices]).toEqual([-7, -7, -7]);
    expect([...arrays.bytes]).toEqual(new Array(65).fill(200));
  });
});
