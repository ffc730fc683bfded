import { choleskyFactor, choleskySolve } from './cholesky.ts';

/**
 * Non-negative least squares, min ‖A·x − b‖² over x ≥ 0 (Lawson & Hanson 1974, chapter 23), on the normal equations:
 * `ata` = AᵀA (n × n, row-major) and `atb` = Aᵀb (n). The entry whose gradient is largest becomes free; on the free ones
 * the unconstrained optimum is taken, and where that is negative, the step ends at the first 0.
 */
export function nnls(ata: Float64Array, atb: Float64Array, n: number): Float64Array {
  const x = new Float64Array(n);
  const free: number[] = [];
  let trace = 0;
  for (let c = 0; c < n; c++) trace += ata[c * n + c];
  const tolerance = TOLERANCE * Math.sqrt(trace) * Math.hypot(...atb.subarray(0, n)) + 1e-300;
  // Each entry comes in a few times at most; rounding alone could make it more.
  for (let pass = 0; pass < 3 * n; pass++) {
    let entering = -1;
    let steepest = tolerance;
    for (let c = 0; c < n; c++) {
      if (free.includes(c)) continue;
      let gradient = atb[c];
      for (const t of free) gradient -= ata[c * n + t] * x[t];
      if (gradient <= steepest) continue;
      steepest = gradient;
      entering = c;
    }
    if (entering < 0) break;
    free.push(entering);
    while (free.length > 0) {
      const target = optimumOn(ata, atb, n, free, RIDGE * trace + 1e-300);
      let step = 1;
      free.forEach((c, s) => {
        if (target[s] <= 0) step = Math.min(step, x[c] / (x[c] - target[s] || 1));
      });
      free.forEach((c, s) => {
        x[c] += step * (target[s] - x[c]);
      });
      if (step === 1) break;
      const held = free.filter((c) => x[c] <= ZERO);
      for (const c of held) x[c] = 0;
      free.splice(0, free.length, ...free.filter((c) => x[c] > ZERO));
    }
  }
  return x;
}

const TOLERANCE = 1e-10;
const RIDGE = 1e-14;
const ZERO = 1e-12;

function optimumOn(
  ata: Float64Array,
  atb: Float64Array,
  n: number,
  free: readonly number[],
  ridge: number,
): Float64Array {
  const m = free.length;
  const l = new Float64Array(m * m);
  for (let lambda = ridge; ; lambda *= 100) {
    for (let s = 0; s < m; s++) for (let t = 0; t < m; t++) l[s * m + t] = ata[free[s] * n + free[t]];
    for (let s = 0; s < m; s++) l[s * m + s] += lambda;
    if (choleskyFactor(l, m) || !(lambda < Infinity)) break;
  }
  const x = Float64Array.from(free, (c) => atb[c]);
  choleskySolve(l, m, x, 1);
  return x;
}
