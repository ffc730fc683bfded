import { signal } from '@preact/signals-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { learn } from '../../src/learn/learn.ts';
import type { Predictor } from '../../src/model/predictor.ts';
import { makeSample } from '../../src/samples.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { History } from '../../studio/src/core/edits.ts';
import { dragPoints } from '../../studio/src/core/learn/driving.ts';
import { type LearnData, LearnWork, pathFrame } from '../../studio/src/core/learn/learn-work.ts';
import { exampleCount, examplePoints, followed, followGains } from '../../studio/src/core/learn/point-follow.ts';
import { picturesJob } from '../../studio/src/worker/pictures-job.ts';
import { expectRefusal, refusal } from '../refusal.ts';

describe('control points', () => {
  let predictor: Predictor;
  beforeAll(async () => {
    const { sequence } = await makeSample('flag', { resolution: 60, frames: 12 });
    ({ predictor } = await learn([sequence!], { points: 4, bones: 4 }));
  });

  it('move as dragged; pinned ones stay; others follow as in the examples', () => {
    const start = examplePoints(predictor, 0);
    const gains = followGains(predictor, 1, new Set([2]));
    const moved = followed(start, gains, [0.1, 0.2, -0.1]);
    const shift = (l: number) => Array.from({ length: 3 }, (_, c) => moved[3 * l + c] - start[3 * l + c]);
    shift(1).forEach((x, c) => {
      expect(x).toBeCloseTo([0.1, 0.2, -0.1][c], 12);
    });
    expect(shift(2)).toEqual([0, 0, 0]);
    expect(Math.hypot(...shift(0))).toBeGreaterThan(1e-3);
  });

  it('stay if all but one are pinned', () => {
    const gains = followGains(predictor, 0, new Set([1, 2, 3]));
    expect(gains.filter((gain) => gain !== 0)).toHaveLength(3);
  });

  it('come close to an example when one of them is taken there', () => {
    const count = exampleCount(predictor);
    let [kept, went] = [0, 0];
    for (let e = 1; e < count; e++) {
      const [from, to] = [examplePoints(predictor, e - 1), examplePoints(predictor, e)];
      const move = [0, 1, 2].map((c) => to[c] - from[c]) as [number, number, number];
      const moved = followed(from, followGains(predictor, 0, new Set()), move);
      for (let c = 3; c < from.length; c++) {
        kept += (to[c] - from[c]) ** 2;
        went += (to[c] - moved[c]) ** 2;
      }
    }
    expect(went).toBeLessThan(kept);
  });

  it('refuse an example that does not exist', () => {
    expect(() => examplePoints(predictor, exampleCount(predictor))).toThrow(refusal('bad-input', { values: [12] }));
  });
});

describe('what was learned', () => {
  const learned = (points: number): LearnData => {
    const predictor = { points: new Uint32Array(points) } as Predictor;
    return { predictor } as LearnData;
  };
  const content = (predictors: Predictor[]): Content => {
    const lists = { meshes: [], sequences: [], models: [], motions: [], objects: [], notes: [] };
    return { name: 'face', format: 'test', bytes: 0, predictors, ...lists };
  };
  const drawn = (pictures: string[]) => () => ({ result: Promise.resolve(pictures), cancel: () => {} });

  it('has the thumbnails of its own examples, also after undo', async () => {
    const { predictor: given } = learned(4);
    const doc = new Doc(content([given]));
    const shown = () => doc.learn.picturesOf(doc.predictor.value!).result.value;
    doc.learn.picturesOf(given).begin(drawn(['a', 'b', 'c']));
    await Promise.resolve();
    expect(shown()).toEqual(['a', 'b', 'c']);
    doc.edit('learning again', doc.learned, learned(2));
    doc.learn.reset();
    expect(shown()).toBeUndefined();
    doc.learn.picturesOf(doc.predictor.value!).begin(drawn(['d']));
    await Promise.resolve();
    expect(shown()).toEqual(['d']);
    doc.history.undo();
    expect(doc.predictor.value).toBe(given);
    expect(shown()).toEqual(['a', 'b', 'c']);
    doc.history.redo();
    expect(shown()).toEqual(['d']);
  });

  it('counts drags as edits only if points move', () => {
    const doc = new Doc(content([learned(1).predictor]));
    const { points, history, learn: work } = doc;
    const drag = (x: number, held: boolean) => {
      points.begin();
      dragPoints(doc, Float64Array.of(x, 0, 0), held);
    };
    drag(1, false);
    drag(2, true);
    const limit = points.value.value;
    expect(work.held.value).toBe(limit);
    for (let press = 0; press < 3; press++) drag(2, true);
    expect([points.value.value, work.held.value]).toEqual([limit, limit]);
    history.undo();
    expect([...points.value.value!]).toEqual([1, 0, 0]);
    history.undo();
    expect([points.value.value, history.undoable.value]).toEqual([undefined, undefined]);
  });

  it('ends the recording of another predictor', () => {
    const { predictor: given } = learned(1);
    const doc = new Doc(content([given]));
    expect(doc.panel.value).toBe('learn');
    const { learn: work } = doc;
    doc.edit('learning again', doc.learned, learned(2));
    work.now = new Float64Array(6);
    work.record(0);
    work.tick(1);
    doc.history.undo();
    work.now = new Float64Array(3);
    work.tick(2);
    work.stop();
    expect([work.recorded.value, work.take.value]).toEqual([undefined, undefined]);
  });
});

describe('pictures of examples', () => {
  it('are one per example, of equal size, and can be cancelled', async () => {
    const { sequence } = await makeSample('flag', { resolution: 60, frames: 5 });
    const { predictor } = await learn([sequence!], { points: 3, bones: 3 });
    const told: number[] = [];
    const onProgress = (done: number, total: number) => told.push(done / total);
    const pictures = await picturesJob({ predictor }, { signal: new AbortController().signal, onProgress });
    expect(pictures).toHaveLength(exampleCount(predictor));
    expect(new Set(pictures).size).toBe(pictures.length);
    for (const picture of pictures) expect(picture).toMatch(/^data:image\/png;base64,/);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    const stopped = { signal: AbortSignal.abort(), onProgress };
    await expectRefusal(picturesJob({ predictor }, stopped), 'cancelled');
  });
});

describe('a performance', () => {
  it('is recorded at a steady rate, independent of the frame rate', () => {
    const panel = signal<'learn' | 'fit'>('learn');
    const history = new History();
    const work = new LearnWork(panel, history);
    work.now = Float64Array.of(0, 0, 0);
    work.record(10);
    work.tick(10.05);
    work.now = Float64Array.of(1, 2, 3);
    work.tick(10.5);
    work.stop();
    const take = work.take.value!;
    expect(take.times).toHaveLength(16);
    expect(take.times[15]).toBeCloseTo(0.5);
    expect([...pathFrame(take, 1)]).toEqual([0, 0, 0]);
    expect([...pathFrame(take, 15)]).toEqual([1, 2, 3]);
    expect(work.shown.value).toBeUndefined();
    work.replays.value = true;
    expect(work.shown.value).toBe(take);
    panel.value = 'fit';
    expect(work.shown.value).toBeUndefined();
    // One that takes its place can be taken back.
    work.record(20);
    work.tick(21);
    work.stop();
    expect(work.take.value).not.toBe(take);
    history.undo();
    expect(work.take.value).toBe(take);
  });
});
