import { type OptionSpecs, PliantError } from '../../../../src/index.ts';
import { expectedNumber, resolveOptions } from '../../../../src/model/options.ts';

/** Checks the form of untrusted data: passes, or throws and says where it failed. */
export type Check = (value: unknown, what: string) => void;

export function fail(what: string, expected: string): never {
  throw new PliantError('bad-file', 'session', `${what} (expected ${expected})`);
}

const where =
  (holds: (value: unknown) => boolean, expected: string): Check =>
  (value, what) => {
    if (!holds(value)) fail(what, expected);
  };

export const text: Check = where((value) => typeof value === 'string', 'text');
export const flag: Check = where((value) => typeof value === 'boolean', 'true or false');
/** Allows NaN and ∞, which figures may be. */
export const figure: Check = where((value) => typeof value === 'number', 'a number');
export const number = (min?: number, max?: number): Check =>
  where(
    (value) =>
      Number.isFinite(value) && (value as number) >= (min ?? -Infinity) && (value as number) <= (max ?? Infinity),
    expectedNumber({ min, max }),
  );
export const index = (count = Infinity): Check =>
  where(
    (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < count,
    count < Infinity ? `below ${count}` : 'a whole number',
  );
export const oneOf = (choices: readonly unknown[]): Check =>
  where((value) => choices.includes(value), choices.join(', '));
export const array = (type: new () => ArrayBufferView, length?: number): Check =>
  where(
    (value) => value instanceof type && (length === undefined || (value as Float32Array).length === length),
    `${length === undefined ? '' : `${length} in `}${type.name}`,
  );

/** An array without NaN and ∞. */
export const finite: Check = where(
  (value) => (value as Float64Array).every((entry) => Number.isFinite(entry)),
  'finite numbers',
);

export const optional =
  (check: Check): Check =>
  (value, what) => {
    if (value !== undefined) check(value, what);
  };

export const list =
  (check: Check, length?: number): Check =>
  (value, what) => {
    if (!Array.isArray(value) || value.length !== (length ?? value.length))
      fail(what, length === undefined ? 'a list' : `a list of ${length}`);
    value.forEach((entry, e) => {
      check(entry, `${what} ${e + 1}`);
    });
  };

/** A list with one check per entry. */
export const tuple =
  (checks: readonly Check[]): Check =>
  (value, what) => {
    list(() => {}, checks.length)(value, what);
    for (const [e, check] of checks.entries()) check((value as unknown[])[e], `${what} ${e + 1}`);
  };

/** An object with these fields; others are ignored. */
export const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, what) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(what, 'fields');
    for (const [name, check] of Object.entries(fields))
      check((value as Record<string, unknown>)[name], `${what}.${name}`);
  };

/** An object with values of one kind. */
export const record =
  (check: Check): Check =>
  (value, what) => {
    shape({})(value, what);
    for (const [name, entry] of Object.entries(value as object)) check(entry, `${what}.${name}`);
  };

export const all =
  (...checks: Check[]): Check =>
  (value, what) => {
    for (const check of checks) check(value, what);
  };

export const anyOf =
  (checks: readonly Check[]): Check =>
  (value, what) => {
    const passes = (check: Check): boolean => {
      try {
        check(value, what);
        return true;
      } catch {
        return false;
      }
    };
    if (!checks.some(passes)) fail(what, `one of ${checks.length} forms`);
  };

/** Options of a table, all optional. */
export const optionsOf =
  (specs: OptionSpecs): Check =>
  (value, what) => {
    shape({})(value, what);
    resolveOptions(specs, value as object, what);
  };
