/** Index of the last of rising numbers that is at most x, by bisection; −1 when all are larger. */
export function lastAtMost(rising: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
