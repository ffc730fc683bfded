import { describe, expect, it } from 'vitest';
import { emptyAsset } from '../../src/model/asset.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import {
  allOrNamed,
  chooseClip,
  findJoint,
  moreClips,
  pickOne,
  poseClip,
  requireMixWeights,
  requireRigs,
} from '../../src/verbs/choose.ts';

const rig = sampleBox(50, 3, 24);
const asset = { ...emptyAsset('memory', 0), name: 'box.glb', models: [rig] };
const choice = { verb: 'verb', asset, option: 'object' };
const things = [{ name: 'cup' }, { name: 'saucer' }];
const refused = (facts: object) => expect.objectContaining({ operation: 'verb', file: 'box.glb', ...facts });

describe('objects', () => {
  it('are all, or the named one', () => {
    expect(allOrNamed(things, choice)).toEqual(things);
    expect(allOrNamed(things, { ...choice, name: 'cup' })).toEqual([things[0]]);
    expect(pickOne([things[1]], choice)).toBe(things[1]);
  });

  it('that do not exist are refused with those that do', () => {
    const facts = { code: 'not-found', option: 'object', got: 'cop', candidates: ['cup', 'saucer'] };
    expect(() => pickOne(things, { ...choice, name: 'cop' })).toThrow(refused(facts));
    expect(() => pickOne(things, choice)).toThrow(
      refused({ code: 'bad-option', option: 'object', candidates: ['cup', 'saucer'] }),
    );
    expect(() => pickOne([], choice)).toThrow(refused({ code: 'not-found' }));
  });
});

describe('clips', () => {
  const names = rig.clips.map(({ name }) => name);

  it('are the named one, or the first of the file', () => {
    expect(chooseClip('verb', asset, [rig], names[1])).toBe(names[1]);
    expect(chooseClip('verb', asset, [rig])).toBe(names[0]);
    expect(chooseClip('verb', { ...asset, clipNames: ['elsewhere', names[1], names[0]] }, [rig])).toBe(names[1]);
    expect(() => chooseClip('verb', asset, [{ ...rig, clips: [] }])).toThrow(refused({ code: 'not-found' }));
    expect(() => chooseClip('verb', asset, [rig], 'zzz')).toThrow(refused({ option: 'clip', candidates: names }));
  });

  it('that were not chosen are counted', () => {
    expect(moreClips(asset, [rig, rig], false)).toEqual([{ code: 'more-clips', data: { clips: names.length - 1 } }]);
    expect(moreClips(asset, [rig], true)).toEqual([]);
  });

  it('are posed at their keys or at a rate; parts without the clip stay at rest', async () => {
    const [clip] = rig.clips;
    expect(poseClip(rig, clip.name, {}).times).toEqual(clip.times);
    expect(poseClip(rig, clip.name, { framesPerSecond: 240 }).frameCount).toBeGreaterThan(clip.times.length);
    const rest = poseClip(rig, 'of another part', {});
    const far = (await rest.readFrame(0)).map((x, c) => Math.abs(x - rig.mesh.positions[c]));
    expect(Math.max(...far)).toBeLessThan(1e-6);
  });
});

it('rigs are required, and mix weights by the mix', () => {
  expect(requireRigs('verb', asset)).toEqual([rig]);
  const still = { ...asset, models: [], meshes: [rig.mesh] };
  expect(() => requireRigs('verb', still)).toThrow(refused({ code: 'not-found' }));
  requireMixWeights('verb', asset, [rig], { operator: 'dqs' });
  expect(() => requireMixWeights('verb', asset, [rig], { operator: 'mix' })).toThrow(
    refused({ code: 'bad-input', option: 'operator' }),
  );
});

describe('findJoint', () => {
  const names = ['mixamorig:LeftForeArm', 'mixamorig:RightForeArm', 'Hip', 'a:Spine', 'b:Spine'];
  const find = (name: string): string =>
    findJoint(names, { verb: 'mix', asset: { name: 'x.glb' }, option: 'joint', name });

  it('takes names as they are, or by their end', () => {
    expect(find('Hip')).toBe('Hip');
    expect(find('LeftForeArm')).toBe('mixamorig:LeftForeArm');
    expect(find('leftforearm')).toBe('mixamorig:LeftForeArm');
  });

  it('refuses ends of several and parts of words, with what may be meant', () => {
    expectCode(() => find('Spine'), { code: 'bad-option', candidates: ['a:Spine', 'b:Spine'] });
    expectCode(() => find('ForeArm'), { code: 'not-found', got: 'ForeArm' });
    expectCode(() => find(''), { code: 'not-found' });
  });
});

function expectCode(call: () => unknown, expected: object): void {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject(expected);
}
