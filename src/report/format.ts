import { bytes, count, digits, number, plural } from '../model/wording.ts';

/** How numbers are written for people. Machines read `--json`, where every digit is kept. */

export { bytes, count, digits, number, plural };

/** `0.489 %`, where the number is of hundred. */
export const percent = (x: number | undefined): string => (x === undefined ? 'not defined' : `${digits(x)} %`);

/** Seconds, with as many digits as anyone wants to know: 0.35, 4.2, 1,234. */
export const duration = (x: number): string => (x < 10 ? x.toFixed(x < 1 ? 2 : 1) : count(x));

/** `12.3 × smaller`, `1.03 × larger` or `as large`; than or as what, where that is named. */
export function sizeChange(before: number, after: number, what = ''): string {
  const ratio = digits(Math.max(before, after) / Math.min(before, after));
  if (ratio === '1') return what ? `as large as ${what}` : 'as large';
  return `${ratio} × ${after > before ? 'larger' : 'smaller'}${what && ` than ${what}`}`;
}
