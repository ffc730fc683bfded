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
    }
  | { type: 'boolean'; default: boolean; description: string }
  | { type: 'choice'; default: string; choices: readonly string[]; description: string }
  | { type: 'string'; default: string | undefined; description: string };

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<S extends OptionSpec> = S extends { type: 'number' }
  ? number
  : S extends { type: 'boolean' }
    ? boolean
    : S extends { type: 'choice'; choices: readonly (infer C)[] }
      ? C
      : string | undefined;

/** The options object that a table of specs describes. */
export type OptionsOf<T extends OptionSpecs> = { [K in keyof T]: OptionValue<T[K]> };

/** The defaults of a table of specs: an operation's exported `X_DEFAULTS`. */
export function defaultsOf<const T extends OptionSpecs>(specs: T): OptionsOf<T> {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, spec.default])) as OptionsOf<T>;
}

/** Progress of a long operation: `done` of `total` units, with what is being done. */
export type OnProgress = (done: number, total: number, label: string) => void;

/** What every long operation takes beside its own options. */
export interface RunOptions {
  onProgress?: OnProgress;
  signal?: AbortSignal;
}
