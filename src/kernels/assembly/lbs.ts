// Linear blend skinning: p' = Σ w·C·p, n' ~ (Σ w·C)⁻ᵀ·n (Kavan 2009, §3).

import { storeInverseTransposed, storeTransformed } from './apply';
import { blendMatrixQuad } from './blend';
import { column0, column1, column2, column3 } from './simd';
import { SkinTable } from './skin-table';

/** Bytes of a bone: its 3 × 4 matrix. */
const STRIDE: usize = 48;

/**
 * Vertices `begin` to `end`; `begin` is a multiple of four, and a last quad is worked on whole. scratch: 512 bytes of the
 * calling thread's own.
 */
export function lbs(table: SkinTable, begin: u32, end: u32, scratch: usize): void {
  const k = table.k, joints = table.joints, weights = table.weights, bones = table.bones;
  const restPositions = table.restPositions, restNormals = table.restNormals, positions = table.positions, normals = table.normals;
  for (let v = <usize>begin; v < <usize>end; v += 4) {
    blendMatrixQuad(scratch, joints + 2 * k * v, weights + 4 * k * v, k, bones, STRIDE);

    // m_rc: row r, column c of the four matrices.
    const a0 = v128.load(scratch), b0 = v128.load(scratch, 48), c0 = v128.load(scratch, 96), d0 = v128.load(scratch, 144);
    const m00 = column0(a0, b0, c0, d0), m01 = column1(a0, b0, c0, d0), m02 = column2(a0, b0, c0, d0), m03 = column3(a0, b0, c0, d0);
    const a1 = v128.load(scratch, 16), b1 = v128.load(scratch, 64), c1 = v128.load(scratch, 112), d1 = v128.load(scratch, 160);
    const m10 = column0(a1, b1, c1, d1), m11 = column1(a1, b1, c1, d1), m12 = column2(a1, b1, c1, d1), m13 = column3(a1, b1, c1, d1);
    const a2 = v128.load(scratch, 32), b2 = v128.load(scratch, 80), c2 = v128.load(scratch, 128), d2 = v128.load(scratch, 176);
    const m20 = column0(a2, b2, c2, d2), m21 = column1(a2, b2, c2, d2), m22 = column2(a2, b2, c2, d2), m23 = column3(a2, b2, c2, d2);

    const at: usize = 12 * v;
    storeTransformed(
      positions + at, restPositions + at, m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23,
    );
    if (restNormals != 0) {
      storeInverseTransposed(normals + at, restNormals + at, m00, m01, m02, m10, m11, m12, m20, m21, m22);
    }
  }
}
