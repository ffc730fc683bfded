import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BlobStore } from '../../src/platform/node/queue/store.ts';
import { expectRefusal, refusal } from '../refusal.ts';

const newStore = () => BlobStore.open(mkdtempSync(join(tmpdir(), 'pliant-store-')));
const bytes = Uint8Array.of(1, 2, 3);
/** SHA-256 of 1, 2, 3, as sha256sum prints it. */
const HASH = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81';

describe('a store', () => {
  it('gives back what was put, under its SHA-256', async () => {
    const store = await newStore();
    expect(await store.put(bytes)).toEqual({ hash: HASH, bytes: 3 });
    expect(await store.put(bytes)).toEqual({ hash: HASH, bytes: 3 });
    expect(await store.read(HASH)).toEqual(bytes);
    expect(await store.size(HASH)).toBe(3);
    const path = join(store.folder, 'copy');
    await store.copy(HASH, path);
    expect(await store.putFile(path, HASH)).toEqual({ hash: HASH, bytes: 3 });
    expect([...readFileSync(path)]).toEqual([1, 2, 3]);
    expect(readdirSync(join(store.folder, 'part'))).toEqual([]);
  });

  it('refuses what is missing, damaged, too large or no hash', async () => {
    const store = await newStore();
    await expectRefusal(store.read(HASH), 'not-found', { file: HASH });
    await store.put(bytes);
    await expectRefusal(store.read(HASH, 2), 'too-large', { values: [3, 2] });
    writeFileSync(store.pathOf(HASH), Uint8Array.of(3, 2, 1));
    await expectRefusal(store.read(HASH), 'bad-file', { file: HASH });
    await expectRefusal(store.copy(HASH, join(store.folder, 'copy')), 'bad-file', { file: HASH });
    // What is put again is whole again.
    await store.put(bytes);
    expect(await store.read(HASH)).toEqual(bytes);
    for (const name of ['../../etc/passwd', '', HASH.toUpperCase(), `${HASH}/..`, `../${HASH.slice(3)}`])
      expect(() => store.pathOf(name)).toThrow(refusal('bad-option'));
    const changed = join(store.folder, 'changed');
    writeFileSync(changed, 'other');
    await expectRefusal(store.putFile(changed, 'a'.repeat(64)), 'bad-file', { file: changed });
  });

  it('knows results by the name of their jobs, as long as their blobs are there', async () => {
    const store = await newStore();
    const key = 'b'.repeat(64);
    expect(await store.result(key)).toBeUndefined();
    await store.putResult(key, { hash: HASH, bytes: 3 });
    expect(await store.result(key)).toBeUndefined();
    await store.put(bytes);
    expect(await store.result(key)).toEqual({ hash: HASH, bytes: 3 });
    await store.forget(key, HASH);
    expect(await store.result(key)).toBeUndefined();
  });

  it('removes what was half-written a day ago', async () => {
    const store = await newStore();
    const [old, recent] = ['1-a', '1-b'].map((name) => join(store.folder, 'part', name));
    for (const path of [old, recent]) writeFileSync(path, '');
    utimesSync(old, 0, 0);
    await BlobStore.open(store.folder);
    expect(readdirSync(join(store.folder, 'part'))).toEqual(['1-b']);
  });
});
