import { describe, expect, it } from 'vitest';
import { parseBytes, withoutPercent } from '../../cli/flags/quantities.ts';

describe('sizes', () => {
  it.each([
    ['300000', 300_000],
    ['300kB', 300_000],
    ['300 KB', 300_000],
    ['1.5MB', 1_500_000],
    ['.5mb', 500_000],
    ['2 KiB', 2048],
    ['1.5MiB', 1_572_864],
    ['1GB', 1e9],
    ['12B', 12],
    ['0', 0],
    ['0kB', 0],
  ])('%s is %i bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes));

  it.each(['', 'kB', '-3kB', '3 apples', '0 apples', '1e3', '3k', '1.2.3MB', 'Infinity', 'NaN MB', '0.1B'])(
    'refuses "%s"',
    (text) => expect(parseBytes(text)).toBeNaN(),
  );
});

it('percents may have their sign', () => {
  expect(['0.5', '0.5%', ' 0.5 % ', '%'].map(withoutPercent)).toEqual(['0.5', '0.5', '0.5', '']);
});
