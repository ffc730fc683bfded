import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { fuzzReader, mutation } from './fuzz.ts';

const files = [new TextEncoder().encode('abc 1 2 3\nabc 4 5 6\n')];

/** A reader of "abc" files that misbehaves as told. */
const reader = (misbehave: () => void) => async (bytes: Uint8Array) => {
  if (bytes[0] !== 0x61) {
    misbehave();
    throw new PliantError('bad-file', 'test', 'no abc');
  }
};

describe('the fuzzing harness', () => {
  it('counts what was accepted and refused', async () => {
    const counts = await fuzzReader(
      'test',
      files,
      reader(() => {}),
      300,
      1,
    );
    expect(counts.accepted + counts.refused).toBe(300);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(0);
  });

  it('gives the same bytes for the same seed', () => {
    expect(mutation(files, 3, 17)).toEqual(mutation(files, 3, 17));
    expect(mutation(files, 3, 17)).not.toEqual(mutation(files, 4, 17));
  });

  it('finds a reader that throws something else', async () => {
    const bad = reader(() => {
      throw new TypeError('oops');
    });
    await expect(fuzzReader('test', files, bad, 300, 1)).rejects.toThrow(/threw TypeError: oops for mutation/);
  });

  it('finds a reader that blames itself', async () => {
    const bad = reader(() => {
      throw new PliantError('internal', 'test', 'oops');
    });
    await expect(fuzzReader('test', files, bad, 300, 1)).rejects.toThrow(/blamed itself/);
  });

  it('finds a reader that returns something invalid', async () => {
    const bad = reader(() => validateMesh({ positions: Float32Array.of(Number.NaN), triangles: new Uint32Array(0) }));
    await expect(fuzzReader('test', files, bad, 300, 1)).rejects.toThrow(/returned something invalid \(validateMesh/);
  });

  it('finds a reader that allocates too much', async () => {
    const kept: Uint8Array[] = [];
    const bad = reader(() => {
      if (kept.length === 0) kept.push(new Uint8Array(100 * 2 ** 20));
    });
    await expect(fuzzReader('test', files, bad, 300, 1)).rejects.toThrow(/allocated/);
  });
});
