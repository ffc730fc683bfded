// Weighted sums of rows, which stream through once: what src/kernels/pose-products.ts and src/skin/rest-morphs.ts run.

/** out = start + Σ_k weights_k·row_k of f64, or without start where it is 0. Rows are `width` numbers, a multiple of eight. */
export function blendRows(count: i32, width: i32, weights: usize, rows: usize, start: usize, out: usize): void {
  const row = <usize>width << 3;
  for (let c: usize = 0; c < row; c += 64) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
    if (start) {
      s0 = v128.load(start + c);
      s1 = v128.load(start + c, 16);
      s2 = v128.load(start + c, 32);
      s3 = v128.load(start + c, 48);
    }
    let from = rows + c;
    for (let k = 0; k < count; k++, from += row) {
      const w = v128.load64_splat(weights + (<usize>k << 3));
      s0 = f64x2.add(s0, f64x2.mul(w, v128.load(from)));
      s1 = f64x2.add(s1, f64x2.mul(w, v128.load(from, 16)));
      s2 = f64x2.add(s2, f64x2.mul(w, v128.load(from, 32)));
      s3 = f64x2.add(s3, f64x2.mul(w, v128.load(from, 48)));
    }
    v128.store(out + c, s0);
    v128.store(out + c, s1, 16);
    v128.store(out + c, s2, 32);
    v128.store(out + c, s3, 48);
  }
}

/** Bytes of a row that stay in the cache while all rows pass. */
const TILE: usize = 8192;

/**
 * out = start + Σ_k weights_k·row_k of f32, for rows of `bytes`, a multiple of 16, at `stride` bytes. Four rows at a time:
 * the sums are read and written a quarter as often.
 */
export function blendFloats(
  count: i32,
  bytes: usize,
  stride: usize,
  weights: usize,
  rows: usize,
  start: usize,
  out: usize,
): void {
  for (let tile: usize = 0; tile < bytes; tile += TILE) {
    const end = min(tile + TILE, bytes);
    for (let c = tile; c < end; c += 16) v128.store(out + c, v128.load(start + c));
    let k = 0;
    for (; k + 3 < count; k += 4) {
      const w = weights + (<usize>k << 2);
      const w0 = v128.load32_splat(w), w1 = v128.load32_splat(w, 4), w2 = v128.load32_splat(w, 8), w3 = v128.load32_splat(w, 12);
      const r0 = rows + <usize>k * stride, r1 = r0 + stride, r2 = r1 + stride, r3 = r2 + stride;
      for (let c = tile; c < end; c += 16) {
        const a = f32x4.add(f32x4.mul(w0, v128.load(r0 + c)), f32x4.mul(w1, v128.load(r1 + c)));
        const b = f32x4.add(f32x4.mul(w2, v128.load(r2 + c)), f32x4.mul(w3, v128.load(r3 + c)));
        v128.store(out + c, f32x4.add(v128.load(out + c), f32x4.add(a, b)));
      }
    }
    for (; k < count; k++) {
      const w = v128.load32_splat(weights + (<usize>k << 2));
      const r = rows + <usize>k * stride;
      for (let c = tile; c < end; c += 16) {
        v128.store(out + c, f32x4.add(v128.load(out + c), f32x4.mul(w, v128.load(r + c))));
      }
    }
  }
}
