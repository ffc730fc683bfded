import { describe, expect, it } from 'vitest';
import type { ClothPair } from '../../src/cloth/pairs.ts';
import { trainCloth } from '../../src/cloth/train-cloth.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { clothPage, wayRows } from '../../src/report/cloth-page.ts';
import { steps, waves } from './paper/waves.ts';
import { squeezedPair, wavy } from './squeezed-pair.ts';

const named = (name: string, pair: ClothPair): ClothPair => ({ ...pair, name });
const slow = () => named('slow', squeezedPair(wavy, 20));
const fast = () =>
  named(
    'fast',
    squeezedPair((t) => 0.1 + 0.08 * Math.cos(1.7 * t), 20),
  );

/** The same frames with one of them changed. */
async function damaged(pair: ClothPair, which: 'coarse' | 'fine', k: number, change: (x: number, c: number) => number) {
  const { rest, frameCount, times } = pair[which];
  const frames = await Promise.all(Array.from({ length: frameCount }, (_, q) => pair[which].readFrame(q)));
  frames[k] = frames[k].map(change);
  return { ...pair, [which]: memorySequence('bad', rest, frames, times) };
}

describe('trainCloth', () => {
  it('tries every way on a motion that it was not trained on, and keeps the best', async () => {
    const repeat = fast().fine;
    const { cloth, compared, best, heldOut, trained } = await trainCloth([slow(), { ...fast(), repeat }], {
      examples: 10,
    });
    expect(compared.map(({ name }) => name)).toEqual([
      'embed',
      'linear',
      'learned',
      'still',
      'quiet',
      'lively',
      'alone',
      'repeat',
    ]);
    expect([heldOut.name, ...trained.map(({ name }) => name)]).toEqual(['fast', 'slow']);
    const errors = compared.slice(0, -1).map(({ figures }) => figures.E);
    expect(best.figures.E).toBe(Math.min(...errors));
    expect(compared.at(-1)!.figures).toMatchObject({ E: 0, W: 100, V: 1, J: 1 });
    expect(cloth.upsampler).toBeDefined();
    expect(['learned', 'linear']).toContain(cloth.method);
    expect(best.figures.W).toBeGreaterThan(90);
  });

  it('trains the method of Feng 2010 where that is asked for', async () => {
    const options = { method: 'paper', examples: 10, bones: 20, clusters: 4, eigPca: 5 } as const;
    const folding = [waves('one', steps(14, 0.3)), waves('other', steps(14, -0.25, 5))];
    const { cloth, compared, best } = await trainCloth(folding, options);
    const ways = ['embed', 'linear', 'paper', 'still', 'quiet', 'lively', 'alone'];
    expect(compared.map(({ name }) => name)).toEqual(ways);
    const errors = compared.slice(2, -1).map(({ figures }) => figures.E);
    expect(best.figures.E).toBe(Math.min(...errors));
    expect(cloth.method).toBe('paper');
    expect(cloth.upsampler).toBeUndefined();
    expect(cloth.paper!.kernel.rowMeans).toHaveLength(10);
    // Coarse cloth that is squeezed but never folds tells it nothing.
    await expect(trainCloth([slow(), fast()], options)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('holds out the motion that is named, or the one to choose on; those to report are not trained on', async () => {
    const pairs = [slow(), fast(), { ...named('third', slow()), use: 'report' as const }];
    const one = await trainCloth(pairs, { holdOut: 'slow', method: 'linear', examples: 5 });
    expect([one.heldOut.name, one.trained.map(({ name }) => name)]).toEqual(['slow', ['fast']]);
    const two = await trainCloth([{ ...slow(), use: 'choose' }, fast()], { method: 'embed', examples: 5 });
    expect(two.heldOut.name).toBe('slow');
    expect(two.cloth.upsampler).toBeUndefined();
    expect(two.cloth.method).toBe('embed');
    await expect(trainCloth(pairs, { holdOut: 'dance' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('holds out the end of a single motion, and says so', async () => {
    const { heldOut, trained, report } = await trainCloth([slow()], { examples: 5 });
    expect([trained[0].coarse.frameCount, heldOut.coarse.frameCount]).toEqual([14, 6]);
    expect(report.notes.map(({ code }) => code)).toContain('one-motion');
    await expect(trainCloth([squeezedPair(wavy, 3)])).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('refuses what does not correspond', async () => {
    const refused = async (pairs: ClothPair[], message: RegExp) => {
      await expect(trainCloth(pairs)).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringMatching(message),
      });
    };
    await refused([], /no pairs/);
    await refused([{ ...slow(), fine: squeezedPair(wavy, 9).fine }], /frame counts differ/);
    await refused([slow(), named('other', { ...slow(), coarse: slow().fine })], /other vertices or faces/);
    await refused([await damaged(slow(), 'coarse', 3, (x, c) => (c === 4 ? Number.NaN : x))], /frame 3: vertex 1 /);
    await refused([await damaged(slow(), 'fine', 4, (x) => x + 1)], /frame 4: fine and coarse cloth are .* apart/);
    const jumping = await damaged(await damaged(slow(), 'fine', 5, (x) => x + 9), 'coarse', 5, (x) => x + 9);
    await refused([jumping], /frame 5: the coarse cloth jumps/);
    const late = { ...slow().fine, times: slow().fine.times.map((t) => 2 * t) };
    await refused([{ ...slow(), fine: late }], /expected the same times/);
  });

  it('takes the coarse motion from the fine cloth where that was not guided', async () => {
    const drift = async (pair: ClothPair): Promise<ClothPair> => {
      const frames = await Promise.all(Array.from({ length: 20 }, (_, k) => pair.fine.readFrame(k)));
      const loose = frames.map((frame, k) => frame.map((x, c) => (c % 3 === 1 ? x + 0.1 * Math.sin(k) : x)));
      return { ...pair, fine: memorySequence('loose', pair.fine.rest, loose, pair.fine.times) };
    };
    const { report, best } = await trainCloth([await drift(slow()), await drift(fast())], { examples: 10 });
    expect(report.notes.map(({ code }) => code)).toContain('pairs-apart');
    expect(best.figures.W).toBeGreaterThan(85);
  });

  it('refuses two meshes that are not one cloth', async () => {
    const pair = slow();
    const frames = await Promise.all(Array.from({ length: 20 }, (_, k) => pair.fine.readFrame(k)));
    const wild = frames.map((frame) => frame.map((x, c) => (c % 3 === 1 ? x + 0.5 * Math.sin(c) : x)));
    const bad = { ...pair, fine: memorySequence('wild', pair.fine.rest, wild, pair.fine.times) };
    await expect(trainCloth([bad])).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('can be cancelled, and tells how far it is', async () => {
    const controller = new AbortController();
    const labels = new Set<string>();
    const onProgress = (_done: number, _total: number, label: string) => {
      labels.add(label);
      if (label === 'finding shapes') controller.abort();
    };
    await expect(trainCloth([slow(), fast()], { onProgress, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect([...labels]).toEqual(['checking pairs', 'reading pairs', 'finding shapes']);
  });

  it('has a page', async () => {
    const result = await trainCloth([slow(), { ...fast(), repeat: fast().fine }], { examples: 5 });
    const page = await clothPage(result, { size: 1000 });
    for (const word of ['Ways compared', 'simulated again', 'Error over the held-out motion', 'truth</b>, frame'])
      expect(page).toContain(word);
    expect(page).toContain('learned + quiet');
  });

  it('names the method that physics is added to', async () => {
    const result = await trainCloth([slow(), fast()], { method: 'linear', examples: 5 });
    const names = wayRows(result.compared).map(([name]) => name);
    expect(names).toEqual([
      'embedding',
      'linear regression',
      'linear + still',
      'linear + quiet',
      'linear + lively',
      'physics alone',
    ]);
  });
});
