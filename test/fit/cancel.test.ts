import { expect, it } from 'vitest';
import { wavyGrid } from '../../bench/grid.ts';
import { fit } from '../../src/fit/fit.ts';

/** 900 vertices, of which a sample is solved first. */
const fitGrid = (run: Parameters<typeof fit>[1]) =>
  fit(wavyGrid(30, 5), { bones: 3, sample: 100, iterations: 2, moves: 1, ...run });

const STAGES = ['reading', 'sampling', 'placing bones', 'refining', 'building nodes', 'measuring'];

it.each(STAGES)('can be cancelled while it is %s', async (stage) => {
  const controller = new AbortController();
  const labels: string[] = [];
  const cancelled = fitGrid({
    signal: controller.signal,
    onProgress: (_done, _total, label) => {
      labels.push(label);
      if (label === stage) controller.abort();
    },
  });
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  // It is heard at once: nothing is said afterwards.
  expect(labels.indexOf(stage)).toBe(labels.length - 1);
});

it('lets others have their turn while it reduces what it has read, and for each vertex of the sample', async () => {
  const counts = new Map<string, number>();
  await fitGrid({ onProgress: (_done, _total, label) => counts.set(label, (counts.get(label) ?? 0) + 1) });
  expect(counts.get('reading')).toBeGreaterThan(5);
  expect(counts.get('sampling')).toBe(100);
});
