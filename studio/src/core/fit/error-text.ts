import { digits } from '../../../../src/report/format.ts';

/** Errors in %, as people read them: below this they are the rounding of single precision. */
const LEAST = 1e-4;

/** Where scales of errors end at least: rounding is no pattern to look at. */
export const LEAST_TOP = 1e-3;

export const errorText = (percent: number): string => (percent > 0 && percent < LEAST ? `< ${LEAST}` : digits(percent));
