import { digits } from '../../../../src/report/format.ts';

/** Smallest end of error scales, in %, for colours and charts. */
export const LEAST_SCALE = 1e-3;
/** Errors below this, in %, are not spelled out. */
const LEAST_READ = 1e-4;

/** An error in %, as text. */
export const errorText = (percent: number): string =>
  percent > 0 && percent < LEAST_READ ? `< ${LEAST_READ}` : digits(percent);

/** `0.489 %`; a dash for what is not defined. */
export const errorPercent = (percent: number | undefined): string =>
  percent === undefined ? '–' : `${errorText(percent)} %`;
