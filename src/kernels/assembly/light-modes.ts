// Sums of modes in bytes: src/light/mode-sums.ts, which lays out the arrays and has the twin.

import { add, mul } from './simd';

/** Four of eight numbers of 16 bits, times their scales. */
@inline
function low(eight: v128, by: usize): v128 {
  return mul(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(eight)), v128.load(by));
}

@inline
function high(eight: v128, by: usize): v128 {
  return mul(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(eight)), v128.load(by));
}

/** Adds four sums to a row of `size` numbers, those from `c` on, and nothing beyond its end. */
@inline
function addTo(out: usize, c: usize, size: usize, sum: v128): void {
  const at = out + (c << 2);
  if (c + 4 <= size) v128.store(at, add(v128.load(at), sum));
  else if (c < size) {
    store<f32>(at, load<f32>(at) + f32x4.extract_lane(sum, 0));
    if (c + 1 < size) store<f32>(at, load<f32>(at, 4) + f32x4.extract_lane(sum, 1), 4);
    if (c + 2 < size) store<f32>(at, load<f32>(at, 8) + f32x4.extract_lane(sum, 2), 8);
  }
}

/** Adds to each vertex's `size` numbers Σ_r bytes[r] · scales[group, r]: `rows` rows of `width` numbers, a multiple of 16. */
export function lightModes(
  vertices: usize, rows: usize, width: usize, size: usize, groupOf: usize, bytes: usize, scales: usize, out: usize,
): void {
  const block = rows * width;
  for (let i: usize = 0; i < vertices; i++, bytes += block, out += size << 2) {
    const own = scales + ((<usize>load<u32>(groupOf + (i << 2)) * block) << 2);
    for (let c: usize = 0; c < width; c += 16) {
      let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
      let from = bytes + c, by = own + (c << 2);
      for (let r: usize = 0; r < rows; r++, from += width, by += width << 2) {
        const all = v128.load(from);
        const first = i16x8.extend_low_i8x16_s(all), second = i16x8.extend_high_i8x16_s(all);
        s0 = add(s0, low(first, by));
        s1 = add(s1, high(first, by + 16));
        s2 = add(s2, low(second, by + 32));
        s3 = add(s3, high(second, by + 48));
      }
      addTo(out, c, size, s0);
      addTo(out, c + 4, size, s1);
      addTo(out, c + 8, size, s2);
      addTo(out, c + 12, size, s3);
    }
  }
}
