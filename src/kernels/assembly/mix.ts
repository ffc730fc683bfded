// The per-vertex mix of Khemakhem 2020, algorithm 3: M = (1 − ω)·M_LBS + ω·M_DQS.

import { dualScale, storeInverseTransposed, storeTransformed } from './apply';
import { blendDualQuad, blendMatrixQuad, MATRIX_QUAD } from './blend';
import { add, column0, column1, column2, column3, det2, mul, sub } from './simd';
import { SkinTable } from './skin-table';

/** Bytes of a bone: its 3 × 4 matrix, then the dual quaternion of its rigid part. */
const STRIDE: usize = 80;
const DUAL: usize = 48;

/** a + t·(b − a) in every lane. */
@inline
function lerp(a: v128, b: v128, t: v128): v128 {
  return add(a, mul(t, sub(b, a)));
}

/** Arguments as for lbs. */
export function mix(table: SkinTable, begin: u32, end: u32, scratch: usize): void {
  const k = table.k, joints = table.joints, weights = table.weights, bones = table.bones;
  const restPositions = table.restPositions, restNormals = table.restNormals, positions = table.positions, normals = table.normals;
  const signs = f32x4.splat(table.antipodality ? -0.0 : 0);
  const one = f32x4.splat(1);
  const duals = scratch + MATRIX_QUAD;
  for (let v = <usize>begin; v < <usize>end; v += 4) {
    blendMatrixQuad(scratch, joints + 2 * k * v, weights + 4 * k * v, k, bones, STRIDE);
    blendDualQuad(duals, joints + 2 * k * v, weights + 4 * k * v, k, bones + DUAL, STRIDE, signs);

    // Real part (r, rw) and dual part (t, tw) of the four Ψ.
    const e0 = v128.load(duals), f0 = v128.load(duals, 32), g0 = v128.load(duals, 64), h0 = v128.load(duals, 96);
    const rx = column0(e0, f0, g0, h0), ry = column1(e0, f0, g0, h0), rz = column2(e0, f0, g0, h0), rw = column3(e0, f0, g0, h0);
    const e1 = v128.load(duals, 16), f1 = v128.load(duals, 48), g1 = v128.load(duals, 80), h1 = v128.load(duals, 112);
    const tx = column0(e1, f1, g1, h1), ty = column1(e1, f1, g1, h1), tz = column2(e1, f1, g1, h1), tw = column3(e1, f1, g1, h1);
    const scale = dualScale(rx, ry, rz, rw);
    const sx = mul(scale, rx), sy = mul(scale, ry), sz = mul(scale, rz);

    // The rows of M_LBS, each entry mixed with that of M(Ψ)/|Ψ₀|².
    const omega = v128.load(table.mix + 4 * v);
    const a0 = v128.load(scratch), b0 = v128.load(scratch, 48), c0 = v128.load(scratch, 96), d0 = v128.load(scratch, 144);
    const m00 = lerp(column0(a0, b0, c0, d0), sub(one, add(mul(sy, ry), mul(sz, rz))), omega);
    const m01 = lerp(column1(a0, b0, c0, d0), det2(sx, ry, sz, rw), omega);
    const m02 = lerp(column2(a0, b0, c0, d0), add(mul(sx, rz), mul(sy, rw)), omega);
    const m03 = lerp(column3(a0, b0, c0, d0), mul(scale, add(det2(rw, tx, tw, rx), det2(ry, tz, rz, ty))), omega);
    const a1 = v128.load(scratch, 16), b1 = v128.load(scratch, 64), c1 = v128.load(scratch, 112), d1 = v128.load(scratch, 160);
    const m10 = lerp(column0(a1, b1, c1, d1), add(mul(sx, ry), mul(sz, rw)), omega);
    const m11 = lerp(column1(a1, b1, c1, d1), sub(one, add(mul(sx, rx), mul(sz, rz))), omega);
    const m12 = lerp(column2(a1, b1, c1, d1), det2(sy, rz, sx, rw), omega);
    const m13 = lerp(column3(a1, b1, c1, d1), mul(scale, add(det2(rw, ty, tw, ry), det2(rz, tx, rx, tz))), omega);
    const a2 = v128.load(scratch, 32), b2 = v128.load(scratch, 80), c2 = v128.load(scratch, 128), d2 = v128.load(scratch, 176);
    const m20 = lerp(column0(a2, b2, c2, d2), det2(sx, rz, sy, rw), omega);
    const m21 = lerp(column1(a2, b2, c2, d2), add(mul(sy, rz), mul(sx, rw)), omega);
    const m22 = lerp(column2(a2, b2, c2, d2), sub(one, add(mul(sx, rx), mul(sy, ry))), omega);
    const m23 = lerp(column3(a2, b2, c2, d2), mul(scale, add(det2(rw, tz, tw, rz), det2(rx, ty, ry, tx))), omega);

    const at: usize = 12 * v;
    storeTransformed(
      positions + at, restPositions + at, m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23,
    );
    if (restNormals != 0) {
      storeInverseTransposed(normals + at, restNormals + at, m00, m01, m02, m10, m11, m12, m20, m21, m22);
    }
  }
}
