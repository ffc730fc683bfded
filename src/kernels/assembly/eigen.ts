// All eigenvalues and eigenvectors of a symmetric matrix: the twin of src/math/symmetric-eigen.ts, which names the source.
import { at, put, sum } from './memory';

const SWEEPS: i32 = 60;
const EPSILON: f64 = 2.220446049250313e-16;

/** Σ x_c·y_c. */
function dot(x: usize, y: usize, count: i32): f64 {
  let s0 = f64x2.splat(0), s1 = s0;
  let c = 0;
  for (; c + 3 < count; c += 4) {
    const o = <usize>c << 3;
    s0 = f64x2.add(s0, f64x2.mul(v128.load(x + o), v128.load(y + o)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(x + o, 16), v128.load(y + o, 16)));
  }
  s0 = f64x2.add(s0, s1);
  let s = sum(s0);
  for (; c < count; c++) s += at(x, c) * at(y, c);
  return s;
}

/** y −= f·x + g·z. */
function subtract2(y: usize, f: f64, x: usize, g: f64, z: usize, count: i32): void {
  const ff = f64x2.splat(f), gg = f64x2.splat(g);
  let c = 0;
  for (; c + 1 < count; c += 2) {
    const o = <usize>c << 3;
    const change = f64x2.add(f64x2.mul(ff, v128.load(x + o)), f64x2.mul(gg, v128.load(z + o)));
    v128.store(y + o, f64x2.sub(v128.load(y + o), change));
  }
  if (c < count) put(y, c, at(y, c) - f * at(x, c) - g * at(z, c));
}

/** The rows x and y turn: y ← s·x + c·y, x ← c·x − s·y. */
function turn(x: usize, y: usize, c: f64, s: f64, count: i32): void {
  const cc = f64x2.splat(c), ss = f64x2.splat(s);
  let i = 0;
  for (; i + 1 < count; i += 2) {
    const o = <usize>i << 3;
    const a = v128.load(x + o), b = v128.load(y + o);
    v128.store(y + o, f64x2.add(f64x2.mul(ss, a), f64x2.mul(cc, b)));
    v128.store(x + o, f64x2.sub(f64x2.mul(cc, a), f64x2.mul(ss, b)));
  }
  if (i < count) {
    const a = at(x, i), b = at(y, i);
    put(y, i, s * a + c * b);
    put(x, i, c * a - s * b);
  }
}

/**
 * m (n × n, symmetric) is overwritten; d (n) becomes the eigenvalues, unsorted; row e of q (n × n) the eigenvector of d_e.
 * work: 4n numbers.
 */
export function symmetricEigen(n: i32, m: usize, q: usize, d: usize, work: usize): void {
  const row = <usize>n << 3;
  const off = work + 2 * row, betas = off + row;
  tridiagonalize(n, m, work, off, betas);
  for (let k = 0; k < n; k++) {
    put(d, k, at(m, k * n + k));
    if (k >= n - 2 || at(betas, k) == 0) put(off, k, k + 1 < n ? at(m, k * n + k + 1) : 0);
  }
  gatherReflectors(n, m, q, betas);
  implicitQl(n, q, d, off);
}

/**
 * Householder reduction; the reflector of step k stays in row k of m, right of the diagonal, and its factor in betas.
 * work: 2n numbers.
 */
function tridiagonalize(n: i32, m: usize, work: usize, off: usize, betas: usize): void {
  const row = <usize>n << 3;
  const v = work, p = work + row;
  for (let k = 0; k < n - 2; k++) {
    const first = k + 1;
    const count = n - first;
    const mk = m + <usize>k * row + (<usize>first << 3);
    const vk = v + (<usize>first << 3);
    memory.copy(vk, mk, <usize>count << 3);
    const head = at(vk, 0);
    const tail2 = dot(vk + 8, vk + 8, count - 1);
    const norm2 = head * head + tail2;
    put(betas, k, 0);
    if (tail2 <= 1e-300) continue;
    const alpha = head > 0 ? -Math.sqrt(norm2) : Math.sqrt(norm2);
    put(vk, 0, head - alpha);
    const beta = 2 / (tail2 + at(vk, 0) * at(vk, 0));
    let pv: f64 = 0;
    for (let r = first; r < n; r++) {
      const value = beta * dot(m + <usize>r * row + (<usize>first << 3), vk, count);
      put(p, r, value);
      pv += value * at(v, r);
    }
    const half = (beta * pv) / 2;
    for (let r = first; r < n; r++) put(p, r, at(p, r) - half * at(v, r));
    for (let r = first; r < n; r++) {
      subtract2(m + <usize>r * row + (<usize>first << 3), at(v, r), p + (<usize>first << 3), at(p, r), vk, count);
    }
    put(off, k, alpha);
    put(betas, k, beta);
    memory.copy(mk, vk, <usize>count << 3);
  }
}

/** q = Qᵀ, backwards: each reflector touches only its trailing block. */
function gatherReflectors(n: i32, m: usize, q: usize, betas: usize): void {
  const row = <usize>n << 3;
  memory.fill(q, 0, <usize>n * row);
  for (let k = 0; k < n; k++) put(q, k * n + k, 1);
  for (let k = n - 3; k >= 0; k--) {
    const beta = at(betas, k);
    if (beta == 0) continue;
    const first = k + 1;
    const count = n - first;
    const h = m + <usize>k * row + (<usize>first << 3);
    for (let r = first; r < n; r++) {
      const qr = q + <usize>r * row + (<usize>first << 3);
      const s = beta * dot(qr, h, count);
      if (s != 0) subtract2(qr, s, h, 0, h, count);
    }
  }
}

/** Implicit QL with Wilkinson's shift, of the diagonal d and what is beside it; the rows of q turn along. */
function implicitQl(n: i32, q: usize, d: usize, off: usize): void {
  const row = <usize>n << 3;
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let end = l;
      while (end < n - 1 && Math.abs(at(off, end)) > EPSILON * (Math.abs(at(d, end)) + Math.abs(at(d, end + 1)))) end++;
      if (end == l) break;
      const g0 = (at(d, l + 1) - at(d, l)) / (2 * at(off, l));
      const r0 = Math.sqrt(g0 * g0 + 1);
      let g = at(d, end) - at(d, l) + at(off, l) / (g0 + (g0 >= 0 ? r0 : -r0));
      let s: f64 = 1, c: f64 = 1, shift: f64 = 0;
      let k = end - 1;
      for (; k >= l; k--) {
        const f = s * at(off, k);
        const b = c * at(off, k);
        const r = length(f, g);
        put(off, k + 1, r);
        if (r == 0) {
          put(d, k + 1, at(d, k + 1) - shift);
          put(off, end, 0);
          break;
        }
        s = f / r;
        c = g / r;
        const shifted = at(d, k + 1) - shift;
        const t = (at(d, k) - shifted) * s + 2 * c * b;
        shift = s * t;
        put(d, k + 1, shifted + shift);
        g = c * t - b;
        turn(q + <usize>k * row, q + <usize>(k + 1) * row, c, s, n);
      }
      if (k >= l) continue;
      put(d, l, at(d, l) - shift);
      put(off, l, g);
      put(off, end, 0);
    }
  }
}

/** √(a² + b²) without overflow or underflow. */
function length(a: f64, b: f64): f64 {
  const x = Math.abs(a), y = Math.abs(b);
  const high = max(x, y);
  if (high == 0) return 0;
  const low = min(x, y) / high;
  return high * Math.sqrt(1 + low * low);
}
