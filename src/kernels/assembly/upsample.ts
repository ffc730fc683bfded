// Learned folds: the passes of src/cloth/upsampler/upsampler-passes.ts, where the steps are explained.

import { UpsampleTable } from './upsample-table';
import { add, column0, column1, column2, column3, dot3, mul, sub } from './simd';

@inline
function at(p: usize, i: usize): v128 {
  return v128.load(p + (i << 2));
}

@inline
function splat(p: usize, i: usize): v128 {
  return v128.load32_splat(p + (i << 2));
}

@inline
function put(p: usize, i: usize, value: v128): void {
  v128.store(p + (i << 2), value);
}

/**
 * exp(x) for x ≤ 0, to a few units in the last place: 2^k · 2^f with k whole and |f| ≤ ½, and the series of 2^f. Below −80 it is
 * exp(−80).
 */
@inline
function exp(x: v128): v128 {
  const y = mul(f32x4.max(x, f32x4.splat(-80)), f32x4.splat(1.4426950408889634));
  const k = f32x4.nearest(y);
  const f = sub(y, k);
  let p = f32x4.splat(1.540353039338161e-4); // ln(2)ⁱ / i!, from i = 6 down
  p = add(mul(p, f), f32x4.splat(1.3333558146428443e-3));
  p = add(mul(p, f), f32x4.splat(9.618129107628477e-3));
  p = add(mul(p, f), f32x4.splat(5.550410866482158e-2));
  p = add(mul(p, f), f32x4.splat(2.4022650695910072e-1));
  p = add(mul(p, f), f32x4.splat(6.931471805599453e-1));
  p = add(mul(p, f), f32x4.splat(1));
  return i32x4.add(p, i32x4.shl(i32x4.trunc_sat_f32x4_s(k), 23));
}

/** What all patches see → their coefficients. */
export function upsampleCoefficients(table: UpsampleTable): void {
  const patches = <usize>table.patches, inputs = <usize>table.inputs, centres = <usize>table.centres;
  const width = <usize>table.width, starts = table.starts, seen = table.seen;
  const z = table.z, gaussians = table.gaussians;
  for (let v: usize = 0; v < patches; v++) {
    const begin = <usize>load<u32>(starts + (v << 2)), end = <usize>load<u32>(starts + (v << 2), 4);
    for (let q: usize = 0; q < inputs; q += 4) {
      let sum = f32x4.splat(0);
      for (let f = begin; f < end; f++) sum = add(sum, mul(splat(seen, f), at(table.directions, f * inputs + q)));
      const o = v * inputs + q;
      put(z, q, f32x4.min(at(table.highs, o), f32x4.max(at(table.lows, o), sum)));
    }
    for (let i: usize = 0; i < centres; i += 4) {
      let square = f32x4.splat(0);
      for (let f: usize = 0; f < inputs; f++) {
        const way = sub(splat(z, f), at(table.points, (v * inputs + f) * centres + i));
        square = add(square, mul(way, way));
      }
      put(gaussians, i, exp(mul(f32x4.splat(-2), square)));
    }
    for (let q: usize = 0; q < width; q += 4) {
      const matrix = v * (1 + inputs) * width + q;
      let c = at(table.matrices, matrix);
      for (let f: usize = 0; f < inputs; f++) {
        c = add(c, mul(splat(z, f), at(table.matrices, matrix + (1 + f) * width)));
      }
      for (let i: usize = 0; i < centres; i++) {
        c = add(c, mul(splat(gaussians, i), at(table.blends, (v * centres + i) * width + q)));
      }
      put(table.coefficients, v * width + q, c);
    }
  }
}

/** Adds to four partial sums the products of eight bytes at `row` and eight floats. */
@inline
function addProducts(sums: v128, row: usize, c0: v128, c1: v128): v128 {
  const shorts = v128.load8x8_s(row);
  const b0 = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(shorts));
  const b1 = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(shorts));
  return add(sums, add(mul(b0, c0), mul(b1, c1)));
}

/** Σ_v R_v B_jv c_v of every vertex j. */
export function upsampleDetail(table: UpsampleTable): void {
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
        const c0 = at(c, q), c1 = at(c, q + 4);
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
