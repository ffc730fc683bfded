/** Mean of the squared differences from the mean; 0 for no values. */
export function varianceOf(values: ArrayLike<number>): number {
  const n = values.length;
  if (n === 0) return 0;
  let mean = 0;
  for (let q = 0; q < n; q++) mean += values[q];
  mean /= n;
  let sum = 0;
  for (let q = 0; q < n; q++) sum += (values[q] - mean) ** 2;
  return sum / n;
}

export const deviationOf = (values: ArrayLike<number>): number => Math.sqrt(varianceOf(values));

/** The value that a share of all values do not exceed; 0 for no values. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
