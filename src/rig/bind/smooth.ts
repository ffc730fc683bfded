import type { Lists } from '../../mesh/adjacency.ts';

/**
 * Rounds of smoothing: every point's weights (n·D) move halfway to the mean of its neighbours'. Sums stay 1. How far this
 * reaches depends on how fine the mesh is. Returns a new array.
 */
export function smoothWeights(
  weights: Float64Array,
  columns: number,
  { offsets, items }: Lists,
  rounds: number,
): Float64Array {
  let now = weights.slice();
  let next = weights.slice();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i + 1 < offsets.length; i++) {
      const degree = offsets[i + 1] - offsets[i];
      if (degree === 0) continue;
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += now[items[q] * columns + c];
        next[i * columns + c] = (now[i * columns + c] + sum / degree) / 2;
      }
    }
    [now, next] = [next, now];
  }
  return now;
}
