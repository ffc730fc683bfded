import { denseKernelsAvailable, kernelEigen, WORTHWHILE } from '../kernels/dense.ts';

/**
 * All eigenvalues and eigenvectors of a symmetric matrix: Householder reduction to tridiagonal form, then the implicit
 * QL iteration (Golub & Van Loan, Matrix Computations, §8.3). O(n³), accurate to rounding.
 *
 * Eigenvalues come in falling order; `vectors` is n × n with the eigenvector of `values[e]` in **row** e.
 */
export function symmetricEigen(a: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const onKernels = n ** 3 >= WORTHWHILE && denseKernelsAvailable();
  return sorted(onKernels ? kernelEigen(a, n) : plainEigen(a, n), n);
}

/** The same in TypeScript, unsorted. */
export function plainEigen(a: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  // Eigenvectors grow as rows, so that rotations touch two rows.
  const vectors = new Float64Array(n * n);
  const values = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  tridiagonalize(a, n, vectors, values, offDiagonal);
  implicitQl(n, values, offDiagonal, vectors);
  return { values, vectors };
}

function sorted(found: { values: Float64Array; vectors: Float64Array }, n: number) {
  const order = Array.from({ length: n }, (_, e) => e).sort((x, y) => found.values[y] - found.values[x] || x - y);
  const values = new Float64Array(n);
  const vectors = new Float64Array(n * n);
  order.forEach((from, to) => {
    values[to] = found.values[from];
    vectors.set(found.vectors.subarray(from * n, (from + 1) * n), to * n);
  });
  return { values, vectors };
}

/** T = Qᵀ·A·Q with T tridiagonal; writes Qᵀ into q (row-major). `off[k]` couples k and k + 1. */
function tridiagonalize(a: Float64Array, n: number, q: Float64Array, diagonal: Float64Array, off: Float64Array): void {
  const m = a.slice(0, n * n);
  const v = new Float64Array(n);
  const p = new Float64Array(n);
  const reflectors: { v: Float64Array; start: number; beta: number }[] = [];

  for (let k = 0; k < n - 2; k++) {
    // Householder vector that maps column k below the diagonal onto its first entry.
    // Its tail is summed separately: as a difference of squares it would vanish below 1e-8 of the head.
    let tail2 = 0;
    v[k + 1] = m[(k + 1) * n + k];
    for (let r = k + 2; r < n; r++) {
      v[r] = m[r * n + k];
      tail2 += v[r] * v[r];
    }
    if (tail2 <= 1e-300) continue;
    const norm2 = v[k + 1] * v[k + 1] + tail2;
    const alpha = v[k + 1] > 0 ? -Math.sqrt(norm2) : Math.sqrt(norm2);
    v[k + 1] -= alpha;
    const beta = 2 / (tail2 + v[k + 1] * v[k + 1]);

    // p = β·M·v, w = p − (β/2)(pᵀv)·v, M ← M − v·wᵀ − w·vᵀ on the trailing block.
    let pv = 0;
    for (let r = k + 1; r < n; r++) {
      let s = 0;
      const ri = r * n;
      for (let c = k + 1; c < n; c++) s += m[ri + c] * v[c];
      p[r] = beta * s;
      pv += p[r] * v[r];
    }
    const half = (beta * pv) / 2;
    for (let r = k + 1; r < n; r++) p[r] -= half * v[r];
    for (let r = k + 1; r < n; r++) {
      const ri = r * n;
      const vr = v[r];
      const pr = p[r];
      for (let c = k + 1; c < n; c++) m[ri + c] -= vr * p[c] + pr * v[c];
    }
    m[(k + 1) * n + k] = m[k * n + k + 1] = alpha;
    for (let r = k + 2; r < n; r++) m[r * n + k] = m[k * n + r] = 0;
    reflectors.push({ v: v.slice(k + 1, n), start: k + 1, beta });
  }
  for (let k = 0; k < n; k++) {
    diagonal[k] = m[k * n + k];
    off[k] = k + 1 < n ? m[(k + 1) * n + k] : 0;
  }

  // Q = H_0·H_1·…, so Qᵀ = …·H_1·H_0: built backwards, each reflector touches only its trailing block.
  for (let k = 0; k < n; k++) q[k * n + k] = 1;
  for (let index = reflectors.length - 1; index >= 0; index--) {
    const { v: h, start, beta } = reflectors[index];
    // Qᵀ ← Qᵀ·H: each row r gets r − β(r·h)hᵀ.
    for (let r = start; r < n; r++) {
      const ri = r * n + start;
      let s = 0;
      for (let c = 0; c < h.length; c++) s += q[ri + c] * h[c];
      if (s === 0) continue;
      s *= beta;
      for (let c = 0; c < h.length; c++) q[ri + c] -= s * h[c];
    }
  }
}

/** Diagonalises the tridiagonal matrix, applying every rotation to rows of q. */
function implicitQl(n: number, d: Float64Array, e: Float64Array, q: Float64Array): void {
  const MAX_SWEEPS = 60;
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      let end = l;
      while (end < n - 1 && Math.abs(e[end]) > Number.EPSILON * (Math.abs(d[end]) + Math.abs(d[end + 1]))) end++;
      if (end === l) break;
      // Wilkinson's shift, then chase the bulge from the end up to l.
      const g0 = (d[l + 1] - d[l]) / (2 * e[l]);
      const r0 = Math.hypot(g0, 1);
      let g = d[end] - d[l] + e[l] / (g0 + (g0 >= 0 ? r0 : -r0));
      let s = 1;
      let c = 1;
      let p = 0;
      let k = end - 1;
      for (; k >= l; k--) {
        const f = s * e[k];
        const b = c * e[k];
        const r = Math.hypot(f, g);
        e[k + 1] = r;
        if (r === 0) {
          d[k + 1] -= p;
          e[end] = 0;
          break;
        }
        s = f / r;
        c = g / r;
        const shifted = d[k + 1] - p;
        const t = (d[k] - shifted) * s + 2 * c * b;
        p = s * t;
        d[k + 1] = shifted + p;
        g = c * t - b;
        const lower = (k + 1) * n;
        const upper = k * n;
        for (let x = 0; x < n; x++) {
          const y = q[lower + x];
          const z = q[upper + x];
          q[lower + x] = s * z + c * y;
          q[upper + x] = c * z - s * y;
        }
      }
      if (k >= l) continue;
      d[l] -= p;
      e[l] = g;
      e[end] = 0;
    }
  }
}
