import type { FitContext } from '../context.ts';
import type { FitOptions } from '../fit-options.ts';
import type { Found } from '../solve.ts';
import { searchError } from './search-error.ts';
import { searchSize } from './search-size.ts';

const KINDS = ['rigid', 'trs', 'affine'] as const;

/** The number of bones, and with `chooseKind` their kind, for a target size; or the number for a target error. */
export function searchTarget(context: FitContext, options: FitOptions, chooseKind: boolean): Promise<Found> {
  return options.maxSize > 0
    ? searchSize(context, options, chooseKind ? KINDS : [options.kind])
    : searchError(context, options);
}
