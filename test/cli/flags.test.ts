import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFlags, givenFlags, kebab } from '../../cli/flags/flags.ts';
import type { OptionSpecs } from '../../src/model/options.ts';
import { refusal } from '../refusal.ts';

const SPECS = {
  frames: { type: 'number', default: 70, description: 'frames to simulate', integer: true, min: 1, max: 1000 },
  twistAngle: { type: 'number', default: Math.PI, description: 'twist', unit: 'radians', min: -Math.PI, max: Math.PI },
  strength: { type: 'number', default: 0.5, description: 'how strong', min: 0 },
  share: { type: 'number', default: 1, description: 'how much', unit: '%', min: 0, max: 100, zero: 'off' },
  size: { type: 'number', default: 0, description: 'how large', unit: 'bytes', min: 0 },
  normals: { type: 'boolean', default: true, description: 'normals too' },
  verbose: { type: 'boolean', default: false, description: 'say more' },
  operator: { type: 'choice', default: 'lbs', choices: ['lbs', 'dqs'], description: 'how to blend' },
  clip: { type: 'string', default: undefined, description: 'which clip' },
} as const satisfies OptionSpecs;

const commandFor = (specs: OptionSpecs): Command => addFlags(new Command('verb'), specs).exitOverride();
const parse = (...argv: string[]) => givenFlags(commandFor(SPECS).parse(argv, { from: 'user' }), SPECS);

describe('flags of an options table', () => {
  it('are named in kebab case', () => expect(kebab('framesPerSecond')).toBe('frames-per-second'));

  it('give only what the user gave', () => expect(parse()).toEqual({}));

  it('give every kind of value', () => {
    const argv = '--frames 12 --strength 2.5 --no-normals --verbose --operator dqs --clip walk'.split(' ');
    expect(parse(...argv)).toEqual({
      frames: 12,
      strength: 2.5,
      normals: false,
      verbose: true,
      operator: 'dqs',
      clip: 'walk',
    });
  });

  it('take degrees for what the library measures in radians, limits included', () => {
    expect(parse('--twist-angle', '90').twistAngle).toBeCloseTo(Math.PI / 2, 15);
    expect(parse('--twist-angle', '180').twistAngle).toBe(Math.PI);
    expect(parse('--twist-angle', '-180').twistAngle).toBe(-Math.PI);
    expect(() => parse('--twist-angle', '181')).toThrow(
      refusal('bad-option', { option: 'twistAngle', values: [181, '-180', 180] }),
    );
  });

  it('take percents with their sign, sizes with their unit, and a word for 0', () => {
    expect(parse('--share', '2.5 %')).toEqual({ share: 2.5 });
    expect(parse('--share', 'off')).toEqual({ share: 0 });
    expect(parse('--size', '1.5kB')).toEqual({ size: 1500 });
  });

  it.each([
    ['frames', 'many'],
    ['frames', '1.5'],
    ['frames', '0'],
    ['frames', ''],
    ['strength', '-1'],
    ['strength', 'Infinity'],
    ['share', '101%'],
    ['share', 'much'],
    ['size', 'small'],
    ['operator', 'dps'],
  ])('refuse --%s %s', (option, value) => {
    const refused = expect.objectContaining({ code: 'bad-option', operation: 'verb', option });
    expect(() => parse(`--${option}=${value}`)).toThrow(refused);
  });

  it('accept exactly the numbers in range', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2000, max: 2000 }), (n) => {
        const read = () => parse(`--frames=${n}`).frames;
        if (n >= 1 && n <= 1000) expect(read()).toBe(n);
        else expect(read).toThrow(refusal('bad-option', { option: 'frames', values: [n, 1, 1000] }));
      }),
    );
  });

  it('say unit, range and default in the help', () => {
    const help = commandFor(SPECS).configureHelp({ helpWidth: 200 }).helpInformation();
    expect(help).toContain('--twist-angle <degrees>  twist [degrees; -180 to 180; default 180]');
    expect(help).toContain('frames to simulate [1 to 1000; default 70]');
    expect(help).toContain('--no-normals');
    expect(help).toContain('--share <percent>');
    expect(help).toContain('how to blend [lbs, dqs; default lbs]');
  });
});
