/**
 * Cholesky factorisation of a symmetric positive definite matrix, in place: the lower triangle of `a` (n × n, row-major)
 * becomes L with a = L·Lᵀ; the upper triangle is left alone. Returns false when a pivot is not positive. Rows of L begin
 * where those of a do (its envelope: Jennings 1966), so that block-diagonal matrices take a fraction of the time.
 */
export function choleskyFactor(a: Float64Array, n: number): boolean {
  const first = new Uint32Array(n);
  for (let row = 0; row < n; row++) {
    const ri = row * n;
    while (a[ri + first[row]] === 0 && first[row] < row) first[row]++;
    for (let col = first[row]; col <= row; col++) {
      const ci = col * n;
      let s = a[ri + col];
      for (let k = Math.max(first[row], first[col]); k < col; k++) s -= a[ri + k] * a[ci + k];
      if (row !== col) a[ri + col] = s / a[ci + col];
      else if (s > 0) a[ri + row] = Math.sqrt(s);
      else return false;
    }
  }
  return true;
}

/**
 * Solves L·Lᵀ·x = b for `count` right-hand sides, in place. `b` is n × count, row-major, so that every inner loop runs
 * over the right-hand sides.
 */
export function choleskySolve(l: Float64Array, n: number, b: Float64Array, count: number): void {
  forwardSolve(l, n, b, count);
  backwardSolve(l, n, b, count);
}

/** b (n × count) ← L⁻¹ b. */
export function forwardSolve(l: Float64Array, n: number, b: Float64Array, count: number): void {
  for (let row = 0; row < n; row++) {
    const bi = row * count;
    for (let k = 0; k < row; k++) subtractScaled(b, bi, b, k * count, l[row * n + k], count);
    const inverse = 1 / l[row * n + row];
    for (let c = 0; c < count; c++) b[bi + c] *= inverse;
  }
}

/** b (n × count) ← L⁻ᵀ b. */
export function backwardSolve(l: Float64Array, n: number, b: Float64Array, count: number): void {
  for (let row = n - 1; row >= 0; row--) {
    const bi = row * count;
    const inverse = 1 / l[row * n + row];
    for (let c = 0; c < count; c++) b[bi + c] *= inverse;
    for (let k = 0; k < row; k++) subtractScaled(b, k * count, b, bi, l[row * n + k], count);
  }
}

function subtractScaled(y: Float64Array, yi: number, x: Float64Array, xi: number, scale: number, count: number): void {
  if (scale === 0) return;
  for (let c = 0; c < count; c++) y[yi + c] -= scale * x[xi + c];
}
