import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { type FitResult, fit } from '../../src/fit/fit.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { histogram, lineChart, ticks } from '../../src/report/charts.ts';
import { fitPage } from '../../src/report/fit-page.ts';
import { bendingSheet, sheet } from '../fit/bending-sheet.ts';
import { expectSelfContainedPage } from '../html.ts';

const fitted = (options = {}): Promise<FitResult> => fit(bendingSheet(), { preset: 'fast', bones: 5, ...options });

/** Base64 has any word in it. */
const withoutPictures = (page: string): string => page.replace(/"data:[^"]*"|<script[^>]*>[^<]*<\/script>/g, '""');

describe('charts', () => {
  it('have few round ticks that reach the top', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.integer({ min: 2, max: 8 }), (most, count) => {
        const list = ticks(most, count);
        expect(list[0]).toBe(0);
        expect(list[list.length - 1]).toBeGreaterThanOrEqual(most * (1 - 1e-6));
        expect(list.length).toBeLessThanOrEqual(count + 2);
        for (const tick of list.slice(1)) expect(Number(tick.toPrecision(2))).toBeCloseTo(tick, 9);
      }),
    );
    expect(ticks(3, 6, true)).toEqual([0, 1, 2, 3]);
  });

  it('place the label of a level where the curve is not', () => {
    // The curve lies on the level at its right end, where labels are by default.
    const values = Array.from({ length: 101 }, (_, k) => (k < 50 ? 0 : 0.52));
    const svg = lineChart({ title: '', across: '', upward: '', values, level: { value: 0.5, label: 'level' } });
    const [, x, y] = /class="label" x="([\d.]+)" y="([\d.]+)"/.exec(svg) ?? [];
    const curve = [...svg.matchAll(/([\d.]+) ([\d.]+)(?=L|")/g)].map(([, px, py]) => [Number(px), Number(py)]);
    expect(curve.filter(([px, py]) => Math.abs(px + 15 - Number(x)) < 15 && Math.abs(py + 6 - Number(y)) < 6)).toEqual(
      [],
    );
  });

  it('have no NaN, whatever they show', () => {
    const axes = { title: 't', across: 'x', upward: 'y' };
    for (const values of [[0], [0, 0, 0], [1], [1, 1], [1e-9, 2e-9], [5, 0, 1e6]]) {
      const line = lineChart({
        ...axes,
        values,
        mark: { index: 0, label: 'a' },
        level: { value: values[0], label: 'b' },
      });
      const bars = histogram({ ...axes, values, marks: [{ value: values[0], label: 'c' }] });
      expect(line + bars).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

describe('the page of a fit', () => {
  it('is one well-formed file that needs nothing else, and says what a user wants to know', async () => {
    const result = await fitted();
    const page = await fitPage(result, {
      title: 'A <b>"sheet"</b> & co.',
      size: { bytes: 12_345, bytesBefore: 123_450, estimated: true },
      settings: [
        { name: 'bones', value: '5', given: true },
        { name: 'kind', value: 'trs', given: false },
      ],
      notes: [note('no-frames', {}, '<script>alert(1)</script>')],
    });
    expectSelfContainedPage(page);
    expect(page.length).toBeLessThan(1e6);
    expect(page).toContain('<title>A &#60;b&#62;&#34;sheet&#34;&#60;/b&#62; &#38; co.</title>');
    const text = page
      .replace(/<style>.*<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    for (const words of [
      'RMSE',
      'Largest error',
      `vertex ${result.errors.maxErrorVertex} in frame ${result.errors.maxErrorFrame}`,
      '12.3 kB',
      'about 10 × smaller than morph targets',
      'about 123 kB',
      'at most 4 per vertex',
      '% of the diagonal',
      'Seconds per stage',
      '1 setting at default',
    ]) {
      expect(text).toContain(words);
    }
    expect(page.match(/data:image\/png/g)).toHaveLength(8);
    expect(page.match(/class="joint"/g)).toHaveLength(5);
    expect(page).toContain('class="ring');
    expect(withoutPictures(page)).not.toMatch(/NaN|undefined/);
  });

  it('marks the clips that were fitted together', async () => {
    const clips = [bendingSheet(8, 5, 4), { ...bendingSheet(8, 5, 6), name: 'second' }];
    const page = await fitPage(await fit(clips, { preset: 'fast', bones: 4 }));
    expectSelfContainedPage(page);
    expect(page).toMatch(/<text class="tick"[^>]*>second<\/text>/);
    expect(page).toContain('sheet 4, second 6');
  });

  it.each(['rigid', 'affine'] as const)('knows %s bones', async (kind) => {
    const page = await fitPage(await fitted({ kind }));
    expectSelfContainedPage(page);
    expect(page).toContain(`${kind}:`);
    expect(page.match(/class="joint"/g)).toHaveLength(5);
  });

  it('tells of an exact fit of one frame', async () => {
    const rest = sheet(6, 4);
    const page = await fitPage(await fit(memorySequence('still', rest, [rest.positions.slice()]), { bones: 2 }));
    expectSelfContainedPage(page);
    expect(withoutPictures(page)).not.toMatch(/NaN|undefined|Infinity/);
    // There is no other frame than the worst.
    expect(page.match(/data:image\/png/g)).toHaveLength(5);
  });

  it('is the same every time', async () => {
    const still = memorySequence('still', sheet(6, 4), [sheet(6, 4).positions]);
    const result = await fit(still, { bones: 2 });
    expect(await fitPage(result)).toBe(await fitPage(result));
  });

  it('can be cancelled', async () => {
    const result = await fitted();
    const signal = { aborted: true } as AbortSignal;
    await expect(fitPage(result, {}, { signal })).rejects.toThrow(PliantError);
  });
});
