import { describe, expect, it } from 'vitest';
import { parseContainer } from '../../src/io/gltf/container.ts';
import { packData, unpackData } from '../../src/io/gltf/packed-data.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { examplesClip, predictorModel } from '../../src/learn/predictor-model.ts';
import { pointNames, TRANSLATIONS, validatePredictor } from '../../src/model/predictor.ts';
import { memoryFiles } from '../io/support.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { bendingTube } from './bending-tube.ts';

describe('packed data', () => {
  it('comes back bit for bit', () => {
    const data = {
      name: 'αβγ',
      list: [1, 0.1, -1e-300],
      nested: { f64: Float64Array.of(Math.PI, -0, Number.NaN), f32: Float32Array.of(0.1), empty: new Uint16Array() },
      bytes: Uint8Array.of(1, 2, 3),
      ints: [
        Int8Array.of(-1),
        Int16Array.of(-300),
        Int32Array.of(-1e9),
        Uint32Array.of(4e9),
        Uint16Array.of(65535),
        Uint32Array.of(65535, 0),
      ],
    };
    expect(unpackData(packData(data))).toEqual(data);
    // Also from the middle of a larger buffer.
    const packed = packData(data);
    const within = new Uint8Array(packed.length + 3);
    within.set(packed, 3);
    expect(unpackData(within.subarray(3))).toEqual(data);
  });

  it('keeps numbers that JSON does not know, and arrays that are one', () => {
    const shared = Float32Array.of(1, Number.NaN);
    const data = { numbers: [Number.NaN, Infinity, -Infinity, -0, 0], a: shared, b: [shared] };
    const bytes = packData(data);
    const read = unpackData(bytes) as typeof data;
    expect(read).toEqual(data);
    expect(read.a).toBe(read.b[0]);
    expect(bytes.length).toBeLessThan(packData({ ...data, b: [shared.slice()] }).length);
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['too long a header', Uint8Array.of(255, 255, 0, 0, 0, 0, 0, 0)],
    ['no JSON', Uint8Array.of(8, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)],
    ['an array beyond the end', packData({ a: 1 }).map((x) => x)],
  ])('is undefined for %s', (name, bytes) => {
    if (name === 'an array beyond the end') {
      const text = new TextEncoder().encode('{"a":{"$":["f64",0,9]}} '.padEnd(24));
      const bad = new Uint8Array(8 + 24);
      bad[0] = 24;
      bad.set(text, 8);
      expect(unpackData(bad)).toBeUndefined();
    } else expect(unpackData(bytes)).toBeUndefined();
  });
});

describe('a predictor in a GLB', () => {
  it.each(TRANSLATIONS)('with translations %s survives bit for bit, and the file is valid', async (translations) => {
    const { predictor, transforms } = await learn([bendingTube([0, 0.5, 1, 1.5])], {
      points: 3,
      bones: 8,
      translations,
    });
    const { bytes } = await writeModelGlb(predictorModel(predictor, [examplesClip(predictor, transforms)]), {
      predictor,
    });
    const { json } = parseContainer(bytes) as { json: { extensions: Record<string, { accessor: number }> } };
    await expectValidGlb(bytes, [`/accessors/${json.extensions.PLIANT_predictor.accessor}`]);
    const asset = await readAsset(memoryFiles({ 'tube.glb': bytes }), ['tube.glb']);
    expect(asset.predictors).toEqual([predictor]);
    expect(asset.models[0].clips.map(({ name }) => name)).toEqual(['examples']);
    const goal = Float64Array.from({ length: 9 }, (_, c) => c / 3);
    const [here, there] = [predictor, asset.predictors![0]].map((p) => new SurfaceDriver(p).drive(goal).positions);
    expect(there).toEqual(here);
  });

  it('keeps the names of its points, also for who only looks into the file; one of before there were any is read', async () => {
    const names = ['tip', 'ä side'];
    const { predictor } = await learn([bendingTube([0, 1])], { points: 2, bones: 4, given: { names } });
    const { names: _, limit, stretch, ...before } = predictor;
    for (const [one, told] of [
      [predictor, names],
      [before, ['point 1', 'point 2']],
    ] as const) {
      const { bytes } = await writeModelGlb(predictorModel(one), { predictor: one });
      const { json } = parseContainer(bytes) as { json: { extensions: Record<string, { extras: object }> } };
      expect(json.extensions.PLIANT_predictor.extras).toEqual({ points: told });
      const [read] = (await readAsset(memoryFiles({ 'a.glb': bytes }), ['a.glb'])).predictors!;
      expect(read).toEqual(one);
      expect(pointNames(read)).toEqual(told);
    }
    expect([limit, stretch?.length]).toEqual([predictor.limit, 396]);
  });

  it('that contradicts itself is refused by name', async () => {
    const { predictor } = await learn([bendingTube([0, 1])], { points: 2, bones: 4 });
    const damages: [object, RegExp][] = [
      [{ points: Uint32Array.of(1, 99999) }, /control points/],
      [{ operator: new Float64Array(3) }, /operator/],
      [{ mean: predictor.mean.map(() => Number.NaN) }, /mean/],
      [{ kernel: { ...predictor.kernel, name: 'magic' } }, /kernel/],
      [{ centroids: new Float64Array(2) }, /centroids/],
      [{ mesh: undefined }, /mesh/],
      [{ limit: 0.5 }, /limit/],
      [{ stretch: new Float32Array(3) }, /stretch/],
      [{ stretch: predictor.stretch!.map(() => 0.5) }, /stretch/],
      [{ names: ['one'] }, /names/],
      [{ names: ['one', ''] }, /names/],
      [{ names: ['one', 'one'] }, /names/],
    ];
    for (const [damage, message] of damages) {
      expect(() => validatePredictor({ ...predictor, ...damage })).toThrow(message);
      const broken = { ...predictor, ...damage } as typeof predictor;
      const { bytes } = await writeModelGlb(predictorModel(predictor), { predictor: broken });
      await expect(readAsset(memoryFiles({ 'a.glb': bytes }), ['a.glb'])).rejects.toThrow(message);
    }
    expect(() => validatePredictor(undefined)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
