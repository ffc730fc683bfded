import { PliantError } from '../error.ts';
import { choleskyFactor, choleskySolve } from './cholesky.ts';

/**
 * Minimises wᵀ·G·w over w ≥ 0, Σw = 1 for a positive semidefinite G (n × n, row-major, n small): a primal active set
 * (Nocedal & Wright, §16.5). On the free entries the optimum is G⁻¹1 / (1ᵀG⁻¹1); a step that would make an entry negative
 * ends where the first one reaches 0, which is then held there; when the free entries are optimal, the held entry whose
 * multiplier is most negative becomes free.
 *
 * `w` is the start (feasible) and receives the optimum. Returns wᵀ·G·w, never above that of the start.
 */
export function minimizeOnSimplex(g: Float64Array, n: number, w: Float64Array): number {
  let trace = 0;
  for (let d = 0; d < n; d++) trace += Math.abs(g[d * n + d]); // rounding may leave a vanishing entry negative
  const ridge = RIDGE * trace + 1e-30;
  const free = Array.from({ length: n }, (_, c) => c).filter((c) => w[c] > 0);
  const best = w.slice();
  let least = quadratic(g, n, w);
  // Each pass either frees or holds an entry; cycling is only possible through rounding.
  for (let pass = 0; pass < 10 * n; pass++) {
    const target = optimumOn(g, n, free, ridge);
    let step = 1;
    let blocking = -1;
    free.forEach((c, s) => {
      if (target[s] >= 0) return;
      const t = w[c] / (w[c] - target[s]);
      if (t < step || blocking < 0) {
        step = Math.min(step, t);
        blocking = s;
      }
    });
    free.forEach((c, s) => {
      w[c] = s === blocking ? 0 : Math.max(0, w[c] + step * (target[s] - w[c]));
    });
    if (blocking >= 0) {
      free.splice(blocking, 1);
      continue;
    }
    const value = quadratic(g, n, w);
    if (value < least) {
      least = value;
      best.set(w);
    } else if (pass > 0 && value > least) break;
    // Multipliers: (G·w)_c against wᵀ·G·w, which all free entries share.
    let entering = -1;
    let lowest = -GRADIENT_TOLERANCE * (value + ridge);
    for (let c = 0; c < n; c++) {
      if (free.includes(c)) continue;
      let gradient = -value;
      for (let t = 0; t < n; t++) gradient += g[c * n + t] * w[t];
      if (gradient < lowest) {
        lowest = gradient;
        entering = c;
      }
    }
    if (entering < 0) break;
    free.push(entering);
  }
  w.set(best);
  return least;
}

/** Keeps columns that agree apart, as a fraction of the trace. */
const RIDGE = 1e-13;
const GRADIENT_TOLERANCE = 1e-9;

/** The weights, summing to 1, that minimise the form on the free entries. */
function optimumOn(g: Float64Array, n: number, free: readonly number[], ridge: number): Float64Array {
  const m = free.length;
  const l = new Float64Array(m * m);
  const x = new Float64Array(m);
  for (let lambda = ridge; ; lambda *= 100) {
    for (let s = 0; s < m; s++) for (let t = 0; t < m; t++) l[s * m + t] = g[free[s] * n + free[t]];
    for (let s = 0; s < m; s++) l[s * m + s] += lambda;
    x.fill(1);
    if (choleskyFactor(l, m)) break;
    if (!Number.isFinite(lambda)) throw new PliantError('internal', 'minimizeOnSimplex', 'the form is not finite');
  }
  choleskySolve(l, m, x, 1);
  let sum = 0;
  for (let s = 0; s < m; s++) sum += x[s];
  return x.map((value) => value / sum);
}

function quadratic(g: Float64Array, n: number, w: Float64Array): number {
  let sum = 0;
  for (let s = 0; s < n; s++) for (let t = 0; t < n; t++) sum += w[s] * g[s * n + t] * w[t];
  return sum;
}
