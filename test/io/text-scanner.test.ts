import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextScanner } from '../../src/io/text-scanner.ts';
import { refusal } from '../refusal.ts';
import { bytesOf } from './support.ts';

const scan = (text: string) => new TextScanner(bytesOf(text), 'test', 'file.txt');
const LARGEST_FLOAT = 3.4028234663852886e38;

describe('numbers', () => {
  it('are read as Number() reads them', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`));
    const literal = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits(25),
        digits(25),
        fc.constantFrom('', 'e', 'E'),
        fc.integer({ min: -60, max: 30 }),
      )
      .filter(([, whole, fraction]) => whole.length + fraction.length > 0)
      .map(([sign, whole, fraction, e, power]) => `${sign}${whole}.${fraction}${e && `${e}${power}`}`)
      .filter((text) => Math.abs(Number(text)) < LARGEST_FLOAT);
    fc.assert(
      fc.property(literal, (text) => {
        expect(scan(text).number('x')).toBe(Number(text));
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  it('of doubles come back exactly', () => {
    const double = fc.double({ noNaN: true, min: -1e38, max: 1e38 });
    fc.assert(
      fc.property(double, (value) => {
        expect(scan(`${value}`).number('x')).toBe(Number(`${value}`));
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  it.each(['', 'abc', '-', '.', '1e', '1e+', '0x10', '1.2.3', '1,5', 'nan', 'inf', '1/2', '--1'])(
    'refuses "%s"',
    (text) => {
      expect(() => scan(text).number('x')).toThrow(refusal('bad-file', { file: 'file.txt', values: ['expected x'] }));
    },
  );

  it.each(['1e39', '-3.5e38', '1e999', '3.4028236e38'])('refuses %s, which float32 does not hold', (text) => {
    expect(() => scan(text).number('x')).toThrow(refusal('bad-file', { values: ['float32'] }));
  });

  it('of whole kind are bounded', () => {
    expect(scan(' 12 ').integer('n', 0, 12)).toBe(12);
    expect(() => scan('13').integer('n', 0, 12)).toThrow(refusal('bad-file', { values: [13, 0, 12] }));
    expect(() => scan('1.5').integer('n', 0, 12)).toThrow(refusal('bad-file', { values: ['1.5'] }));
  });
});

describe('lines', () => {
  it.each([
    ['\n', 'unix'],
    ['\r\n', 'windows'],
    ['\r', 'old mac'],
  ])('end in %j (%s)', (end) => {
    const scanner = scan(['1 2 # three', '', '4 \\', '5', 'x'].join(end));
    const numbers: number[] = [];
    for (scanner.skipSpace(); numbers.length < 4; scanner.skipSpace()) numbers.push(scanner.number('n'));
    // A lone \r after a backslash is a line end too, once it is known that the file has no other.
    expect(numbers).toEqual([1, 2, 4, 5]);
    expect(() => scanner.number('n')).toThrow(refusal('bad-file', { file: 'file.txt', line: 5, values: ['x'] }));
  });

  it('are skipped with their continuations', () => {
    const scanner = scan('a \\\nb \\\r\nc\nd');
    scanner.skipLine(true);
    expect(scanner.word()).toBe('d');
    const plain = scan('a \\\nb');
    plain.skipLine();
    expect(plain.word()).toBe('b');
  });
});
