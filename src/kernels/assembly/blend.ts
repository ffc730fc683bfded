// The sums over a vertex's influences: Σ w·C of 3 × 4 matrices, and Ψ = Σ ±w·q̂ of dual quaternions (Kavan 2009,
// appendix A).
//
// Each sum is stored to scratch memory at once, although it is read again a few lines later: V8 delays pure arithmetic
// until a result is needed, and without the stores it first loads the bones of all four vertices and spills them
// (15.9 ns against 10.7 ns per vertex for LBS).

import { add, even, high, low, mul, odd } from './simd';

/** Four 3 × 4 matrices. */
export const MATRIX_QUAD: usize = 4 * 48;
/** Four dual quaternions. */
export const DUAL_QUAD: usize = 4 * 32;

/** out (12) = Σ w·C over `k` influences. `stride`: bytes from bone to bone; the matrix lies at its beginning. */
@inline
function blendMatrix(out: usize, joints: usize, weights: usize, k: u32, bones: usize, stride: usize): void {
  let bone = bones + <usize>load<u16>(joints) * stride;
  let w = v128.load32_splat(weights);
  let row0 = mul(v128.load(bone), w);
  let row1 = mul(v128.load(bone, 16), w);
  let row2 = mul(v128.load(bone, 32), w);
  for (let s: u32 = 1; s < k; s++) {
    bone = bones + <usize>load<u16>(joints + (<usize>s << 1)) * stride;
    w = v128.load32_splat(weights + (<usize>s << 2));
    row0 = add(row0, mul(v128.load(bone), w));
    row1 = add(row1, mul(v128.load(bone, 16), w));
    row2 = add(row2, mul(v128.load(bone, 32), w));
  }
  v128.store(out, row0);
  v128.store(out, row1, 16);
  v128.store(out, row2, 32);
}

/** The same for four influences. */
@inline
function blendMatrix4(out: usize, joints: usize, weights: usize, bones: usize, stride: usize): void {
  const bone0 = bones + <usize>load<u16>(joints) * stride;
  const bone1 = bones + <usize>load<u16>(joints, 2) * stride;
  const bone2 = bones + <usize>load<u16>(joints, 4) * stride;
  const bone3 = bones + <usize>load<u16>(joints, 6) * stride;
  const w0 = v128.load32_splat(weights);
  const w1 = v128.load32_splat(weights, 4);
  const w2 = v128.load32_splat(weights, 8);
  const w3 = v128.load32_splat(weights, 12);
  v128.store(out, sum4(v128.load(bone0), w0, v128.load(bone1), w1, v128.load(bone2), w2, v128.load(bone3), w3));
  v128.store(
    out,
    sum4(v128.load(bone0, 16), w0, v128.load(bone1, 16), w1, v128.load(bone2, 16), w2, v128.load(bone3, 16), w3),
    16,
  );
  v128.store(
    out,
    sum4(v128.load(bone0, 32), w0, v128.load(bone1, 32), w1, v128.load(bone2, 32), w2, v128.load(bone3, 32), w3),
    32,
  );
}

@inline
function sum4(a: v128, wa: v128, b: v128, wb: v128, c: v128, wc: v128, d: v128, wd: v128): v128 {
  return add(add(mul(a, wa), mul(b, wb)), add(mul(c, wc), mul(d, wd)));
}

/** The matrices of a quad → scratch (MATRIX_QUAD bytes). */
@inline
export function blendMatrixQuad(scratch: usize, joints: usize, weights: usize, k: u32, bones: usize, stride: usize): void {
  if (k == 4) {
    blendMatrix4(scratch, joints, weights, bones, stride);
    blendMatrix4(scratch + 48, joints + 8, weights + 16, bones, stride);
    blendMatrix4(scratch + 96, joints + 16, weights + 32, bones, stride);
    blendMatrix4(scratch + 144, joints + 24, weights + 48, bones, stride);
  } else {
    for (let v: usize = 0; v < 4; v++) {
      blendMatrix(scratch + 48 * v, joints + 2 * k * v, weights + 4 * k * v, k, bones, stride);
    }
  }
}

/**
 * out (8) = Σ ±w·q̂ over `k` influences. With `signs` = −0.0 in every lane each q̂ takes the sign that brings it to the
 * side of the heaviest influence, which is the first; with `signs` = 0 it stays as it is. `stride`: bytes from bone to
 * bone; the dual quaternion lies at its beginning.
 */
@inline
function blendDual(out: usize, joints: usize, weights: usize, k: u32, bones: usize, stride: usize, signs: v128): void {
  let bone = bones + <usize>load<u16>(joints) * stride;
  let w = v128.load32_splat(weights);
  const pivot = v128.load(bone);
  let real = mul(pivot, w);
  let dual = mul(v128.load(bone, 16), w);
  for (let s: u32 = 1; s < k; s++) {
    bone = bones + <usize>load<u16>(joints + (<usize>s << 1)) * stride;
    const q = v128.load(bone);
    let dot = mul(pivot, q);
    dot = add(dot, v128.shuffle<f32>(dot, dot, 2, 3, 0, 1));
    dot = add(dot, v128.shuffle<f32>(dot, dot, 1, 0, 3, 2));
    w = v128.xor(v128.load32_splat(weights + (<usize>s << 2)), negative(dot, signs));
    real = add(real, mul(q, w));
    dual = add(dual, mul(v128.load(bone, 16), w));
  }
  v128.store(out, real);
  v128.store(out, dual, 16);
}

/** The same for four influences: their four dot products with the first come out of one transposed sum. */
@inline
function blendDual4(out: usize, joints: usize, weights: usize, bones: usize, stride: usize, signs: v128): void {
  const bone0 = bones + <usize>load<u16>(joints) * stride;
  const bone1 = bones + <usize>load<u16>(joints, 2) * stride;
  const bone2 = bones + <usize>load<u16>(joints, 4) * stride;
  const bone3 = bones + <usize>load<u16>(joints, 6) * stride;
  const q0 = v128.load(bone0);
  const q1 = v128.load(bone1);
  const q2 = v128.load(bone2);
  const q3 = v128.load(bone3);
  const d0 = mul(q0, q0);
  const d1 = mul(q0, q1);
  const d2 = mul(q0, q2);
  const d3 = mul(q0, q3);
  const d01 = add(low(d0, d1), high(d0, d1));
  const d23 = add(low(d2, d3), high(d2, d3));
  const dots = add(even(d01, d23), odd(d01, d23));
  const w = v128.xor(v128.load(weights), negative(dots, signs));
  const w0 = v128.shuffle<f32>(w, w, 0, 0, 0, 0);
  const w1 = v128.shuffle<f32>(w, w, 1, 1, 1, 1);
  const w2 = v128.shuffle<f32>(w, w, 2, 2, 2, 2);
  const w3 = v128.shuffle<f32>(w, w, 3, 3, 3, 3);
  v128.store(out, sum4(q0, w0, q1, w1, q2, w2, q3, w3));
  v128.store(
    out,
    sum4(v128.load(bone0, 16), w0, v128.load(bone1, 16), w1, v128.load(bone2, 16), w2, v128.load(bone3, 16), w3),
    16,
  );
}

/** The sign bit where dot < 0, so that −0 counts as 0. */
@inline
function negative(dot: v128, signs: v128): v128 {
  return v128.and(add(dot, f32x4.splat(0)), signs);
}

/** Below this |Ψ₀|² the influences have cancelled (only without antipodality): the vertex follows its heaviest bone. */
const CANCELLED: f32 = 1e-12;

/** The dual quaternions of a quad → scratch (DUAL_QUAD bytes). */
@inline
export function blendDualQuad(
  scratch: usize, joints: usize, weights: usize, k: u32, bones: usize, stride: usize, signs: v128,
): void {
  if (k == 4) {
    blendDual4(scratch, joints, weights, bones, stride, signs);
    blendDual4(scratch + 32, joints + 8, weights + 16, bones, stride, signs);
    blendDual4(scratch + 64, joints + 16, weights + 32, bones, stride, signs);
    blendDual4(scratch + 96, joints + 24, weights + 48, bones, stride, signs);
  } else {
    for (let v: usize = 0; v < 4; v++) {
      blendDual(scratch + 32 * v, joints + 2 * k * v, weights + 4 * k * v, k, bones, stride, signs);
    }
  }
  if (!v128.any_true(signs)) {
    for (let v: usize = 0; v < 4; v++) {
      const squared = mul(v128.load(scratch + 32 * v), v128.load(scratch + 32 * v));
      const norm2 = f32x4.extract_lane(squared, 0) + f32x4.extract_lane(squared, 1)
        + f32x4.extract_lane(squared, 2) + f32x4.extract_lane(squared, 3);
      if (norm2 < CANCELLED) {
        const bone = bones + <usize>load<u16>(joints + 2 * k * v) * stride;
        v128.store(scratch + 32 * v, v128.load(bone));
        v128.store(scratch + 32 * v, v128.load(bone, 16), 16);
      }
    }
  }
}
