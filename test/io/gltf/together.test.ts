import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/io/files.ts';
import { readGltf } from '../../../src/io/read-gltf.ts';
import { note } from '../../../src/model/note.ts';
import { convert } from '../../../src/verbs/convert.ts';
import { fit } from '../../../src/verbs/fit.ts';
import { scenesOf } from '../../../src/verbs/scenes.ts';
import { codesOf } from '../../notes.ts';
import { memoryFiles } from '../support.ts';
import { Bin, binOf, glbOf, jsonOf } from './fixtures.ts';

/** A face and its eyes, each with a morph target that a clip of its own dials in: `talk` at 0, 1, 2 s, `blink` at 0, 2 s. */
function performance(blinkEnd = 2): Uint8Array {
  const bin = new Bin();
  const POSITION = bin.add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
  const target = { POSITION: bin.add('VEC3', Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1)) };
  const mesh = { primitives: [{ attributes: { POSITION }, targets: [target] }] };
  const animation = (name: string, node: number, times: number[], weights: number[]) => ({
    name,
    samplers: [
      {
        input: bin.add('SCALAR', Float32Array.from(times)),
        output: bin.add('SCALAR', Float32Array.from(weights)),
      },
    ],
    channels: [{ sampler: 0, target: { node, path: 'weights' } }],
  });
  return bin.glb({
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: 'face', mesh: 0 },
      { name: 'eyes', mesh: 1, translation: [5, 0, 0] },
    ],
    meshes: [mesh, mesh],
    animations: [animation('talk', 0, [0, 1, 2], [0, 1, 0]), animation('blink', 1, [0, blinkEnd], [0, 2])],
  });
}

const read = (bytes: Uint8Array, ...clips: string[]) =>
  readGltf(memorySource('a.glb', bytes), memoryFiles({}), 'a.glb', { clips });

describe('clips that play together', () => {
  it('are read as one clip of everything they move', async () => {
    const { sequences, clipNames } = await read(performance(), 'talk+blink');
    expect(clipNames).toEqual(['talk', 'blink', 'talk+blink']);
    const [face, eyes] = sequences.filter(({ clip }) => clip === 'talk+blink');
    expect([...face.times]).toEqual([0, 1, 2]);
    expect([...eyes.times]).toEqual([0, 1, 2]);
    const heights = async (k: number) => [(await face.readFrame(k))[2], (await eyes.readFrame(k))[2]];
    expect([await heights(0), await heights(1), await heights(2)]).toEqual([
      [0, 0],
      [1, 1],
      [0, 2],
    ]);
  });

  it('are taken by their name; without one, the first clip is taken and the others are offered', async () => {
    const asset = await read(performance(), 'talk+blink');
    const { clips, split } = scenesOf('fit', asset, { clips: ['talk+blink'] });
    expect(clips.map(({ name, rest }) => [name, rest.positions.length])).toEqual([['talk+blink', 18]]);
    expect(split).toBeDefined();
    const { report } = await fit(asset, { clips: ['talk+blink'], bones: 2 });
    expect(report.figures.vertices).toBe(6);

    const first = scenesOf('fit', await read(performance()), {});
    expect(first.clips[0].rest.positions.length).toBe(9);
    expect(first.notes).toContainEqual({ code: 'more-clips', data: { clips: 1, together: 'talk+blink' } });
    const converted = await convert(asset, { format: 'abc', clip: 'talk+blink' });
    expect(converted.sequences.length).toBe(2);
    expect(codesOf(converted.report.notes)).not.toContain('more-motions');
  });

  it('are not offered where they differ in length', async () => {
    expect((await read(performance())).clipsTogether).toBe('talk+blink');
    expect((await read(performance(1))).clipsTogether).toBeUndefined();
  });

  it('leave out names that are not all there', async () => {
    expect((await read(performance(), 'talk+wink', 'talk')).clipNames).toEqual(['talk', 'blink']);
  });
});

describe('clips of one name', () => {
  it('are told apart by a number, and keep their names in the file', async () => {
    const given = performance();
    const json = jsonOf(given);
    json.animations![1].name = 'talk';
    const asset = await read(glbOf(json, binOf(given)));
    expect(asset.clipNames).toEqual(['talk', 'talk 2']);
    expect(asset.notes).toContainEqual(note('clip-renamed', { name: 'talk 2' }, 'talk'));
    const { clips } = scenesOf('fit', asset, { clips: ['talk 2'] });
    expect(clips.map(({ name, times }) => [name, [...times]])).toEqual([['talk 2', [0, 2]]]);
    const { file } = await convert(asset, { format: 'glb' });
    expect(jsonOf(file!).animations!.map(({ name }) => name)).toEqual(['talk', 'talk']);
  });
});
