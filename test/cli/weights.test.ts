import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeObj } from '../../src/io/write-obj.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { newDesk, type Outcome } from './pliant.ts';

const desk = newDesk();
const { folder } = desk;
const run = (...args: string[]): Outcome => desk.run('weights', ...args);
const json = (...args: string[]) => desk.json('weights', ...args);
const expectRefusal = (args: string[], message: RegExp): void => desk.expectRefusal(['weights', ...args], message);
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
    const [model] = told.models;
    expect(model).toMatchObject({ method: 'heat', bones: 4, influences: 4, clips: expect.any(Array) });
    expect(model.clips.length).toBeGreaterThan(0);
    expect(told.written).toEqual([{ path: 'bound.glb', bytes: expect.any(Number) }]);
    await expectValidGlb(new Uint8Array(readFileSync(join(folder, 'bound.glb'))));
    // The tube's own weights are not far from what heat finds.
    const measured = desk.json('measure', 'tube.glb', 'bound.glb');
    expect(measured.figures.surfaceDistancePercent).toBeLessThan(1);
  });

  it('binds to motion capture in other units, which then moves the mesh', async () => {
    const without = json('tube.obj', '--skeleton', 'post.bvh');
    expect(without.notes.join()).toMatch(/hardly overlap .* --align moves the skeleton/);
    const told = json('tube.obj', '--skeleton', 'post.bvh', '--align', '-o', 'aligned.glb');
    expect(told.notes.join()).toMatch(/The skeleton was scaled by/);
    expect(told.notes.join()).not.toMatch(/hardly/);
    expect(told.models[0].clips).toEqual(['post']);
    expect(told.models[0].trimming).toEqual([expect.objectContaining({ clip: 'post', frames: 3 })]);
    await expectValidGlb(new Uint8Array(readFileSync(join(folder, 'aligned.glb'))));
  });

  it('trims a rig, and tells of every clip what that costs', () => {
    const [model] = json('tube.glb', '--influences', '1').models;
    expect(model.method).toBeUndefined();
    expect(model.influences).toBe(1);
    expect(model.trimming.length).toBeGreaterThan(0);
    for (const { rmsePercent, maxErrorPercent, worst } of model.trimming) {
      expect(rmsePercent).toBeGreaterThan(0);
      expect(maxErrorPercent).toBeGreaterThan(rmsePercent);
      expect(worst).toHaveLength(5);
    }
    const { stdout } = run('tube.glb', '--influences', '1');
    expect(stdout).toMatch(/weights +as in the file/);
    expect(stdout).toMatch(/trimmed to 1: \d+ vertices of \d+ lost over 1 % of their weight, at most \d+/);
    expect(stdout).toMatch(/error of trimming in +frames +RMSE % +max %/);
  });

  it('gives a rig new weights when a method is named, else keeps or smooths them', () => {
    expect(json('tube.glb', '--method', 'rigid').models[0]).toMatchObject({ method: 'rigid', influences: 1 });
    expect(json('tube.glb', '--method', 'geodesic', '--exponent', '2').models[0].method).toBe('geodesic');
    const smoothed = json('tube.glb', '--smoothing', '3').models[0];
    expect(smoothed.method).toBeUndefined();
  });

  it('symmetrizes', () => {
    const { mirror } = json('box.glb', '--method', 'heat', '--mirror-axis', 'z', '--symmetrize').models[0];
    expectRefusal(['tube.glb', '--mirror-axis', 'z', '--symmetrize'], /the mesh is not symmetric across z/);
    expect(mirror).toMatchObject({ axis: 'z', differing: 0, symmetrized: true });
    expect(mirror.matched).toBeGreaterThan(100);
  });

  it('adds clips by the names of joints, or by a map', () => {
    write('map.json', JSON.stringify({ Chest: 'bone2' }));
    const told = json('tube.glb', '--clips', 'post.bvh', '--map', 'map.json', '-o', 'moved.glb');
    expect(told.models[0].clips.at(-1)).toBe('post');
    expect(told.notes.join()).toMatch(/Clip post: 1 of 2 joints move bones/);
    expect(json('tube.glb', '--clips', 'tube.glb').models[0].clips.length).toBeGreaterThan(1);
  });

  it('gives the same bytes again', () => {
    for (const name of ['once.glb', 'twice.glb']) run('tube.obj', '--skeleton', 'tube.glb', '-o', name);
    expect(readFileSync(join(folder, 'twice.glb'))).toEqual(readFileSync(join(folder, 'once.glb')));
  });
});

describe('weights refuses', () => {
  it.each<[string, string[], RegExp]>([
    ['a mesh without a skeleton', ['tube.obj'], /tube\.obj: holds no rig: name a skeleton with --skeleton/],
    ['a skeleton that is none', ['tube.obj', '--skeleton', 'tube.obj'], /tube\.obj: holds no skeleton/],
    ['alignment of a rig with itself', ['tube.glb', '--align'], /--align needs --skeleton/],
    ['a map without clips', ['tube.glb', '--map', 'map.json'], /--map needs --clips/],
    ['a map that is none', ['tube.glb', '--clips', 'post.bvh', '--map', 'tube.obj'], /tube\.obj: is not JSON/],
    ['clips of a stranger', ['tube.glb', '--clips', 'post.bvh'], /no joint of clip "post" has the name of a bone/],
    ['bones to exclude that do not exist', ['tube.glb', '--exclude', 'nose'], /--exclude names no bone \(got nose/],
    ['flags of other methods', ['tube.glb', '--exponent', '2'], /--exponent applies to --method geodesic/],
    ['flags of a file that is not written', ['tube.glb', '--small'], /need an output/],
    [
      'too many influences',
      ['tube.glb', '--influences', '9'],
      /--influences \(got 9, expected a whole number from 1 to 8\)/,
    ],
    ['methods that do not exist', ['tube.glb', '--method', 'haet'], /did you mean heat\?/],
    ['to write over its input', ['tube.glb', '-o', 'tube.glb', '--force'], /tube\.glb: is also an input/],
    ['other outputs', ['tube.glb', '-o', 'x.fbx'], /x\.fbx: cannot write this kind of output/],
    ['objects that do not exist', ['tube.glb', '--object', 'zzz'], /no such object \(got zzz/],
  ])('%s', (_, args, message) => expectRefusal(args, message));
});
