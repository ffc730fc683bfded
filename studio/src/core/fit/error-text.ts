import { digits } from '../../../../src/report/format.ts';

/** Errors in % below this are rounding: nobody reads their digits, and scales of colours and charts end here at least. */
export const LEAST_ERROR = 1e-3;

/** Errors in %, as people read them. */
export const errorText = (percent: number): string =>
  percent > 0 && percent < LEAST_ERROR ? `< ${LEAST_ERROR}` : digits(percent);

/** `0.489 %`; a dash for what is not defined. */
export const errorPercent = (percent: number | undefined): string =>
  percent === undefined ? '–' : `${errorText(percent)} %`;
