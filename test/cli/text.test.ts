import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest } from '../../cli/flags/suggest.ts';
import { progressLine } from '../../cli/terminal/progress.ts';
import { commandLine } from '../../cli/text/command-line.ts';
import { columns, GLUE, numberTable, type Page, pairs, wrap } from '../../cli/text/table.ts';
import { bytes, count, number, percent, plural, sizeChange } from '../../src/report/format.ts';

const page = (width: number): Page => ({ width, strong: (text) => text });

describe('the command line on a page', () => {
  it('could be typed again', () => {
    expect(commandLine([], ['fit', 'a/', '-o', 'b.glb'])).toBe('pliant fit a/ -o b.glb');
    expect(commandLine([], ['fit', 'a b/*.obj', '--name=', '', "it's"])).toBe(
      "pliant fit 'a b/*.obj' --name= '' 'it'\\''s'",
    );
  });

  it('shows of many files the first and the last', () => {
    const files = Array.from({ length: 9 }, (_, k) => `f${k}.obj`);
    expect(commandLine(files, ['fit', ...files, '-o', 'b.glb'])).toBe('pliant fit f0.obj … f8.obj -o b.glb');
    const few = files.slice(0, 4);
    expect(commandLine(few, ['fit', '--force', ...few])).toBe(`pliant fit --force ${few.join(' ')}`);
  });
});

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [0.123456, '0.1235'],
    [12.5, '12.5'],
    [-3, '-3'],
    [123456.7, '123,457'],
    [-123456.7, '-123,457'],
    [1.2e-7, '1.2e-7'],
    [0.0002, '0.0002'],
    [1e12, '1e+12'],
    [Number.NaN, 'NaN'],
  ])('%f is %s', (x, text) => expect(number(x)).toBe(text));

  it('keeps four digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e8, max: 1e8 }), (x) => {
        const read = Number(number(x).replaceAll(',', ''));
        expect(Math.abs(read - x)).toBeLessThanOrEqual(Math.max(0.006 * Math.abs(x), 1e-300));
      }),
    );
  });

  it('writes per cent, or that there is no such number', () =>
    expect([percent(0.48934), percent(0), percent(undefined)]).toEqual(['0.489 %', '0 %', 'not defined']));

  it('says which of two sizes is larger', () => {
    expect([sizeChange(1000, 80), sizeChange(1000, 1030)]).toEqual(['12.5 × smaller', '1.03 × larger']);
    expect([sizeChange(59_500, 59_600), sizeChange(7, 7, 'it was')]).toEqual(['as large', 'as large as it was']);
    expect(sizeChange(1000, 80, 'morph targets')).toBe('12.5 × smaller than morph targets');
  });

  it('counts and sizes', () => {
    expect([count(7), count(1234), count(1234567)]).toEqual(['7', '1,234', '1,234,567']);
    expect([plural(1, 'vertex', 'vertices'), plural(0, 'frame')]).toEqual(['1 vertex', '0 frames']);
    expect([bytes(0), bytes(999), bytes(1234), bytes(999_999), bytes(2e9)]).toEqual([
      '0 B',
      '999 B',
      '1.2 kB',
      '1.0 MB',
      '2.0 GB',
    ]);
  });
});

describe('tables', () => {
  it('align values and wrap them in their own column', () => {
    expect(
      pairs(
        [
          ['a', 'one two three four five six'],
          ['long key', 'x'],
        ],
        page(32),
      ),
    ).toBe(['  a         one two three four', '            five six', '  long key  x'].join('\n'));
  });

  it('align numbers to the right, words to the left', () => {
    const rows = [
      ['x', '1.5', '%'],
      ['yy', '123', ''],
    ];
    expect(columns(rows)).toEqual(['  x   1.5  %', '  yy  123']);
    expect(numberTable(['frame', 'max'], [['0', '12.25']], page(80))).toBe('  frame    max\n      0  12.25');
  });

  it('do not break at glue', () => expect(wrap(`a${GLUE}b c`, 3)).toEqual(['a b', 'c']));

  it('wrapping keeps every word and no line is too long', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }),
        fc.integer({ min: 9, max: 40 }),
        (words, width) => {
          const lines = wrap(words.join(' '), width);
          expect(lines.join(' ')).toBe(words.join(' '));
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('suggestions', () => {
  it.each([
    ['inof', 'info'],
    ['flga', 'flag'],
    ['tableclot', 'tablecloth'],
    ['FLAG', 'flag'],
    ['error', 'max-error'],
    ['target', undefined],
    ['zzzz', undefined],
    ['', undefined],
  ])('%s → %s', (word, meant) =>
    expect(closest(word, ['info', 'flag', 'tablecloth', 'start', 'max-error'])).toBe(meant),
  );
});

describe('the progress line', () => {
  it('fits every terminal', () => {
    for (const width of [20, 40, 80, 200]) {
      expect(progressLine('simulating a very long description of a stage', 0.5, 3.2, width).length).toBeLessThan(width);
    }
  });

  it('shows label, share and time left', () => {
    expect(progressLine('simulating', 0.5, 3.2, 80)).toMatch(/^simulating +█+░+ +50 % {2}4 s left/);
    expect(progressLine('simulating', 1, Number.NaN, 80)).toMatch(/█ 100 % +$/);
    expect(progressLine('simulating', 0.5, 3.2, 40)).toMatch(/^simulating +█+░+ +50 % {2}4 s left/);
  });
});
