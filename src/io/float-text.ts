/**
 * The shortest decimal that reads back as the same float32: six to nine digits always do (IEEE 754-2019, 5.12.2). With
 * m a whole number below 10⁹ and a power of ten up to 10²², m / 10ᵖ is one correctly rounded double, and JavaScript
 * prints that as exactly those digits; no string has to be parsed to check it.
 */

/** 10⁰ … 10²²: those that doubles hold exactly. */
export const POWERS_OF_TEN: Float64Array = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));

/** A finite float32 as text. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const size = Math.abs(value);
  const leading = Math.floor(Math.log10(size));
  for (let digits = 6; digits <= 9; digits++) {
    const power = digits - 1 - leading;
    if (power < -22 || power > 22) return outlierText(value);
    const candidate =
      power >= 0
        ? Math.round(size * POWERS_OF_TEN[power]) / POWERS_OF_TEN[power]
        : Math.round(size / POWERS_OF_TEN[-power]) * POWERS_OF_TEN[-power];
    if (Math.fround(candidate) === size) return String(value < 0 ? -candidate : candidate);
  }
  return outlierText(value);
}

/** Very large and very small numbers, by trying. */
function outlierText(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}
