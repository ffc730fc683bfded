/**
 * Varimax (Kaiser 1958): turns the m columns of a matrix among themselves until each has few large entries and many small
 * ones, by plane rotations of pairs of columns. Rows come in groups of `group` (the x, y, z of a vertex), whose squared
 * length counts as one entry: where a column acts, not along which axis.
 *
 * @param a n × m, row-major; receives the turned columns. n is a multiple of `group`.
 */
export function varimax(a: Float64Array, m: number, group = 1): void {
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (let p = 0; p < m; p++) for (let q = p + 1; q < m; q++) largest = Math.max(largest, turn(a, m, group, p, q));
    if (largest < TOLERANCE) return;
  }
}

const MAX_SWEEPS = 30;
const TOLERANCE = 1e-5;

/** Turns columns p and q by the best angle, which it returns. With u = |p|² − |q|² and v = 2p·q per group. */
function turn(a: Float64Array, m: number, group: number, p: number, q: number): number {
  const rows = a.length / m;
  let sumU = 0;
  let sumV = 0;
  let sumD = 0;
  let sumUv = 0;
  for (let row = 0; row < rows; row += group) {
    let u = 0;
    let v = 0;
    for (let r = row; r < row + group; r++) {
      const x = a[r * m + p];
      const y = a[r * m + q];
      u += x * x - y * y;
      v += 2 * x * y;
    }
    sumU += u;
    sumV += v;
    sumD += u * u - v * v;
    sumUv += u * v;
  }
  const groups = rows / group;
  const numerator = 2 * (sumUv - (sumU * sumV) / groups);
  const denominator = sumD - (sumU * sumU - sumV * sumV) / groups;
  const angle = Math.atan2(numerator, denominator) / 4;
  if (Math.abs(angle) < TOLERANCE) return 0;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  for (let r = 0; r < rows; r++) {
    const x = a[r * m + p];
    const y = a[r * m + q];
    a[r * m + p] = c * x + s * y;
    a[r * m + q] = c * y - s * x;
  }
  return Math.abs(angle);
}
