import { digits } from '../../../../src/report/format.ts';

/** In %: scales of errors, of colours and of charts, end here at least. */
export const LEAST_SCALE = 1e-3;
/** In %: nobody reads the digits of what is less. */
const LEAST_READ = 1e-4;

/** Errors in %, as people read them. */
export const errorText = (percent: number): string =>
  percent > 0 && percent < LEAST_READ ? `< ${LEAST_READ}` : digits(percent);

/** `0.489 %`; a dash for what is not defined. */
export const errorPercent = (percent: number | undefined): string =>
  percent === undefined ? '–' : `${errorText(percent)} %`;
