import type { Space } from './mesh.ts';

/** Numbers in sentences, for messages, notes and reports. */

/** Whole numbers with a comma between thousands: 12,345. */
export const count = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 vertex`, `2,904 vertices`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** `40 TRS bones`. */
export const boneCount = (n: number, kind: string): string => plural(n, `${kind === 'trs' ? 'TRS' : kind} bone`);

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

/** `y up, metres` or `z up, 1 unit = 0.01 m`. */
export function spaceText({ up, metresPerUnit }: Space): string {
  return `${up} up, ${metresPerUnit === 1 ? 'metres' : `1 unit = ${number(metresPerUnit)} m`}`;
}
