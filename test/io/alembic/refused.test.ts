import { describe, expect, it } from 'vitest';
import { readAlembic } from '../../../src/io/read-alembic.ts';
import { readAsset } from '../../../src/io/read-asset.ts';
import { note } from '../../../src/model/note.ts';
import { validateSequence } from '../../../src/model/sequence.ts';
import { blobFiles } from '../../../src/platform/browser/files.ts';
import { expectRefusal } from '../../refusal.ts';
import { memoryFiles } from '../support.ts';
import { addMesh, addOther, addXform, archiveOf, fullArchive, OPS, openBytes, rate, SQUARE } from './fixtures.ts';
import { countingSource, opened } from './opened.ts';

describe('what is not read', () => {
  it('archives without meshes say what they hold', async () => {
    const bytes = await archiveOf(async (top) => {
      await addOther(top, 'hair', 'AbcGeom_Curve_v2');
      await addOther(top, 'eye', 'AbcGeom_Camera_v1');
      await addOther(top, 'eye2', 'AbcGeom_Camera_v1');
      await addOther(top, 'thing', 'Studio_Thing_v3');
    });
    const asset = await opened(bytes);
    expect([...asset.meshes, ...asset.sequences]).toEqual([]);
    const others: [string, number][] = [
      ['curves', 1],
      ['camera', 2],
      ['Studio_Thing_v3', 1],
    ];
    expect(asset.notes).toEqual(
      others.map(([kind, count]) => note('not-read', { what: 'objects', names: [kind], count })),
    );
    expect(asset.objects?.map(({ kind }) => kind)).toEqual(['curves', 'camera', 'camera', 'Studio_Thing_v3']);
  });

  const changing = { counts: [[4], [4], [3, 3]], indices: [SQUARE.indices, SQUARE.indices, [0, 2, 1, 0, 3, 2]] };
  const frames = [SQUARE.points, SQUARE.points, [...SQUARE.points, 5, 5, 5]];

  it('faces that change are refused, with the sample and the numbers', async () => {
    const bytes = await archiveOf(async (top) => void (await addMesh(top, 'fluid', { ...changing, frames })));
    await expectRefusal(openBytes(bytes), 'unsupported', { file: 'test.abc', values: ['/fluid', 2, 4, 1, 5, 2] });
  });

  it('and left out with a note where there are other meshes', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'fluid', { ...changing, frames });
      await addMesh(top, 'glass');
    });
    const { meshes, notes } = await opened(bytes);
    expect(meshes.map(({ name }) => name)).toEqual(['glass']);
    expect(notes).toEqual([note('faces-change', { sample: 2, vertices: [4, 5], faces: [1, 2] }, '/fluid')]);
  });

  it('faces that come back to what they were change too', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'm', { counts: [[4], [4]], indices: [SQUARE.indices, [1, 0, 3, 2]] });
    });
    await expectRefusal(openBytes(bytes), 'unsupported', { values: [1, 4, 1] });
  });

  it('meshes without samples or vertices are left out', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'never', { frames: [], counts: [], indices: [] });
      await addMesh(top, 'empty', { frames: [[]], counts: [[]], indices: [[]] });
    });
    expect((await opened(bytes)).notes).toEqual([
      note('object-not-read', { reason: 'no-samples' }, '/never'),
      note('object-not-read', { reason: 'no-vertices' }, '/empty'),
    ]);
  });

  it('the rest pose of an archive is a frame, not another file', async () => {
    const files = memoryFiles({ 'a.abc': await fullArchive(), 'r.obj': 'v 0 0 0\n' });
    await expectRefusal(readAsset(files, ['a.abc'], { rest: 'r.obj' }), 'bad-option', { option: 'rest' });
    await expectRefusal(readAsset(files, ['a.abc'], { rest: '99' }), 'bad-option', { values: [99] });
    expect(files.openCount()).toBe(0);
    const asset = await readAsset(files, ['a.abc'], { rest: '1' });
    expect(asset.sequences[0].rest.positions).toEqual(await asset.sequences[0].readFrame(1));
  });
});

describe('files', () => {
  it('may be dropped on a page', async () => {
    const files = blobFiles([new File([new Uint8Array(await fullArchive())], 'sim.abc')]);
    const { sequences } = await readAsset(files, ['sim.abc']);
    await validateSequence(sequences[0]);
  });

  it('are closed with the last sequence, or at once', async () => {
    const source = countingSource(await fullArchive());
    const { sequences } = await readAlembic(source);
    expect(sequences).toHaveLength(3);
    for (const sequence of sequences) {
      expect(source.closed()).toBe(0);
      await sequence.close?.();
      await sequence.close?.();
    }
    expect(source.closed()).toBe(1);
    const still = countingSource(await archiveOf(async (top) => void (await addMesh(top, 'm'))));
    await readAlembic(still);
    expect(still.closed()).toBe(1);
    const broken = countingSource((await fullArchive()).slice(0, 1000));
    await expectRefusal(readAlembic(broken), 'bad-file', { file: 'test.abc', offset: 1000 });
    expect(broken.closed()).toBe(1);
  });

  it('are opened by their index: many objects in few reads, frames not at all', async () => {
    const n = 2_000;
    const bytes = await archiveOf(async (top, archive) => {
      const sampling = archive.addSampling(rate(24));
      const points = (z: number) => Array.from({ length: 3 * n }, (_, c) => (c % 3 === 2 ? z : c));
      for (let m = 0; m < 40; m++) {
        const x = await addXform(top, `x${m}`, { ops: [OPS.translate], values: [[m, 0, 0]] });
        const frames = Array.from({ length: 10 }, (_, k) => points(10 * m + k));
        await addMesh(x, 'm', { frames, counts: [[3]], indices: [[0, 1, 2]], sampling });
      }
    });
    const source = countingSource(bytes);
    const { sequences } = await readAlembic(source);
    expect(sequences).toHaveLength(40);
    // About 9.6 MB, of which the first samples are a tenth; some ten thousand groups and blocks.
    const opening = source.reads();
    expect(opening).toBeLessThan(40 * 12);
    await sequences[3].readFrame(7);
    expect(source.reads() - opening).toBe(1);
    await sequences[3].readFrame(7);
    expect(source.reads() - opening).toBe(1);
  });
});
