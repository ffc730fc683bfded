import { FIT_OPTIONS, type FitOptions, PliantError, SAMPLE_NAMES } from '../../../../src/index.ts';
import { resolveOptions } from '../../../../src/model/options.ts';

/**
 * What the address of the page asks for: `?sample=flag&bones=40`. Options of a fit go by their names, with or without the
 * prefix `fit.`; the option `sample` needs the prefix.
 */
export interface Wish {
  sample?: string;
  fit: Partial<FitOptions>;
  /** A list of files that the studio's own server offers. */
  files?: string;
  /** Whether to open the lab: `?lab`. */
  lab: boolean;
}

const FIT = 'fit.';
const OWN = ['sample', 'files', 'lab'];

/** The name of a fit option in an address. */
const addressName = (option: string): string => (OWN.includes(option) ? FIT + option : option);

/** The number, or the text as written, which is then refused. */
const numberOf = (text: string): number | string =>
  text.trim() === '' || Number.isNaN(Number(text)) ? `"${text}"` : Number(text);

/** Throws for an unknown name or a value out of range. */
export function readAddress(search: string): Wish {
  const query = new URLSearchParams(search);
  const fit: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (OWN.includes(name)) continue;
    const option = name.startsWith(FIT) ? name.slice(FIT.length) : name;
    if (!Object.hasOwn(FIT_OPTIONS, option)) {
      const expected = ['sample', ...Object.keys(FIT_OPTIONS).map(addressName)].join(', ');
      throw new PliantError('bad-option', 'address', `there is no option "${name}" (expected ${expected})`);
    }
    const spec = FIT_OPTIONS[option as keyof typeof FIT_OPTIONS];
    if (spec.type === 'number') fit[option] = numberOf(text);
    else fit[option] = (spec.type as string) === 'boolean' ? text !== 'false' : text;
  }
  resolveOptions(FIT_OPTIONS, fit as Partial<FitOptions>, 'address');
  const sample = query.get('sample') ?? undefined;
  if (sample !== undefined && !(SAMPLE_NAMES as readonly string[]).includes(sample)) {
    const cause = `there is no sample "${sample}" (expected ${SAMPLE_NAMES.join(', ')})`;
    throw new PliantError('not-found', 'address', cause);
  }
  return { sample, fit: fit as Partial<FitOptions>, files: query.get('files') ?? undefined, lab: query.has('lab') };
}

/** What `readAddress` reads: `?sample=flag&bones=40`. */
export function writeAddress(sample: string, fit: Partial<FitOptions>): string {
  const query = new URLSearchParams({ sample });
  for (const [name, value] of Object.entries(fit)) {
    if (value !== undefined) query.set(addressName(name), String(value));
  }
  return `?${query}`;
}

/** The options that differ from their defaults. */
export const changedFitOptions = (options: Partial<FitOptions>): Partial<FitOptions> =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => FIT_OPTIONS[name as keyof FitOptions].default !== value),
  );
