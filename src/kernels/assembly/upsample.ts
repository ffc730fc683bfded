// Learned folds from their coefficients: src/cloth/upsampler/decoder.ts has the twin.

import { UpsampleTable } from './upsample-table';
import { add, column0, column1, column2, column3, dot3, mul } from './simd';

/** Adds to four partial sums the products of eight bytes at `row` and eight floats. */
@inline
function addProducts(sums: v128, row: usize, c0: v128, c1: v128): v128 {
  const shorts = v128.load8x8_s(row);
  const b0 = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(shorts));
  const b1 = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(shorts));
  return add(sums, add(mul(b0, c0), mul(b1, c1)));
}

/** Σ_v R_v B_jv c_v of every vertex j. */
export function upsample(table: UpsampleTable): void {
  const n = <usize>table.vertices, width = <usize>table.width, hats = table.hats, coefficients = table.coefficients;
  const frames = table.frames, detail = table.detail;
  const zero = f32x4.splat(0);
  let row = table.basis;
  for (let j: usize = 0; j < n; j++) {
    let sum = zero;
    for (let h: usize = 3 * j; h < 3 * j + 3; h++) {
      const v = <usize>load<u32>(hats + (h << 2));
      const c = coefficients + ((v * width) << 2);
      let x = zero, y = zero, z = zero;
      for (let q: usize = 0; q < width; q += 8) {
        const c0 = v128.load(c + (q << 2)), c1 = v128.load(c + (q << 2), 16);
        x = addProducts(x, row + q, c0, c1);
        y = addProducts(y, row + width + q, c0, c1);
        z = addProducts(z, row + 2 * width + q, c0, c1);
      }
      row += 3 * width;
      const shape = add(
        add(column0(x, y, z, zero), column1(x, y, z, zero)), add(column2(x, y, z, zero), column3(x, y, z, zero)),
      );
      const r = frames + v * 48;
      sum = add(sum, dot3(
        v128.load(r), v128.shuffle<f32>(shape, shape, 0, 0, 0, 0),
        v128.load(r, 16), v128.shuffle<f32>(shape, shape, 1, 1, 1, 1),
        v128.load(r, 32), v128.shuffle<f32>(shape, shape, 2, 2, 2, 2),
      ));
    }
    v128.store(detail + (j << 4), sum);
  }
}
