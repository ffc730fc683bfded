import { type Signal, signal } from '@preact/signals-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Predictor } from '../../src/model/predictor.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import type { Content } from '../../studio/src/core/content/content.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { Edits, History } from '../../studio/src/core/edits.ts';
import type { FitEntry } from '../../studio/src/core/fit/fit-results.ts';

describe('edits', () => {
  it('undo and redo whole edits, undefined among them', () => {
    const history = new History();
    const edits = new Edits<number | undefined>(history, 'number', undefined);
    edits.begin();
    edits.set(1);
    edits.set(2);
    edits.begin();
    edits.set(3);
    history.undo();
    expect(edits.value.value).toBe(2);
    history.undo();
    expect([edits.value.value, history.undoable.value]).toEqual([undefined, undefined]);
    history.undo();
    history.redo();
    expect(history.redoable.value).toBe('number');
    history.redo();
    expect([edits.value.value, history.redoable.value]).toEqual([3, undefined]);
  });

  it('start with their first change', () => {
    const history = new History();
    const edits = new Edits(history, 'number', 1);
    edits.begin();
    expect(history.undoable.value).toBeUndefined();
  });

  it('without a change are dropped and keep the redo steps', () => {
    const history = new History();
    const edits = new Edits<number | undefined>(history, 'drag', undefined);
    edits.begin();
    edits.set(1);
    history.undo();
    edits.begin('playing');
    edits.set(undefined);
    expect([history.undoable.value, history.redoable.value]).toEqual([undefined, 'drag']);
    edits.set(2);
    expect(history.undoable.value).toBe('playing');
  });

  it('of several values have one order: undo and redo pass the same states', () => {
    const step = fc.tuple(fc.nat(2), fc.integer());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(fc.boolean(), { maxLength: 30 }), (steps, moves) => {
        const history = new History();
        const values = [signal(0), signal(0), signal(0)];
        const now = () => values.map(({ value }) => value);
        const states = [now()];
        for (const [at, value] of steps) {
          history.remember('step', values[at] as Signal<unknown>);
          values[at].value = value;
          states.push(now());
        }
        let k = steps.length;
        for (const back of moves) {
          if (back) history.undo();
          else history.redo();
          k = Math.max(0, Math.min(steps.length, k + (back ? -1 : 1)));
          expect(now()).toEqual(states[k]);
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('a document', () => {
  const model = sampleFigure(2500, 2, 24);
  const content: Content = {
    name: 'figure',
    format: 'sample',
    bytes: 0,
    meshes: [],
    sequences: [],
    models: [model],
    motions: [],
    predictors: [],
    objects: [],
    notes: [],
  };
  const rigOf = (bones: number) => ({ skeleton: { parents: new Int32Array(bones).fill(-1) } });
  const result = (bones: number) => ({
    options: { bones },
    data: { bones, merged: rigOf(bones) } as FitEntry['data'],
    seconds: 1,
  });

  it('restores a removed result with its view, and keeps newer ones', () => {
    const doc = new Doc(content);
    doc.addFit(result(10));
    doc.addFit(result(20));
    doc.comparison.value = 'wipe';
    doc.removeFit(1);
    doc.removeFit(2);
    expect([doc.fits.value.length, doc.fit.value, doc.comparison.value]).toEqual([0, undefined, 'original']);
    doc.addFit(result(30));
    doc.history.undo();
    expect(doc.fits.value.map(({ id }) => id)).toEqual([2, 3]);
    expect([doc.selected.value, doc.comparison.value]).toEqual([2, 'wipe']);
    doc.history.redo();
    expect(doc.fits.value.map(({ id }) => id)).toEqual([3]);
  });

  it('selects an existing joint when a result is removed, and the old one when it comes back', () => {
    const doc = new Doc(content);
    doc.addFit(result(900));
    doc.showInfluence(800);
    doc.removeFit(1);
    expect(doc.joint.value).toBe(new Doc(content).joint.value);
    doc.history.undo();
    expect(doc.joint.value).toBe(800);
  });

  it('starts nothing after it was closed', async () => {
    const doc = new Doc(content);
    doc.close();
    const start = () => expect.fail('it is closed');
    expect(await doc.run('Fitting', start)).toBeUndefined();
    doc.inspection.deformation(0).begin(start);
    doc.rig.bends.begin(start);
    doc.learn.picturesOf({} as Predictor).begin(start);
  });

  it('undoes options, operators and clips, with their frames', () => {
    const doc = new Doc(content);
    const [first, second] = model.clips;
    doc.edit('clip', doc.clip, second.name);
    expect(doc.playback.times.value).not.toBe(first.times);
    doc.edit('operator', doc.operator, 'dqs');
    doc.edit('Bones', doc.fitOptions, { bones: 3 });
    for (const name of ['Bones', 'operator', 'clip']) {
      expect(doc.history.undoable.value).toBe(name);
      doc.history.undo();
    }
    expect([doc.clip.value, doc.operator.value, doc.fitOptions.value]).toEqual([first.name, model.operator, {}]);
    expect(doc.playback.last).toBe(new Doc(content).playback.last);
  });
});
