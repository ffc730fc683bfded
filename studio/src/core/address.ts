import { FIT_OPTIONS, type FitOptions } from '../../../src/fit/fit-options.ts';
import { resolveOptions } from '../../../src/model/options.ts';
import { SAMPLE_NAMES } from '../../../src/sample-list.ts';

/** What the address of the page asks for: `?sample=flag&bones=40`, the options of a fit by their names. */
export interface Wish {
  sample?: string;
  fit: Partial<FitOptions>;
  /** A list of files that the studio's own server offers. */
  files?: string;
}

/** Throws `bad-option` for a value that an option does not take, or a sample that there is not. */
export function readAddress(search: string): Wish {
  const query = new URLSearchParams(search);
  const fit: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(FIT_OPTIONS)) {
    const text = query.get(name);
    // A fit has an option of the name that samples go by here.
    if (text === null || name === 'sample') continue;
    if (spec.type === 'number') fit[name] = text.trim() === '' ? Number.NaN : Number(text);
    else fit[name] = spec.type === 'boolean' ? text !== 'false' : text;
  }
  resolveOptions(FIT_OPTIONS, fit as Partial<FitOptions>, 'address');
  const sample = query.get('sample') ?? undefined;
  if (sample !== undefined && !(SAMPLE_NAMES as readonly string[]).includes(sample)) {
    throw new Error(`address: no sample of this name (got "${sample}", expected ${SAMPLE_NAMES.join(', ')})`);
  }
  return { sample, fit: fit as Partial<FitOptions>, files: query.get('files') ?? undefined };
}
