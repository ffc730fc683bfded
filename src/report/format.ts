import { count, plural } from '../model/wording.ts';

/** How numbers are written for people. Machines read `--json`, where every digit is kept. */

export { count, plural };

/** Four significant digits, no trailing zeros: 0.4893, 12.5, 1.2e-7. */
export function number(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e9) return x.toExponential(2).replace(/\.?0+e/, 'e');
  if (size >= 1e3) return (x < 0 ? '-' : '') + count(size);
  return String(Number(x.toPrecision(4)));
}

/** Three significant digits, which is what errors and ratios deserve; a dash for what is not defined. */
export const digits = (x: number | undefined): string => (x === undefined ? '–' : number(Number(x.toPrecision(3))));

/** `0.489 %`, where the number is of hundred. */
export const percent = (x: number | undefined): string => (x === undefined ? 'not defined' : `${digits(x)} %`);

/** Seconds, with as many digits as anyone wants to know: 0.35, 4.2, 1,234. */
export const duration = (x: number): string => (x < 10 ? x.toFixed(x < 1 ? 2 : 1) : count(x));

/** Decimal multiples, as file managers show them: 980 B, 1.2 MB. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (n >= 999.5 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${unit === 0 || n >= 99.5 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
}

/** `12.3 × smaller`, `1.03 × larger` or `as large`; than or as what, where that is named. */
export function sizeChange(before: number, after: number, what = ''): string {
  const ratio = digits(Math.max(before, after) / Math.min(before, after));
  if (ratio === '1') return what ? `as large as ${what}` : 'as large';
  return `${ratio} × ${after > before ? 'larger' : 'smaller'}${what && ` than ${what}`}`;
}
