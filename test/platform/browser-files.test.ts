import { describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { blobFiles } from '../../src/platform/browser/index.ts';
import { pc2File } from '../io/cache-fixtures.ts';
import { expectRefusal } from '../refusal.ts';

/** A file as a browser gives it: with its path when it comes from a picked folder. */
function pickedFile(path: string, content: string | Uint8Array<ArrayBuffer>): File {
  const file = new File([content], path.slice(path.lastIndexOf('/') + 1));
  Object.defineProperty(file, 'webkitRelativePath', { value: path.includes('/') ? path : '' });
  return file;
}

const files = blobFiles([
  pickedFile('cloth/rest.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'),
  pickedFile('cloth/frames.pc2', pc2File([[1, 2, 3, 4, 5, 6, 7, 8, 9]]) as Uint8Array<ArrayBuffer>),
  pickedFile('cloth/sub/other.txt', 'hello'),
  pickedFile('single.obj', 'v 0 0 0\n'),
]);

describe('blobFiles', () => {
  it('knows files and folders by path', async () => {
    expect(await files.kind('single.obj')).toBe('file');
    expect(await files.kind('cloth')).toBe('folder');
    expect(await files.kind('./cloth/sub/')).toBe('folder');
    expect(await files.kind('.')).toBe('folder');
    expect(await files.kind('clo')).toBe('missing');
    expect((await files.list('cloth')).sort()).toEqual(['frames.pc2', 'rest.obj']);
    expect(await files.list('')).toEqual(['single.obj']);
  });

  it('reads pieces', async () => {
    const source = await files.open('cloth/sub/../sub/other.txt');
    expect(new TextDecoder().decode(await source.read(1, 3))).toBe('ell');
    await expectRefusal(source.read(1, 5), 'bad-file', { offset: 1 });
    await source.close();
  });

  it('says what is missing', async () => {
    await expectRefusal(files.open('none'), 'not-found', { file: 'none' });
    await expectRefusal(files.list('none'), 'not-found', { file: 'none' });
  });

  it('serves readAsset', async () => {
    const { sequences } = await readAsset(files, ['cloth']);
    expect([...(await sequences[0].readFrame(0))]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
