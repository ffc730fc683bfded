import { digits } from '../../../../src/report/format.ts';

/** A change as it is read, with its sign; what is below `least` is nothing. */
export function signed(value: number, least: number): string {
  if (Math.abs(value) < least) return '0';
  return (value < 0 ? '−' : '+') + digits(Math.abs(value));
}
