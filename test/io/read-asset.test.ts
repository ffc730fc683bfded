import { describe, expect, it } from 'vitest';
import { readAsset } from '../../src/io/read-asset.ts';
import { note } from '../../src/model/note.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { mddFile, pc2File } from './cache-fixtures.ts';
import { memoryFiles } from './support.ts';

const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
const OFF = 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n';
const FRAMES = [1, 2].map((by) => Array.from({ length: 9 }, (_, c) => c + by));
const PC2 = pc2File(FRAMES);
const MDD = mddFile(FRAMES, [0, 0.5]);
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const read = (contents: Record<string, Uint8Array | string>, paths: string[], options = {}) =>
  readAsset(memoryFiles(contents), paths, options);

const LFS = 'version https://git-lfs.github.com/spec/v1';
/** Each character as two bytes, the second 0. */
const wide = (text: string) => [...text].map((letter) => `${letter}\0`).join('');

describe('readAsset', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['a.obj', TRIANGLE, 'Wavefront OBJ'],
    ['a.OBJ', `# only\n\n# comments first\n${TRIANGLE}`, 'Wavefront OBJ'],
    ['no-extension', TRIANGLE, 'Wavefront OBJ'],
    ['a.txt', OFF, 'OFF'],
    ['a.off', `# comment\n${OFF}`, 'OFF'],
    ['a.bin', PC2, 'PC2 point cache'],
    ['a.cache', MDD, 'MDD motion cache'],
    ['a.bvh', 'HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 0\nFrame Time: 1\n', 'BVH motion'],
  ])('reads %s by its content', async (name, content, format) => {
    const asset = await read({ [name]: content }, [name]);
    expect(asset.format).toBe(format);
    expect(asset.bytes).toBe(content.length);
  });

  it.each<[string, string | Uint8Array, Refusal]>([
    ['a.ply', TRIANGLE, { file: 'a.ply', values: ['OBJ', 'PLY'] }],
    ['a.obj', OFF, { values: ['OFF', 'OBJ'] }],
    ['a.obj', PC2, { values: ['PC2'] }],
    ['a.pc2', TRIANGLE, { values: ['OBJ'] }],
    ['a.glb', 'HIERARCHY\n', { values: ['BVH'] }],
    ['a.obj', '', { file: 'a.obj' }],
    ['a.pc2', 'xxxx', { file: 'a.pc2', offset: 0 }],
    ['a.obj', latin1('\x00\x01\x02\x03'), { file: 'a.obj', line: 1 }],
  ])('refuses %s with other content', async (name, content, facts) => {
    await expectRefusal(read({ [name]: content }, [name]), 'bad-file', facts);
  });

  it.each<[string, string, Refusal]>([
    ['a.abc', '\x89HDF\r\n\x1a\n', { values: ['HDF5', 2013] }],
    ['a.fbx', 'Kaydara FBX Binary  \x00', { values: ['FBX'] }],
    ['a.blend', 'BLENDER-v300', { file: 'a.blend' }],
    ['a.usdc', 'PXR-USDC', { values: ['USD'] }],
    ['a.usda', '#usda 1.0\n', { values: ['USD'] }],
    ['a.usdz', 'PK\x03\x04', { values: ['USD'] }],
    ['a.obj', 'PK\x03\x04', { values: ['ZIP'] }],
    ['a.obj.gz', '\x1f\x8b\x08', { file: 'a.obj.gz' }],
    ['a.png', '\x89PNG\r\n\x1a\n', { file: 'a.png' }],
    ['a.stl', 'solid thing\nfacet normal 0 0 1\n', { values: ['STL', 'OBJ', 'PLY'] }],
    ['a.json', '{"weights": []}', { values: ['JSON', 'glTF'] }],
    ['a.dae', '<svg/>', { values: ['XML', 'COLLADA'] }],
    ['a.txt', 'Dear reader,\n', { values: ['OBJ', 'PLY'] }],
    ['a.glb', `${LFS}\noid sha256:4d7a\nsize 12345\n`, { values: ['Git LFS', 'git lfs pull'] }],
    ['a.glb', '<!DOCTYPE html>\n<html><body>404</body></html>', { values: ['web page', 'download'] }],
    ['a.obj', `${LFS}\noid sha256:4d7a\nsize 12345\n`, { values: ['Git LFS'] }],
    ['a.obj', `\xff\xfe${wide(TRIANGLE)}`, { values: ['UTF-16', 'UTF-8'] }],
    ['a.obj', wide(TRIANGLE), { values: ['UTF-16'] }],
    ['a.off', `\xfe\xff\0${wide(OFF)}`, { values: ['UTF-16'] }],
    ['a.gltf', '{"asset": {"version": "1.0"}, "meshes": {"a": {}}}', { values: ['glTF 1.0', 'gltf-pipeline'] }],
    ['a.gltf', '{"meshes": {"a": {}}, "techniques": {}}', { values: ['glTF 1.0'] }],
    ['a.glb', `glTF\x01\0\0\0\x18\0\0\0\x04\0\0\0\0\0\0\0{}  `, { values: ['glTF 1.0'] }],
  ])('does not support %s (%j)', async (name, content, facts) => {
    await expectRefusal(read({ [name]: latin1(content) }, [name]), 'unsupported', facts);
  });

  it('pairs one mesh and one cache of a folder, beside other things', async () => {
    for (const [cache, content] of [
      ['frames.pc2', PC2],
      ['frames.mdd', MDD],
    ] as const) {
      const contents = {
        'cloth/rest.obj': TRIANGLE,
        [`cloth/${cache}`]: content,
        'cloth/a.mtl': '',
        'cloth/.x.obj': '',
        'cloth/rig.json': '{}',
      };
      const asset = await read(contents, ['cloth/']);
      expect(asset.meshes).toEqual([]);
      expect(asset.sequences[0].name).toBe('cloth');
      expect(asset.sequences[0].rest.triangles.length).toBe(3);
      expect(await asset.sequences[0].readFrame(1)).toEqual(Float32Array.from(FRAMES[1]));
      expect(asset.bytes).toBe(TRIANGLE.length + content.length);
      expect(asset.format).toMatch(/ on Wavefront OBJ$/);
    }
  });

  it('pairs them in a list, and by the option', async () => {
    const contents = { 'm.obj': TRIANGLE, 'c.pc2': PC2, 'd.pc2': PC2 };
    expect((await read(contents, ['c.pc2', 'm.obj'])).sequences[0].frameCount).toBe(2);
    expect((await read(contents, ['m.obj'], { cache: 'c.pc2' })).sequences[0].name).toBe('m');
    expect((await read(contents, ['c.pc2'], { rest: 'm.obj' })).sequences[0].rest.triangles.length).toBe(3);
    await expectRefusal(read(contents, ['m.obj'], { cache: 'm.obj' }), 'bad-option', {
      option: 'cache',
      values: ['OBJ'],
    });
    await expectRefusal(read(contents, ['m.obj', 'c.pc2'], { cache: 'd.pc2' }), 'bad-option', { option: 'cache' });
    await expectRefusal(read(contents, ['m.obj'], { cache: 'none.pc2' }), 'not-found', { file: 'none.pc2' });
    await expectRefusal(read(contents, ['c.pc2'], { cache: 'd.pc2' }), 'bad-input', { values: [0] });
    await expectRefusal(read(contents, ['m.obj'], { cache: 'c.pc2', rest: 'x.obj' }), 'bad-option', { option: 'rest' });
  });

  it('takes a frame of a cache as rest pose', async () => {
    const { sequences } = await read({ 'm.obj': TRIANGLE, 'c.pc2': PC2 }, ['m.obj'], { cache: 'c.pc2', rest: '1' });
    expect(sequences[0].rest.positions).toEqual(Float32Array.from(FRAMES[1]));
    expect(sequences[0].rest.triangles.length).toBe(3);
  });

  it('reads a cache without a mesh as points, with a note', async () => {
    const asset = await read({ 'c.mdd': MDD }, ['c.mdd']);
    expect(asset.sequences[0].rest.triangles.length).toBe(0);
    expect(asset.notes).toEqual([note('cache-without-mesh', {})]);
  });

  it('closes what it opened when something is wrong', async () => {
    const files = memoryFiles({ 'f/m.obj': 'v 0 0 0\n', 'f/c.pc2': PC2, 'x.obj': 'v 0 0\n' });
    await expectRefusal(readAsset(files, ['f']), 'bad-file', { values: [3, 1] });
    await expectRefusal(readAsset(files, ['x.obj']), 'bad-file', { file: 'x.obj', line: 1 });
    expect(files.openCount()).toBe(0);
  });

  it('takes the frames, or the mesh and its cache, of a folder with scenes beside them, and says so', async () => {
    const scene = { 'f/out.glb': 'glTF', 'f/.hidden.obj': '', 'f/a.mtl': '', 'f/notes.txt': '', 'f/b.png': '' };
    const frames = await read({ ...scene, 'f/a1.OBJ': TRIANGLE, 'f/a2.obj': TRIANGLE, 'f/a10.obj': TRIANGLE }, ['f']);
    expect(frames.sequences[0].frameCount).toBe(3);
    expect(frames.notes).toEqual([note('scene-beside-frames', {}, 'out.glb'), expect.anything()]);
    const cached = await read({ ...scene, 'f/a.obj': TRIANGLE, 'f/a.pc2': PC2 }, ['f']);
    expect(cached.notes).toEqual([note('scene-beside-frames', {}, 'out.glb')]);
  });

  it('a file that brings its own mesh takes no other rest pose', async () => {
    const files = { 'a.obj': TRIANGLE, 'b.off': OFF };
    await expectRefusal(read(files, ['a.obj'], { rest: 'b.off' }), 'bad-option', { file: 'a.obj', option: 'rest' });
  });

  it('refuses what is ambiguous or missing', async () => {
    const contents = {
      'many/a.obj': TRIANGLE,
      'many/b.obj': TRIANGLE,
      'many/c.pc2': PC2,
      'caches/a.pc2': PC2,
      'caches/b.pc2': PC2,
      'mixed/a.obj': TRIANGLE,
      'mixed/b.off': OFF,
      'scenes/a.bvh': 'HIERARCHY\n',
      'scenes/b.obj': TRIANGLE,
      'nothing/readme.txt': 'hello',
      'a.obj': TRIANGLE,
    };
    const refuse = (paths: string[], code: 'bad-input' | 'bad-option' | 'not-found', facts: Refusal, options = {}) =>
      expectRefusal(read(contents, paths, options), code, facts);
    await refuse(['many'], 'bad-input', { values: [2, 1] });
    await refuse(['caches'], 'bad-input', { values: [0, 2] });
    await refuse(['mixed'], 'bad-input', { file: 'mixed/b.off', values: ['OBJ'] });
    await refuse(['scenes'], 'bad-input', { values: ['a.bvh'] });
    await refuse(['nothing'], 'bad-input', { file: 'nothing' });
    await refuse(['none'], 'not-found', { file: 'none' });
    await refuse(['a.obj', 'none.obj'], 'not-found', { file: 'none.obj' });
    await refuse(['a.obj', 'many'], 'bad-option', { file: 'many' });
    await refuse([], 'bad-option', {});
    await refuse(['a.obj'], 'bad-option', { option: 'rest' }, { rest: '0' });
    await refuse(['a.obj'], 'bad-option', { option: 'framesPerSecond', values: [0, 0.001] }, { framesPerSecond: 0 });
  });
});
