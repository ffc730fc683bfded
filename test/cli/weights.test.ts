import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeObj } from '../../src/io/write-obj.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { codesOf } from '../notes.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { newDesk, type Outcome, type Refusal } from './pliant.ts';

const desk = newDesk();
const { folder } = desk;
const run = (...args: string[]): Outcome => desk.run('weights', ...args);
const json = (...args: string[]) => desk.json('weights', ...args);
const write = (name: string, text: string | Uint8Array) => writeFileSync(join(folder, name), text);

const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 50 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.1
0 0 0 0 0 0 0 0 0
0 0 0 0 0 0 30 0 0
10 0 0 0 0 0 60 0 0
`;

beforeAll(() => {
  expect(desk.run('sample', 'tube', '--resolution', '300', '--frames', '6').status).toBe(0);
  expect(desk.run('sample', 'box', '--resolution', '300', '--frames', '2').status).toBe(0);
  write('tube.obj', writeObj(sampleTube(300, 2, 24).mesh));
  write('post.bvh', BVH);
});

describe('weights', () => {
  it('binds a mesh to the skeleton of a rig, with its clips', async () => {
    const told = json('tube.obj', '--skeleton', 'tube.glb', '-o', 'bound.glb');
    expect(told.report.parts).toMatchObject([{ method: 'volume' }]);
    expect(told.parts).toMatchObject([{ bones: 4, influences: 4 }]);
    expect(told.clips.length).toBeGreaterThan(0);
    expect(told.input.map(({ files }: { files: string[] }) => files)).toEqual([['tube.obj'], ['tube.glb']]);
    expect(told.output).toEqual([{ path: 'bound.glb', bytes: told.figures.bytes }]);
    await expectValidGlb(new Uint8Array(readFileSync(join(folder, 'bound.glb'))));
    // The tube's own weights are not far from what is found.
    expect(desk.json('measure', 'tube.glb', 'bound.glb').figures.surfaceDistancePercent).toBeLessThan(1);
  });

  it('binds to motion capture in other units, which then moves the mesh', async () => {
    expect(codesOf(json('tube.obj', '--skeleton', 'post.bvh').notes)).toContain('skeleton-apart');
    const told = json('tube.obj', '--skeleton', 'post.bvh', '--align', '-o', 'aligned.glb');
    expect(codesOf(told.notes)).toEqual(['skeleton-aligned', 'clip-retargeted']);
    expect(told.clips).toEqual([expect.objectContaining({ name: 'post', frames: 3 })]);
    await expectValidGlb(new Uint8Array(readFileSync(join(folder, 'aligned.glb'))));
  });

  it('advises --align for a skeleton that lies apart, unless it was given', () => {
    write('across.bvh', BVH.replaceAll('0 50 0', '0 0 50'));
    const apart = (...flags: string[]) =>
      json('tube.obj', '--skeleton', 'across.bvh', ...flags).notes.find(
        ({ code }: { code: string }) => code === 'skeleton-apart',
      );
    expect(apart()).toMatchObject({ data: { aligned: false }, text: expect.stringContaining('--align') });
    expect(apart('--align')).toMatchObject({ data: { aligned: true }, text: expect.not.stringContaining('--align') });
  });

  it('trims a rig, and prints what that costs in every clip', () => {
    const { stdout } = run('tube.glb', '--influences', '1');
    expect(stdout).toMatch(/weights +from the file/);
    expect(stdout).toMatch(/trimmed to 1: \d+ vertices of \d+ lost over 1 % of their weight, at most \d+/);
    expect(stdout).toMatch(/trimming error in +frames +RMSE % +max %/);
  });

  it('writes an avatar under its own name', async () => {
    expect(run('tube.glb', '--influences', '2', '-o', 'avatar.vrm').status).toBe(0);
    await expectValidGlb(new Uint8Array(readFileSync(join(folder, 'avatar.vrm'))));
  });

  it('smooths the weights of a rig', () => {
    const [part] = json('tube.glb', '--smoothing', '2').report.parts;
    expect(part).toMatchObject({ smoothed: true });
    expect(part.method).toBeUndefined();
    expect(run('tube.glb', '--smoothing', '2').stdout).toMatch(/weights +from the file, smoothed/);
  });

  it('symmetrizes', () => {
    const [{ mirror }] = json('box.glb', '--method', 'heat', '--mirror-axis', 'z', '--symmetrize').report.parts;
    expect(mirror).toMatchObject({ axis: 'z', differing: 0, symmetrized: true });
    expect(mirror.matched).toBeGreaterThan(100);
  });

  it('adds clips by the names of joints, or by a map', () => {
    write('map.json', JSON.stringify({ Chest: 'bone2' }));
    const told = json('tube.glb', '--clips', 'post.bvh', '--map', 'map.json', '-o', 'moved.glb');
    expect(told.clips.at(-1).name).toBe('post');
    expect(told.notes).toMatchObject([{ code: 'clip-retargeted', about: 'post', data: { joints: 2 } }]);
  });

  it('gives the same bytes again', () => {
    for (const name of ['once.glb', 'twice.glb']) run('tube.obj', '--skeleton', 'tube.glb', '-o', name);
    expect(readFileSync(join(folder, 'twice.glb'))).toEqual(readFileSync(join(folder, 'once.glb')));
  });
});

describe('weights refuses', () => {
  it.each<[string, string[], Refusal]>([
    ['a mesh without a skeleton', ['tube.obj'], { code: 'not-found', file: 'tube.obj', reason: 'needs-skeleton' }],
    ['a map that is not JSON', ['--clips', 'post.bvh', '--map', 'tube.obj'], { code: 'bad-file', file: 'tube.obj' }],
    ['a map of something else', ['--clips', 'post.bvh', '--map', 'list.json'], { code: 'bad-file', file: 'list.json' }],
    ['bones to exclude that do not exist', ['--exclude', 'nose'], { code: 'not-found', option: 'exclude' }],
    ['flags of other methods', ['--exponent', '2'], { code: 'bad-option', option: 'exponent' }],
    ['flags of a file that is not written', ['--small'], { code: 'bad-option' }],
    ['too many influences', ['--influences', '9'], { code: 'bad-option', option: 'influences' }],
    ['methods that do not exist', ['--method', 'haet'], { code: 'bad-option', option: 'method' }],
    ['to write over its input', ['-o', 'tube.glb', '--force'], { code: 'bad-option', file: 'tube.glb' }],
    ['other outputs', ['-o', 'x.fbx'], { code: 'bad-option', file: 'x.fbx' }],
  ])('%s', (_, args, refusal) => {
    write('list.json', '[1]');
    desk.expectRefusal(['weights', ...(args[0].startsWith('-') ? ['tube.glb'] : []), ...args], refusal);
  });
});
