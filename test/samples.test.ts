import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { pinsOfColour } from '../src/cloth/pins.ts';
import { writeMeshGlb } from '../src/io/write-glb.ts';
import { validateMesh, vertexCount } from '../src/model/mesh.ts';
import { defaultsOf } from '../src/model/options.ts';
import { validateSequence } from '../src/model/sequence.ts';
import { clipFrameCount } from '../src/model/skeleton.ts';
import { validateModel } from '../src/model/skinned-model.ts';
import { SAMPLE_NAMES, SAMPLE_OPTIONS, SAMPLES } from '../src/sample-list.ts';
import { makeSample } from '../src/samples.ts';
import { expectRefusal } from './refusal.ts';

describe.each(SAMPLE_NAMES)('sample %s', (name) => {
  const sample = SAMPLES[name];

  it('is what the table says, at its smallest', async () => {
    const seen: string[] = [];
    const onProgress = (done: number, total: number, label: string) => seen.push(`${label} ${done}/${total}`);
    const { sequence, model, mesh, report } = await makeSample(name, {
      resolution: sample.minResolution,
      frames: 3,
      onProgress,
    });
    expect(seen.length).toBeGreaterThan(0);
    expect(Object.keys(report.figures).length).toBeGreaterThan(0);
    expect(Object.values(report.seconds).every((s) => s >= 0)).toBe(true);
    if (sample.kind === 'sequence') {
      expect(model).toBeUndefined();
      await validateSequence(sequence!);
      expect(sequence!.frameCount).toBe(3);
      expect(Math.abs(vertexCount(sequence!.rest) / sample.minResolution - 1)).toBeLessThan(0.2);
    } else if (sample.kind === 'mesh') {
      validateMesh(mesh!, 'sample');
      expect(Math.abs(vertexCount(mesh!) / sample.minResolution - 1)).toBeLessThan(0.2);
      const pins = pinsOfColour(mesh!, [1, 0, 0])!;
      expect(pins.length).toBeGreaterThan(3);
      expect(pins.length).toBeLessThan(0.3 * vertexCount(mesh!));
      const { bytes } = await writeMeshGlb(mesh!);
      expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    } else {
      expect(sequence).toBeUndefined();
      validateModel(model!);
      for (const clip of model!.clips) expect(clipFrameCount(clip)).toBe(3);
      expect(Math.abs(vertexCount(model!.mesh) / sample.minResolution - 1)).toBeLessThan(0.2);
    }
  });

  it('refuses fewer vertices than it needs', async () => {
    const run = makeSample(name, { resolution: sample.minResolution - 1 });
    await expect(run).rejects.toMatchObject({ code: 'bad-option' });
    await expectRefusal(run, 'bad-option', { option: 'resolution', values: [sample.minResolution] });
  });

  it('stops when the signal has fired', async () => {
    const controller = new AbortController();
    controller.abort();
    await expect(makeSample(name, { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('makeSample', () => {
  it('names the samples there are when it knows none of this name', async () => {
    for (const name of ['flags', '', 'toString']) {
      const run = makeSample(name);
      await expect(run).rejects.toMatchObject({ code: 'bad-option' });
      await expectRefusal(run, 'bad-option', { candidates: SAMPLE_NAMES });
    }
  });

  it.each([{ resolution: -5 }, { resolution: 1e9 }, { frames: 1.5 }, { framesPerSecond: 0 }, { seed: -1 }])(
    'refuses %o',
    async (options) => {
      await expect(makeSample('flag', options)).rejects.toMatchObject({ code: 'bad-option' });
    },
  );

  it('refuses what would not fit into memory, before it begins', async () => {
    const run = makeSample('flag', { resolution: 1_000_000, frames: 100_000 });
    await expect(run).rejects.toMatchObject({ code: 'too-large' });
    await expect(makeSample('figure', { resolution: 1_000_000 })).rejects.toMatchObject({ code: 'too-large' });
  });

  it('takes 0 as the default of the sample', async () => {
    expect(defaultsOf(SAMPLE_OPTIONS)).toMatchObject({ resolution: 0, frames: 0 });
    const { model } = await makeSample('box');
    expect(Math.abs(vertexCount(model!.mesh) / SAMPLES.box.resolution - 1)).toBeLessThan(0.05);
    expect(clipFrameCount(model!.clips[0])).toBe(SAMPLES.box.frames);
  });
});
