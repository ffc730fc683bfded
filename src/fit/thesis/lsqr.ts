/**
 * Paige & Saunders 1982, "LSQR: An Algorithm for Sparse Linear Equations and Sparse Least Squares": minimises ‖A·x − b‖²
 * by Golub–Kahan bidiagonalisation. A is only ever multiplied with vectors, so it may be any operator. On a
 * matrix without full column rank it finds the shortest of the solutions.
 */

/** A linear map of `columns` numbers to `rows` numbers. Both products **add** to their output. */
export interface LinearOperator {
  rows: number;
  columns: number;
  /** y += A·x. */
  multiply(y: Float64Array, x: Float64Array): void;
  /** x += Aᵀ·y. */
  multiplyTransposed(x: Float64Array, y: Float64Array): void;
}

export interface LsqrOptions {
  /** Relative accuracy asked for, both of the residual (a consistent system) and of its gradient (least squares). */
  tolerance: number;
  maxIterations: number;
}

export interface LsqrResult {
  x: Float64Array;
  iterations: number;
  converged: boolean;
  /** ‖A·x − b‖. */
  residual: number;
}

export function lsqr(a: LinearOperator, b: Float64Array, options: Partial<LsqrOptions> = {}): LsqrResult {
  const { tolerance = 1e-10, maxIterations = 1000 } = options;
  const x = new Float64Array(a.columns);
  const u = b.slice();
  const beta0 = normalize(u);
  const v = new Float64Array(a.columns);
  a.multiplyTransposed(v, u);
  let alpha = normalize(v);
  const w = v.slice();
  let phiBar = beta0;
  let rhoBar = alpha;
  let norm2 = 0; // estimate of ‖A‖², from the bidiagonal entries
  let iterations = 0;
  // b = 0, or b perpendicular to the range: x = 0 is the answer.
  let converged = beta0 * alpha === 0;
  while (!converged && iterations < maxIterations) {
    iterations++;
    // Bidiagonalisation: β·u = A·v − α·u, then α·v = Aᵀ·u − β·v.
    for (let r = 0; r < u.length; r++) u[r] *= -alpha;
    a.multiply(u, v);
    const beta = normalize(u);
    norm2 += alpha * alpha + beta * beta;
    for (let c = 0; c < v.length; c++) v[c] *= -beta;
    if (beta > 0) a.multiplyTransposed(v, u);
    alpha = beta > 0 ? normalize(v) : 0;

    // A rotation takes β out.
    const rho = Math.hypot(rhoBar, beta);
    const cos = rhoBar / rho;
    const sin = beta / rho;
    const theta = sin * alpha;
    rhoBar = -cos * alpha;
    const phi = cos * phiBar;
    phiBar *= sin;
    for (let c = 0; c < x.length; c++) {
      x[c] += (phi / rho) * w[c];
      w[c] = v[c] - (theta / rho) * w[c];
    }

    // Their stopping rules: ‖r‖ against ‖b‖, and ‖Aᵀr‖ = φ̄·α·|cos| against ‖A‖·‖r‖.
    const residual = Math.abs(phiBar);
    const gradient = Math.abs(phiBar * alpha * cos);
    converged = residual <= tolerance * beta0 || gradient <= tolerance * Math.sqrt(norm2) * residual;
  }
  return { x, iterations, converged, residual: Math.abs(phiBar) };
}

/** Scales to length 1 and returns the length; a zero vector stays. */
function normalize(v: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < v.length; c++) sum += v[c] * v[c];
  const length = Math.sqrt(sum);
  if (length > 0) for (let c = 0; c < v.length; c++) v[c] /= length;
  return length;
}
