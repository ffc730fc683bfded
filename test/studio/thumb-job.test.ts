import { expect, it } from 'vitest';
import { THUMB_UNIT } from '../../studio/src/core/content/thumb.ts';
import { LAB_TITLE } from '../../studio/src/core/lab/lab-state.ts';
import { thumbJob } from '../../studio/src/worker/thumb-job.ts';

const run = { onProgress: () => {}, signal: new AbortController().signal };

it('every card of the start page has a picture of its own, which moves and fills its frame', async () => {
  const triangles = new Map<string, number>();
  for (const name of ['figure', 'caped figure', LAB_TITLE] as const) {
    const frames = await thumbJob({ name }, run);
    expect(frames.length, name).toBe(10);
    const [first, later] = [frames[0], frames[5]];
    expect(later.corners, name).not.toEqual(first.corners);
    const all = frames.flatMap(({ corners }) => [...corners]);
    expect(all.length).toBe(6 * frames.reduce((sum, { shades }) => sum + shades.length, 0));
    const reach = all.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(reach / THUMB_UNIT, name).toBeGreaterThan(0.95);
    expect(reach / THUMB_UNIT, name).toBeLessThan(1.7);
    triangles.set(name, first.shades.length);
  }
  expect(new Set(triangles.values()).size).toBe(3);
});
