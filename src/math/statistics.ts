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
