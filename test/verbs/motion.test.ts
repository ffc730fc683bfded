/** The verbs that make sequences: skin, convert, sample; and what is told of them: measure, info. */
import { describe, expect, it } from 'vitest';
import { skinTransforms } from '../../src/math/trs.ts';
import { emptyAsset } from '../../src/model/asset.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { type ConvertOptions, convert } from '../../src/verbs/convert.ts';
import { info } from '../../src/verbs/info.ts';
import { measure } from '../../src/verbs/measure.ts';
import { sample } from '../../src/verbs/sample.ts';
import { skin } from '../../src/verbs/skin.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { richTube } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';

const tube = sampleTube(120, 4, 24);
const box = sampleBox(60, 4, 24);
const rigs = { ...emptyAsset('memory', 0), name: 'rigs.glb', models: [tube, box] };
const sheet = bendingSheet(6, 4, 5);
const cup = { ...sheet.rest, name: 'cup' };

describe('skin', () => {
  it('poses all parts by a clip, or the named part', async () => {
    const { sequences, report } = await skin(rigs, { clip: 'bend' });
    expect(report).toMatchObject({
      detail: { clip: 'bend' },
      parts: [{ name: 'tube' }, { name: 'box' }],
    });
    expect(report.figures).toEqual({ vertices: vertexCount(tube.mesh) + vertexCount(box.mesh), frames: 4 });
    expect(sequences.map(({ frameCount }) => frameCount)).toEqual([4, 4]);
    const one = await skin(rigs, { object: 'box', operator: 'dqs', framesPerSecond: 240 });
    expect(one.sequences[0].frameCount).toBeGreaterThan(4);
    expect(codesOf(one.report.notes)).toEqual(['more-clips']);
  });

  it('says that dual quaternions leave out the scale of bones', async () => {
    const { skeleton, clips } = tube;
    const locals = clips[0].locals!.map((x, c) => (c % 40 === 27 ? 1.5 : x));
    const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, locals);
    const scaled = { ...tube, clips: [{ ...clips[0], locals, transforms }] };
    const notesOf = async (operator: 'lbs' | 'dqs' | 'sdqs' | 'dib') => (await skin(scaled, { operator })).report.notes;
    for (const operator of ['dqs', 'dib'] as const) {
      expect(await notesOf(operator)).toMatchObject([{ code: 'bones-scale', data: { bone: 'bone3' }, about: 'tube' }]);
    }
    for (const operator of ['lbs', 'sdqs'] as const) expect(await notesOf(operator)).toEqual([]);
  });

  it('wants one part for formats that hold one', async () => {
    await expect(skin(rigs, { format: 'pc2' })).rejects.toMatchObject({
      option: 'object',
      candidates: ['tube', 'box'],
    });
    await expect(skin(sheet)).rejects.toMatchObject({ code: 'not-found', operation: 'skin' });
  });
});

describe('convert', () => {
  const scene = { ...emptyAsset('memory', 0), name: 'scene.abc', sequences: [sheet], meshes: [cup] };

  it('turns everything into sequences, posed, in step', async () => {
    const { sequences, meshes, report } = await convert(scene, { format: 'abc' });
    expect(sequences.map(({ frameCount }) => frameCount)).toEqual([5, 1]);
    expect(meshes).toEqual([]);
    expect(report).toMatchObject({
      parts: [{ name: sheet.name }, { name: 'cup' }],
      clips: [{ frames: 5 }, { frames: 1 }],
    });
    const posed = await convert(rigs, { format: 'glb', clip: 'bend' });
    expect(posed.report.detail.clip).toBe('bend');
  });

  it('takes some frames, and one as a mesh', async () => {
    const some = await convert(sheet, { format: 'mdd', firstFrame: 1, frameStep: 2 });
    expect(Array.from(some.sequences[0].times)).toEqual([sheet.times[1], sheet.times[3]]);
    const { meshes } = await convert(sheet, { format: 'obj', firstFrame: 2, lastFrame: 2 });
    expect(meshes[0].positions).toEqual(await sheet.readFrame(2));
  });

  it('joins meshes for formats that hold one', async () => {
    const { sequences, report } = await convert(scene, { format: 'mdd', merge: true });
    expect(vertexCount(sequences[0].rest)).toBe(2 * vertexCount(cup));
    expect(codesOf(report.notes)).toEqual(['meshes-joined']);
  });

  it('starts at 0 in glTF, and notes what formats cannot say', async () => {
    const late = { ...sheet, times: sheet.times.map((t) => t + 10) };
    const { sequences, report } = await convert(late, { format: 'glb' });
    expect(sequences[0].times[0]).toBe(0);
    expect(report.notes).toEqual([{ code: 'start-moved', data: { seconds: 10 } }]);
    const turned = { ...sheet, rest: { ...sheet.rest, space: { up: 'z', metresPerUnit: 0.01 } as const } };
    expect(codesOf((await convert(turned, { format: 'mdd' })).report.notes)).toEqual(['space-lost']);
  });

  it('names materials and attributes that a format cannot store', async () => {
    const rest = { ...sheet.rest, ...richTube() };
    const rich = memorySequence('tube', rest, [rest.positions]);
    const lost = async (format: ConvertOptions['format']) => (await convert(rich, { format })).report.notes;
    expect(await lost('glb')).toEqual([]);
    expect(await lost('abc')).toEqual([
      note('not-written', { format: 'abc', names: ['materials', 'TANGENT', '_HEAT'] }),
    ]);
    const all = ['materials', 'COLOR_0', 'COLOR_1', 'TANGENT', 'TEXCOORD_1', '_HEAT'];
    for (const format of ['obj', 'mdd', 'pc2'] as const) {
      expect(await lost(format)).toContainEqual(note('not-written', { format, names: all }));
    }
  });

  const refusals: [string, ConvertOptions, object][] = [
    ['several meshes in one file', { format: 'pc2' }, { option: 'object' }],
    ['several frames in one mesh', { format: 'obj', object: sheet.name }, { code: 'bad-option' }],
    ['a clip of a sequence', { format: 'glb', clip: 'walk' }, { option: 'clip' }],
    ['frames of what stands still', { format: 'glb', object: 'cup', frameStep: 2 }, { option: 'frameStep' }],
    ['an object that is not there', { format: 'glb', object: 'cop' }, { got: 'cop' }],
  ];
  it.each(refusals)('refuses %s', async (_, options, facts) =>
    expect(convert(scene, options)).rejects.toMatchObject({ operation: 'convert', file: 'scene.abc', ...facts }),
  );
});

describe('measure', () => {
  it('compares motions, meshes and clips of rigs', async () => {
    const moved = memorySequence('moved', sheet.rest, [await sheet.readFrame(1)], Float64Array.of(0));
    const { report } = await measure([moved, moved]);
    expect(report).toMatchObject({ figures: { rmsePercent: 0 }, clips: [{ frames: 1 }, { frames: 1 }] });
    expect(report.detail.perFrame.rmsePercent).toHaveLength(1);
    expect((await measure([cup, cup])).report.figures.maxErrorPercent).toBe(0);
    const dqs = await skin(tube, { operator: 'dqs' });
    const against = await measure([dqs.sequences[0], tube], { operator: 'lbs', surfaceDistance: false });
    expect(against.report.figures.rmsePercent).toBeGreaterThan(0.1);
    expect(codesOf(against.report.notes)).toContain('more-clips');
  });

  it('refuses what cannot be compared', async () => {
    await expect(measure([cup, sheet])).rejects.toMatchObject({ code: 'bad-input' });
    await expect(measure([cup, cup], { clip: 'walk' })).rejects.toMatchObject({ option: 'clip' });
    await expect(measure([rigs, rigs])).rejects.toMatchObject({ option: 'object' });
  });
});

it('info tells what assets hold', async () => {
  const points = { ...cup, triangles: new Uint32Array() };
  const { report } = await info([rigs, sheet, points]);
  expect(report.detail.assets).toMatchObject([
    {
      name: 'rigs.glb',
      models: [
        { name: 'tube', bones: 4, operator: 'lbs' },
        { name: 'box', bones: 2 },
      ],
    },
    { sequences: [{ frames: 5, rest: { closed: false, problems: [] } }] },
    { meshes: [{ name: 'cup', problems: [{ kind: 'no-faces' }] }] },
  ]);
  const [{ boundsOverTime }] = report.detail.assets[1].sequences;
  expect(boundsOverTime!.max[2]).toBeGreaterThan(0);
  expect((await info(sheet, { frames: false })).report.detail.assets[0].sequences[0].boundsOverTime).toBeUndefined();
  expect(report.parts).toHaveLength(4);
  const broken = { ...sheet, readFrame: async (_: number, out: Float32Array) => out.fill(Number.NaN) };
  await expect(info(broken as typeof sheet)).rejects.toMatchObject({ code: 'bad-file', file: sheet.name });
});

it('info needs one asset at a time, and tells whose notes are whose', async () => {
  let open = 0;
  const seen: number[] = [];
  async function* oneByOne() {
    for (const code of ['flattened-at-rest', 'shear'] as const) {
      open++;
      yield { ...emptyAsset('memory', 0), notes: [note(code, {})], sequences: [{ ...sheet, readFrame }] };
      open--;
    }
  }
  const readFrame: typeof sheet.readFrame = (k, out) => {
    seen.push(open);
    return sheet.readFrame(k, out);
  };
  const { report } = await info(oneByOne());
  expect(seen).toEqual(Array(10).fill(1));
  expect(report.detail.assets.map(({ notes }) => codesOf(notes))).toEqual([['flattened-at-rest'], ['shear']]);
  expect(codesOf(report.notes)).toEqual(['flattened-at-rest', 'shear']);
});

it('sample makes what it lists', async () => {
  const { report } = await sample(undefined);
  expect(report.detail.samples!.map(({ name }) => name)).toContain('box');
  const rig = await sample('box', { resolution: 60, frames: 3 });
  expect([rig.models.length, rig.sequences.length]).toEqual([1, 0]);
  expect(rig.report.clips[0]).toMatchObject({ frames: 3 });
  const cloth = await sample('flag', { resolution: 60, frames: 2 });
  expect(cloth.report).toMatchObject({ figures: { frames: 2 }, clips: [{ name: 'flag', frames: 2 }] });
});
