// Dual quaternion skinning with scale, Φ_SDQS = Φ_DQS·Φ_LBS (Kavan 2009, appendix A): the bones' stretches are blended
// linearly and applied first, their rigid parts as dual quaternions second.

import { dualScale, storeMoved, storeNormals } from './apply';
import { blendDualQuad, blendMatrixQuad, MATRIX_QUAD } from './blend';
import { add, column0, column1, column2, column3, det2, dot3, mul } from './simd';
import { SkinTable } from './skin-table';

/** Bytes of a bone: its 3 × 4 stretch, then the dual quaternion of its rigid part. */
const STRIDE: usize = 80;
const DUAL: usize = 48;

/** Arguments as for lbs. */
export function sdqs(table: SkinTable, begin: u32, end: u32, scratch: usize): void {
  const k = table.k, joints = table.joints, weights = table.weights, bones = table.bones;
  const restPositions = table.restPositions, restNormals = table.restNormals, positions = table.positions, normals = table.normals;
  const signs = f32x4.splat(table.antipodality ? -0.0 : 0);
  const duals = scratch + MATRIX_QUAD;
  for (let v = <usize>begin; v < <usize>end; v += 4) {
    blendMatrixQuad(scratch, joints + 2 * k * v, weights + 4 * k * v, k, bones, STRIDE);
    blendDualQuad(duals, joints + 2 * k * v, weights + 4 * k * v, k, bones + DUAL, STRIDE, signs);

    // The four stretches. A stretch is symmetric, and so is every blend of stretches.
    const a0 = v128.load(scratch), b0 = v128.load(scratch, 48), c0 = v128.load(scratch, 96), d0 = v128.load(scratch, 144);
    const m00 = column0(a0, b0, c0, d0), m01 = column1(a0, b0, c0, d0), m02 = column2(a0, b0, c0, d0), m03 = column3(a0, b0, c0, d0);
    const a1 = v128.load(scratch, 16), b1 = v128.load(scratch, 64), c1 = v128.load(scratch, 112), d1 = v128.load(scratch, 160);
    const m11 = column1(a1, b1, c1, d1), m12 = column2(a1, b1, c1, d1), m13 = column3(a1, b1, c1, d1);
    const a2 = v128.load(scratch, 32), b2 = v128.load(scratch, 80), c2 = v128.load(scratch, 128), d2 = v128.load(scratch, 176);
    const m22 = column2(a2, b2, c2, d2), m23 = column3(a2, b2, c2, d2);
    // Real part (r, rw) and dual part (t, tw) of the four Ψ.
    const e0 = v128.load(duals), f0 = v128.load(duals, 32), g0 = v128.load(duals, 64), h0 = v128.load(duals, 96);
    const rx = column0(e0, f0, g0, h0), ry = column1(e0, f0, g0, h0), rz = column2(e0, f0, g0, h0), rw = column3(e0, f0, g0, h0);
    const e1 = v128.load(duals, 16), f1 = v128.load(duals, 48), g1 = v128.load(duals, 80), h1 = v128.load(duals, 112);
    const tx = column0(e1, f1, g1, h1), ty = column1(e1, f1, g1, h1), tz = column2(e1, f1, g1, h1), tw = column3(e1, f1, g1, h1);
    const scale = dualScale(rx, ry, rz, rw);

    const at: usize = 12 * v;
    const p = restPositions + at;
    const px = v128.load(p), py = v128.load(p, 16), pz = v128.load(p, 32);
    storeMoved(
      positions + at, scale, rx, ry, rz, rw, tx, ty, tz, tw,
      add(dot3(m00, px, m01, py, m02, pz), m03),
      add(dot3(m01, px, m11, py, m12, pz), m13),
      add(dot3(m02, px, m12, py, m22, pz), m23),
    );
    if (restNormals != 0) {
      const n = restNormals + at;
      const nx = v128.load(n), ny = v128.load(n, 16), nz = v128.load(n, 32);
      // Cofactors of the stretch, then the rotation; see storeInverseTransposed.
      const c00 = det2(m11, m22, m12, m12), c01 = det2(m12, m02, m01, m22), c02 = det2(m01, m12, m11, m02);
      const c11 = det2(m00, m22, m02, m02), c12 = det2(m01, m02, m00, m12), c22 = det2(m00, m11, m01, m01);
      const x = dot3(c00, nx, c01, ny, c02, nz);
      const y = dot3(c01, nx, c11, ny, c12, nz);
      const z = dot3(c02, nx, c12, ny, c22, nz);
      const ux = add(det2(ry, z, rz, y), mul(rw, x));
      const uy = add(det2(rz, x, rx, z), mul(rw, y));
      const uz = add(det2(rx, y, ry, x), mul(rw, z));
      storeNormals(
        normals + at,
        add(x, mul(scale, det2(ry, uz, rz, uy))),
        add(y, mul(scale, det2(rz, ux, rx, uz))),
        add(z, mul(scale, det2(rx, uy, ry, ux))),
        dot3(m00, c00, m01, c01, m02, c02),
        nx, ny, nz,
      );
    }
  }
}
