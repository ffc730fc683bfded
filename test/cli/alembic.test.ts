import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addMesh, addOther, archiveOf, fullArchive, SQUARE } from '../io/alembic/fixtures.ts';
import { codesOf } from '../notes.ts';
import { newDesk } from './pliant.ts';

describe('Alembic on the command line', () => {
  const { folder, run, json, expectRefusal } = newDesk();
  const put = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, name), bytes);

  it('info lists objects, samples, times and sizes', async () => {
    put('full.abc', await fullArchive());
    const { status, stdout } = run('info', 'full.abc');
    expect(status).toBe(0);
    expect(stdout).toMatch(/full\.abc: Alembic \(Ogawa\), 5\.\d kB/);
    expect(stdout).toMatch(/\/move\/square +mesh, 4 samples from 0 s to 0\.08333 s, \d+ B/);
    expect(stdout).toMatch(/\/again +instance of \/move\/square/);
    const { report, notes } = json('info', 'full.abc');
    expect(codesOf(notes)).toContain('not-read');
    const [asset] = report.assets;
    expect(asset.sequences.map(({ name }: { name: string }) => name)).toEqual(['square', 'two', 'again']);
    expect(asset.objects[1]).toMatchObject({ path: '/move/square', kind: 'mesh', samples: 4, from: 0, to: 1 / 12 });
  });

  it('an archive goes into a skinned model in one step', () => {
    json('sample', 'flag', '--resolution', '100', '--frames', '6', '-o', 'flag.glb');
    json('convert', 'flag.glb', 'flag.abc');
    json('fit', 'flag.abc', '--bones', '4', '-o', 'fitted.glb');
    expect(json('info', 'fitted.glb')).toMatchObject({ parts: [{ bones: 4 }], clips: [{ frames: 6 }] });
  });

  it('what cannot be used is said', async () => {
    put('hair.abc', await archiveOf(async (top) => addOther(top, 'hair', 'AbcGeom_Curve_v2')));
    expectRefusal(['fit', 'hair.abc', '-o', 'x.glb'], { code: 'not-found', file: 'hair.abc' });
    const counts = [[4], [3, 3]];
    const indices = [SQUARE.indices, [0, 2, 1, 0, 3, 2]];
    put('fluid.abc', await archiveOf(async (top) => void (await addMesh(top, 'fluid', { counts, indices }))));
    expectRefusal(['info', 'fluid.abc'], { code: 'unsupported', file: 'fluid.abc' });
    put('cut.abc', (await fullArchive()).slice(0, -200));
    expectRefusal(['info', 'cut.abc'], { code: 'bad-file', file: 'cut.abc' });
    put(
      'old.abc',
      Uint8Array.from('\x89HDF\r\n\x1a\n', (character) => character.charCodeAt(0)),
    );
    expectRefusal(['info', 'old.abc'], { code: 'unsupported', file: 'old.abc' });
  });
});
