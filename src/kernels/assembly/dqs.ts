// Dual quaternion skinning (Kavan 2009, appendix A, (7)): the blended Ψ = Σ ±w·q̂ is not normalised; instead its matrix
// is divided by |Ψ₀|².

import { dualScale, storeMoved } from './apply';
import { blendDualQuad } from './blend';
import { add, column0, column1, column2, column3, det2, mul, storeQuad } from './simd';
import { SkinTable } from './skin-table';

/** Bytes of a bone: its dual quaternion, real x y z w, dual x y z w. */
const STRIDE: usize = 32;

/** Arguments as for lbs. */
export function dqs(table: SkinTable, begin: u32, end: u32, scratch: usize): void {
  const k = table.k, joints = table.joints, weights = table.weights, bones = table.bones;
  const restPositions = table.restPositions, restNormals = table.restNormals, positions = table.positions, normals = table.normals;
  const signs = f32x4.splat(table.antipodality ? -0.0 : 0);
  for (let v = <usize>begin; v < <usize>end; v += 4) {
    blendDualQuad(scratch, joints + 2 * k * v, weights + 4 * k * v, k, bones, STRIDE, signs);

    // Real part (r, rw) and dual part (t, tw) of the four Ψ.
    const a0 = v128.load(scratch), b0 = v128.load(scratch, 32), c0 = v128.load(scratch, 64), d0 = v128.load(scratch, 96);
    const rx = column0(a0, b0, c0, d0), ry = column1(a0, b0, c0, d0), rz = column2(a0, b0, c0, d0), rw = column3(a0, b0, c0, d0);
    const a1 = v128.load(scratch, 16), b1 = v128.load(scratch, 48), c1 = v128.load(scratch, 80), d1 = v128.load(scratch, 112);
    const tx = column0(a1, b1, c1, d1), ty = column1(a1, b1, c1, d1), tz = column2(a1, b1, c1, d1), tw = column3(a1, b1, c1, d1);
    const scale = dualScale(rx, ry, rz, rw);

    const at: usize = 12 * v;
    const p = restPositions + at;
    storeMoved(
      positions + at, scale, rx, ry, rz, rw, tx, ty, tz, tw, v128.load(p), v128.load(p, 16), v128.load(p, 32),
    );
    if (restNormals != 0) {
      const n = restNormals + at;
      const x = v128.load(n), y = v128.load(n, 16), z = v128.load(n, 32);
      const ux = add(det2(ry, z, rz, y), mul(rw, x));
      const uy = add(det2(rz, x, rx, z), mul(rw, y));
      const uz = add(det2(rx, y, ry, x), mul(rw, z));
      storeQuad(
        normals + at,
        add(x, mul(scale, det2(ry, uz, rz, uy))),
        add(y, mul(scale, det2(rz, ux, rx, uz))),
        add(z, mul(scale, det2(rx, uy, ry, ux))),
      );
    }
  }
}
