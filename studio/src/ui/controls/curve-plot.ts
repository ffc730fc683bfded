import { digits } from '../../../../src/report/format.ts';

export interface Curve {
  name: string;
  colour: string;
  /** One per place. */
  values: ArrayLike<number>;
  /** Emphasised: the current one. */
  chosen?: boolean;
}

/** Layout of the drawing in its own units; it is stretched to the available width. */
export const WIDE = 288;
export const HIGH = 132;
export const LEFT = 38;
export const RIGHT = WIDE - 6;
export const TOP = 6;
export const BOTTOM = HIGH - 18;

/** Maps places and values to the drawing. */
export interface CurvePlot {
  places: readonly number[];
  first: number;
  last: number;
  x(place: number): number;
  y(value: number): number;
  /** The place at a fraction of the width, clamped to the ends. */
  placeAt(share: number): number;
  /** Round values, lowest first. */
  ticks: number[];
  /** A value as text, with its sign if `even` is 0. */
  text(value: number): string;
}

/** @param places ascending. @param even the value of no change. */
export function curvePlot(places: readonly number[], curves: readonly Curve[], even: number | undefined): CurvePlot {
  const [first, last] = [places[0], places[places.length - 1]];
  const { low, high, ticks } = scaleOf([...curves.flatMap(({ values }) => Array.from(values)), even ?? Infinity]);
  // Rounding errors are shown as 0.
  const least = 1e-4 * (high - low);
  return {
    places,
    first,
    last,
    x: (place) => LEFT + ((place - first) / (last - first)) * (RIGHT - LEFT),
    y: (value) => TOP + ((high - value) / (high - low)) * (BOTTOM - TOP),
    placeAt: (share) => first + Math.min(1, Math.max(0, (share * WIDE - LEFT) / (RIGHT - LEFT))) * (last - first),
    ticks,
    text: (value) => (even === 0 ? signed(value, least) : digits(Math.abs(value) < least ? 0 : value)),
  };
}

/** A range for all values, with three or four round ticks. */
function scaleOf(all: readonly number[]): { low: number; high: number; ticks: number[] } {
  const values = all.filter(Number.isFinite);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, 1e-3 * Math.max(Math.abs(most), 1e-9));
  const low = least - 0.06 * span;
  const high = most + 0.06 * span;
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (factor * power) <= 4) ?? 10);
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(Number((n * step).toPrecision(6)));
  return { low, high, ticks };
}

/** Index of the nearest place. */
export const nearestTo = (places: readonly number[], wanted: number): number =>
  places.reduce((best, place, p) => (Math.abs(place - wanted) < Math.abs(places[best] - wanted) ? p : best), 0);

/** A change with its sign; values below `least` are 0. */
export function signed(value: number, least: number): string {
  if (Math.abs(value) < least) return '0';
  return (value < 0 ? '−' : '+') + digits(Math.abs(value));
}
