import { type Argument, type Command, Option } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { OptionSpec, OptionSpecs, OptionsOf } from '../../src/index.ts';
import { expectedNumber } from '../../src/model/options.ts';
import { parseBytes, withoutPercent } from './quantities.ts';

/** framesPerSecond → frames-per-second. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** framesPerSecond → --frames-per-second. */
export const flagName = (option: string): string => `--${kebab(option)}`;

type NumberSpec = Extract<OptionSpec, { type: 'number' }>;

/** The library measures angles in radians, the command line in degrees: user value · factor = library value. */
const inRadians = (spec: NumberSpec): boolean => spec.unit === 'radians';
const factor = (spec: NumberSpec): number => (inRadians(spec) ? Math.PI / 180 : 1);
const unitOf = (spec: NumberSpec): string | undefined => (inRadians(spec) ? 'degrees' : spec.unit);

/** A number in the user's unit; the digits that converting to degrees leaves are dropped. */
const typed = (x: number, spec: NumberSpec): number => Number((x / factor(spec)).toPrecision(12));

/** `a whole number from 1 to 100`, in the user's unit. */
function expectation(spec: NumberSpec): string {
  const [min, max] = [spec.min, spec.max].map((limit) => (limit === undefined ? undefined : typed(limit, spec)));
  return expectedNumber({ integer: spec.integer, min, max }) + (spec.zero === undefined ? '' : ` or ${spec.zero}`);
}

/** Quantities as people type them: `0.5%`, `300kB`, `off`. */
const inUnits = (spec: NumberSpec, text: string): number => {
  if (spec.unit === 'bytes') return parseBytes(text);
  const plain = spec.unit === '%' ? withoutPercent(text) : text.trim();
  if (spec.zero !== undefined && plain === spec.zero) return 0;
  return plain === '' ? Number.NaN : Number(plain) * factor(spec);
};

/** A number as the table allows it, in the user's unit. */
function parseNumber(verb: string, option: string, spec: NumberSpec, text: string): number {
  const value = inUnits(spec, text);
  const low = spec.min ?? -Infinity;
  const high = spec.max ?? Infinity;
  // 180 degrees are π but for the last bit of the product: a limit is met when it is met to rounding.
  const inside = Math.min(Math.max(value, low), high);
  const good = Number.isFinite(value) && Math.abs(value - inside) <= 1e-12 * Math.abs(value);
  if (!good || (spec.integer && !Number.isInteger(inside))) {
    const expected = spec.unit === 'bytes' ? 'a size such as 300kB or 1.5MB' : expectation(spec);
    throw new PliantError('bad-option', verb, `(got ${text || 'nothing'}, expected ${expected})`, { option });
  }
  return inside;
}

function parseChoice(verb: string, option: string, candidates: readonly string[], text: string): string {
  if (candidates.includes(text)) return text;
  const cause = `(got ${text || 'nothing'}, expected ${candidates.join(', ')})`;
  throw new PliantError('bad-option', verb, cause, { option, got: text, candidates });
}

/** What follows the description in brackets, unless it has brackets of its own: unit, range, default. */
function remarks(spec: OptionSpec): string {
  if (spec.type === 'boolean' || spec.description.endsWith(']')) return '';
  const parts: string[] = [];
  if (spec.type === 'number') {
    const unit = unitOf(spec);
    if (unit === 'bytes') return ' [bytes, kB, MB, KiB, MiB]';
    if (unit) parts.push(unit);
    const range = expectation(spec).replace(/^a (whole )?number ?(from )?/, '');
    if (range) parts.push(range);
    parts.push(`default ${typed(spec.default, spec)}`);
  } else {
    if (spec.type === 'choice') parts.push(spec.choices.join(', '));
    if (spec.default !== undefined) parts.push(`default ${spec.default}`);
  }
  return parts.length ? ` [${parts.join('; ')}]` : '';
}

/** The word that stands for the value in the help. */
function placeholder(spec: OptionSpec): string {
  if (spec.type === 'choice') return 'choice';
  if (spec.type === 'string') return 'name';
  const unit = spec.type === 'number' ? unitOf(spec) : undefined;
  if (unit === '%' || unit === 'bytes') return unit === '%' ? 'percent' : 'size';
  return unit && /^[a-z]+$/.test(unit) ? unit : 'number';
}

/** One option of an operation as a flag of a verb. `value` names the placeholder where the type alone says too little. */
function flagOf(operation: string, name: string, spec: OptionSpec, value = placeholder(spec)): Option {
  const flag = kebab(name);
  if (spec.type === 'boolean') {
    return spec.default
      ? new Option(`--no-${flag}`, `do not ${spec.description}`)
      : new Option(`--${flag}`, spec.description);
  }
  const option = new Option(`--${flag} <${value}>`, spec.description + remarks(spec));
  if (spec.type === 'number') option.argParser((text) => parseNumber(operation, name, spec, text));
  if (spec.type === 'choice') {
    option.choices(spec.choices);
    option.argParser((text) => parseChoice(operation, name, spec.choices, text));
  }
  return option;
}

/** Adds a flag for every option of a table, but for those left out. */
export function addFlags(
  command: Command,
  specs: OptionSpecs,
  { without = [], values = {} }: { without?: readonly string[]; values?: Record<string, string> } = {},
): Command {
  for (const [name, spec] of Object.entries(specs)) {
    if (!without.includes(name)) command.addOption(flagOf(command.name(), name, spec, values[name]));
  }
  return command;
}

/** The options that the user gave; the operation fills in its own defaults for the rest. */
export function givenFlags<T extends OptionSpecs>(command: Command, specs: T): Partial<OptionsOf<T>> {
  const given = Object.keys(specs).filter((name) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(given.map((name) => [name, command.getOptionValue(name)])) as Partial<OptionsOf<T>>;
}

/** An argument that takes one of a few values. `what` is chosen [default its name]. */
export const chosenFrom = (
  verb: string,
  argument: Argument,
  candidates: readonly string[],
  what = argument.name(),
): Argument =>
  argument.choices(candidates).argParser((got: string) => {
    if (candidates.includes(got)) return got;
    const cause = `unknown ${what} "${got}" (expected ${candidates.join(', ')})`;
    throw new PliantError('bad-option', verb, cause, { got, candidates });
  });

/** Collects the values of a flag that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** The options of these names. */
export const only = <T extends object, K extends keyof T>(specs: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, specs[name]])) as Pick<T, K>;
