import { describe, expect, it } from 'vitest';
import { defaultsOf, type OptionSpecs, resolveOptions } from '../../src/model/options.ts';

const SPECS = {
  bones: { type: 'number', default: 20, min: 1, max: 100, integer: true, description: '' },
  scale: { type: 'number', default: 1, min: 0, description: '' },
  smooth: { type: 'boolean', default: false, description: '' },
  kind: { type: 'choice', default: 'trs', choices: ['rigid', 'trs', 'affine'], description: '' },
  name: { type: 'string', default: undefined, description: '' },
} as const satisfies OptionSpecs;

describe('resolveOptions', () => {
  it('puts what is given over the defaults; undefined is not given', () => {
    expect(resolveOptions(SPECS, {}, 'x')).toEqual(defaultsOf(SPECS));
    const given = { bones: 3, kind: 'rigid', name: 'a', scale: undefined } as const;
    expect(resolveOptions(SPECS, given, 'x')).toEqual({ bones: 3, scale: 1, smooth: false, kind: 'rigid', name: 'a' });
  });

  it('puts a preset between the two', () => {
    const preset = { bones: 5, smooth: true, scale: 2 };
    const given = { bones: 3, smooth: undefined, scale: 0 };
    const resolved = { ...defaultsOf(SPECS), bones: 3, smooth: true, scale: 0 };
    expect(resolveOptions(SPECS, given, 'x', preset)).toEqual(resolved);
  });

  it.each([
    ['bones', 0],
    ['bones', 2.5],
    ['scale', Number.NaN],
    ['scale', Number.POSITIVE_INFINITY],
    ['smooth', 'yes'],
    ['kind', 'soft'],
    ['name', 7],
  ])('refuses %s %s, and says what was given', (option, value) => {
    const cause = expect.stringContaining(`got ${value}`);
    const refusal = expect.objectContaining({ code: 'bad-option', option, message: cause });
    expect(() => resolveOptions(SPECS, { [option]: value } as never, 'x')).toThrow(refusal);
  });
});
