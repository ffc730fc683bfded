/**
 * A bound of how far a matrix stretches: the square root of the largest row sum of |AᵀA|, which is at least its largest eigenvalue
 * and equal to it for a rotation with any scale along axes.
 */
export function largestStretch(m: ArrayLike<number>, o: number): number {
  let most = 0;
  for (let a = 0; a < 3; a++) {
    let sum = 0;
    for (let b = 0; b < 3; b++) {
      let dot = 0;
      for (let r = 0; r < 12; r += 4) dot += m[o + r + a] * m[o + r + b];
      sum += Math.abs(dot);
    }
    if (sum > most) most = sum;
  }
  return Math.sqrt(most);
}
