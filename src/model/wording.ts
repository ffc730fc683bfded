/** Numbers in sentences, for messages, notes and reports. */

/** Whole numbers with a comma between thousands: 12,345. */
export const count = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 vertex`, `2,904 vertices`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
