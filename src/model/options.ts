import { PliantError } from '../error.ts';

/**
 * One table per operation describes its options. Defaults, CLI flags, help, the studio's controls and the docs all read
 * it, so that none of them can drift.
 */
export type OptionSpec =
  | {
      type: 'number';
      default: number;
      description: string;
      unit?: string;
      min?: number;
      max?: number;
      integer?: boolean;
      /** A word that may stand for 0: "off". */
      zero?: string;
    }
  | { type: 'boolean'; default: boolean; description: string }
  | { type: 'choice'; default: string; choices: readonly string[]; description: string }
  | { type: 'string'; default: string | undefined; description: string };

/** The options of an operation, by name: its table. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The type of the value that a spec describes. */
export type OptionValue<S extends OptionSpec> = S extends { type: 'number' }
  ? number
  : S extends { type: 'boolean' }
    ? boolean
    : S extends { type: 'choice'; choices: readonly (infer C)[] }
      ? C
      : string | undefined;

/** The options object that a table of specs describes. */
export type OptionsOf<T extends OptionSpecs> = { [K in keyof T]: OptionValue<T[K]> };

type NumberLimits = Pick<Extract<OptionSpec, { type: 'number' }>, 'min' | 'max' | 'unit' | 'zero'>;

/** A number within limits. `value` is the default, here and below. */
export const numberOption = <const L extends NumberLimits>(value: number, limits: L, description: string) =>
  ({ type: 'number', default: value, ...limits, description }) as const;

/** A whole number within limits. */
export const integerOption = <const L extends NumberLimits>(value: number, limits: L, description: string) =>
  ({ ...numberOption(value, limits, description), integer: true }) as const;

export const booleanOption = (value: boolean, description: string) =>
  ({ type: 'boolean', default: value, description }) as const;

export const choiceOption = <const C extends readonly string[], const D extends C[number]>(
  value: D,
  choices: C,
  description: string,
) => ({ type: 'choice', default: value, choices, description }) as const;

/** How fast something that is made runs. */
export const FRAMES_PER_SECOND_OPTION = numberOption(24, { min: 1, max: 1000, unit: 'frames/s' }, 'frames per second');

/** The seed of whatever an operation leaves to chance: the same one gives the same bytes. */
export const seedOption = (description: string) => integerOption(1, { min: 0, max: 2 ** 32 - 1 }, description);

/** The defaults of a table of specs. */
export function defaultsOf<const T extends OptionSpecs>(specs: T): OptionsOf<T> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, spec.default])) as OptionsOf<T>;
}

/**
 * The defaults, with what was given put over them; `preset` stands between the two. Throws `bad-option` for a value that
 * the table does not allow.
 */
export function resolveOptions<const T extends OptionSpecs>(
  specs: T,
  given: Partial<OptionsOf<T>>,
  operation: string,
  preset: Partial<OptionsOf<T>> = {},
): OptionsOf<T> {
  const options: Record<string, unknown> = defaultsOf(specs);
  for (const [name, spec] of Object.entries(specs)) {
    const value = given[name] === undefined ? preset[name] : given[name];
    if (value === undefined) continue;
    const expected = whyNot(spec, value);
    if (expected) {
      const cause = `(got ${String(value)}, expected ${expected})`;
      throw new PliantError('bad-option', operation, cause, { option: name });
    }
    options[name] = value;
  }
  return options as OptionsOf<T>;
}

/** The same of a value that came from elsewhere, such as a job of a queue: an object with nothing but options. */
export function parseOptions<const T extends OptionSpecs>(specs: T, value: unknown, operation: string): OptionsOf<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PliantError('bad-option', operation, 'the job is no object');
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(specs, name));
  if (unknown !== undefined) {
    const candidates = Object.keys(specs);
    throw new PliantError('bad-option', operation, 'is unknown', { option: unknown, got: unknown, candidates });
  }
  return resolveOptions(specs, value as Partial<OptionsOf<T>>, operation);
}

/** What was expected instead of `value`, or undefined when it is fine. */
export function whyNot(spec: OptionSpec, value: unknown): string | undefined {
  if (spec.type === 'choice') return spec.choices.includes(value as string) ? undefined : spec.choices.join(', ');
  if (spec.type !== 'number') {
    const kind = spec.type === 'boolean' ? 'true or false' : 'text';
    return typeof value === spec.type ? undefined : kind;
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = false } = spec;
  const inside = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
  return inside && (!integer || Number.isInteger(value)) ? undefined : expectedNumber(spec);
}

/** `a whole number from 1 to 100`, `a number ≥ 0`. */
export function expectedNumber({ min, max, integer }: { min?: number; max?: number; integer?: boolean }): string {
  const kind = integer ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} ≥ ${min}`;
  return max === undefined ? kind : `${kind} ≤ ${max}`;
}

/** Progress of a long operation: `done` of `total` units, with what is being done. */
export type OnProgress = (done: number, total: number, label: string) => void;

/** What every long operation takes beside its own options. */
export interface RunOptions {
  onProgress?: OnProgress;
  signal?: AbortSignal;
}
