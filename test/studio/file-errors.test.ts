import { describe, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { mergeSequences } from '../../src/mesh/merge-sequences.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { asSequence, type SequenceData } from '../../studio/src/core/content/content.ts';
import { errorsOfFile } from '../../studio/src/worker/file-errors.ts';
import { glbJob } from '../../studio/src/worker/glb-job.ts';
import { grid } from '../mesh/shapes.ts';

const run = { signal: new AbortController().signal, onProgress: () => {} };

/** A sheet that is rolled up more and more, in a space of its own. */
function rolled(name: string, shift: number, more: Partial<Mesh> = {}): SequenceData {
  const rest = { ...grid(8, 8), ...more };
  rest.positions = rest.positions.map((x, c) => (c % 3 === 0 ? x + shift : x));
  const times = Float64Array.from({ length: 7 }, (_, k) => k / 24);
  const frames = new Float32Array(times.length * rest.positions.length);
  times.forEach((_, k) => {
    for (let c = 0; c < rest.positions.length; c += 3) {
      const [x, y, z] = rest.positions.subarray(c, c + 3);
      const angle = 0.15 * k * (x - shift);
      frames.set([x, y * Math.cos(angle), z + y * Math.sin(angle)], k * rest.positions.length + c);
    }
  });
  return { name, rest, times, frames };
}

async function fitted(parts: SequenceData[], options: object) {
  const { sequence, split, splitSequence } = mergeSequences(parts.map(asSequence));
  const found = await fit(sequence, { preset: 'fast', iterations: 4, bones: 6, ...options });
  return { found, models: split(found.model), frames: splitSequence(found.fitted.sequence) };
}

describe('errors in a file', () => {
  const rest = grid(8, 8);
  const corners = rest.triangles.length / 3;
  const cases: [name: string, parts: SequenceData[], options: object][] = [
    ['one part', [rolled('sheet', 0)], {}],
    [
      'with normals, in two materials',
      [
        rolled('sheet', 0, {
          normals: vertexNormals(rest),
          groups: [
            { name: 'a', start: 0, count: 10 },
            { name: 'b', start: 10, count: corners - 10 },
          ],
        }),
      ],
      {},
    ],
    ['z up, in centimetres', [rolled('sheet', 0, { space: { up: 'z', metresPerUnit: 0.01 } })], {}],
    ['two parts', [rolled('one', 0), rolled('other', 20)], { kind: 'affine' }],
    ['corrected, some frames', [rolled('sheet', 0)], { eigenSkin: 2, firstFrame: 1, frameStep: 2 }],
  ];
  it.each(cases)('match the fit if nothing is rounded: %s', async (_, parts, options) => {
    const { found, models, frames } = await fitted(parts, options);
    const { rmsePercent, maxErrorPercent, diagonal } = found.errors;
    const plain = await writeModelGlb(models, { weights: 'float' });
    const exact = await errorsOfFile(plain, frames, found.fitted.clips, diagonal, run);
    expect(Math.abs(exact.rmsePercent - rmsePercent!)).toBeLessThan(2e-4);
    expect(Math.abs(exact.maxErrorPercent - maxErrorPercent!)).toBeLessThan(2e-3);
    // Rounded, they are others, and near.
    const { errors } = await glbJob({ models, options: SMALL_MODEL_GLB, fit: { parts, options, diagonal } }, run);
    expect(errors!.rmsePercent).not.toBe(exact.rmsePercent);
    expect(Math.abs(errors!.rmsePercent - rmsePercent!)).toBeLessThan(0.02);
  });

  it('reflect weights of few bits', async () => {
    const parts = [rolled('sheet', 0)];
    const { found, models } = await fitted(parts, {});
    const { rmsePercent, diagonal } = found.errors;
    const coarse = await glbJob({ models, options: { weights: 'u8' }, fit: { parts, options: {}, diagonal } }, run);
    const fine = await glbJob({ models, options: { weights: 'u16' }, fit: { parts, options: {}, diagonal } }, run);
    expect(Math.abs(fine.errors!.rmsePercent - rmsePercent!)).toBeLessThan(1e-3);
    expect(coarse.errors!.rmsePercent).toBeGreaterThan(fine.errors!.rmsePercent);
    expect((await glbJob({ models, options: {} }, run)).errors).toBeUndefined();
  });

  it('that cannot be measured keep the file and give the reason', async () => {
    const parts = [rolled('sheet', 0)];
    const { found, models } = await fitted(parts, {});
    const { diagonal } = found.errors;
    const bytesOf = async ({ file, notes: _, ...found }: Awaited<ReturnType<typeof glbJob>>) => ({
      ...found,
      bytes: await file.bytes(),
    });
    const { bytes } = await bytesOf(await glbJob({ models, options: {} }, run));
    const fails = await glbJob({ models, options: {}, fit: { parts, options: { restFrame: 99 }, diagonal } }, run);
    expect(await bytesOf(fails)).toEqual({ bytes, unmeasured: expect.stringMatching(/99/) });
    // What the opened file has and this one has not.
    const lost = [note('rebuilt', { lost: ['cameras'], extensions: [] })];
    const fit = { parts, options: {}, diagonal };
    const { notes } = await glbJob({ models, options: {}, fit, opened: { notes: [note('no-scene', {})], lost } }, run);
    expect(notes.map(({ code }) => code)).toEqual(['rebuilt']);
    // Cancelled while it is measured; and before.
    const controller = new AbortController();
    const onProgress = (done: number) => {
      if (done === 2) controller.abort();
    };
    const input = { models, options: {}, fit };
    const left = await glbJob(input, { signal: controller.signal, onProgress });
    expect(await bytesOf(left)).toEqual({ bytes, unmeasured: 'cancelled' });
    await expect(glbJob(input, { signal: controller.signal, onProgress })).rejects.toMatchObject({ code: 'cancelled' });
  });
});
