// Dense products of f64 matrices, row-major: the twins of src/math/dense.ts.
import { sum } from './memory';

/** out (n × n) = a · aᵀ for a (n × m). Two rows by four rows at a time, two lanes along m. */
export function gramOfRows(n: i32, m: i32, a: usize, out: usize): void {
  const row = <usize>m << 3;
  const pairs = <usize>(m & ~1) << 3;
  for (let i = 0; i < n; i += 2) {
    const i1 = min(i + 1, n - 1);
    const r0 = a + <usize>i * row;
    const r1 = a + <usize>i1 * row;
    for (let j = 0; j <= i1; j += 4) {
      const j1 = min(j + 1, n - 1), j2 = min(j + 2, n - 1), j3 = min(j + 3, n - 1);
      const c0 = a + <usize>j * row, c1 = a + <usize>j1 * row, c2 = a + <usize>j2 * row, c3 = a + <usize>j3 * row;
      let s00 = f64x2.splat(0), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00;
      for (let k: usize = 0; k < pairs; k += 16) {
        const x0 = v128.load(r0 + k), x1 = v128.load(r1 + k);
        let y = v128.load(c0 + k);
        s00 = f64x2.add(s00, f64x2.mul(x0, y));
        s10 = f64x2.add(s10, f64x2.mul(x1, y));
        y = v128.load(c1 + k);
        s01 = f64x2.add(s01, f64x2.mul(x0, y));
        s11 = f64x2.add(s11, f64x2.mul(x1, y));
        y = v128.load(c2 + k);
        s02 = f64x2.add(s02, f64x2.mul(x0, y));
        s12 = f64x2.add(s12, f64x2.mul(x1, y));
        y = v128.load(c3 + k);
        s03 = f64x2.add(s03, f64x2.mul(x0, y));
        s13 = f64x2.add(s13, f64x2.mul(x1, y));
      }
      let t0: f64 = 0, t1: f64 = 0;
      if (m & 1) {
        t0 = load<f64>(r0 + pairs);
        t1 = load<f64>(r1 + pairs);
      }
      put(out, n, i, j, sum(s00) + t0 * tail(m, c0, pairs));
      put(out, n, i, j1, sum(s01) + t0 * tail(m, c1, pairs));
      put(out, n, i, j2, sum(s02) + t0 * tail(m, c2, pairs));
      put(out, n, i, j3, sum(s03) + t0 * tail(m, c3, pairs));
      put(out, n, i1, j, sum(s10) + t1 * tail(m, c0, pairs));
      put(out, n, i1, j1, sum(s11) + t1 * tail(m, c1, pairs));
      put(out, n, i1, j2, sum(s12) + t1 * tail(m, c2, pairs));
      put(out, n, i1, j3, sum(s13) + t1 * tail(m, c3, pairs));
    }
  }
}

@inline
function tail(m: i32, row: usize, at: usize): f64 {
  return m & 1 ? load<f64>(row + at) : 0;
}

/** Entry (i, j) and its mirror. */
@inline
function put(out: usize, n: i32, i: i32, j: i32, value: f64): void {
  store<f64>(out + ((<usize>i * <usize>n + <usize>j) << 3), value);
  store<f64>(out + ((<usize>j * <usize>n + <usize>i) << 3), value);
}

/** Columns of b that stay in the cache while all rows of a pass. */
const TILE: i32 = 64;

/**
 * out (n × p) = a (n × m) · b (m × p). Four rows by four columns at a time. Rows of b and out are `stride` numbers apart, a
 * multiple of four ≥ p, so that blocks may run over the end of a row into its padding; a has rows to a multiple of four.
 */
export function multiply(n: i32, m: i32, stride: i32, a: usize, b: usize, out: usize): void {
  const aRow = <usize>m << 3;
  const bRow = <usize>stride << 3;
  for (let tile = 0; tile < stride; tile += TILE) {
    const end = min(tile + TILE, stride);
    for (let i = 0; i < n; i += 4) {
      const a0 = a + <usize>i * aRow, a1 = a0 + aRow, a2 = a1 + aRow, a3 = a2 + aRow;
      for (let c = tile; c < end; c += 4) {
        let s00 = f64x2.splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
        let from = b + (<usize>c << 3);
        for (let k: usize = 0; k < aRow; k += 8, from += bRow) {
          const y0 = v128.load(from), y1 = v128.load(from, 16);
          let x = v128.load64_splat(a0 + k);
          s00 = f64x2.add(s00, f64x2.mul(x, y0));
          s01 = f64x2.add(s01, f64x2.mul(x, y1));
          x = v128.load64_splat(a1 + k);
          s10 = f64x2.add(s10, f64x2.mul(x, y0));
          s11 = f64x2.add(s11, f64x2.mul(x, y1));
          x = v128.load64_splat(a2 + k);
          s20 = f64x2.add(s20, f64x2.mul(x, y0));
          s21 = f64x2.add(s21, f64x2.mul(x, y1));
          x = v128.load64_splat(a3 + k);
          s30 = f64x2.add(s30, f64x2.mul(x, y0));
          s31 = f64x2.add(s31, f64x2.mul(x, y1));
        }
        const o = out + <usize>i * bRow + (<usize>c << 3);
        v128.store(o, s00);
        v128.store(o, s01, 16);
        v128.store(o + bRow, s10);
        v128.store(o + bRow, s11, 16);
        v128.store(o + 2 * bRow, s20);
        v128.store(o + 2 * bRow, s21, 16);
        v128.store(o + 3 * bRow, s30);
        v128.store(o + 3 * bRow, s31, 16);
      }
    }
  }
}
