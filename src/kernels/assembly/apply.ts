// A quad of blended transformations, one per lane, applied to its vertices and normals.

import { add, det2, dot3, mul, storeQuad } from './simd';

/** positions = M·p for the quad of rest positions at `rest`. */
@inline
export function storeTransformed(
  out: usize, rest: usize,
  m00: v128, m01: v128, m02: v128, m03: v128,
  m10: v128, m11: v128, m12: v128, m13: v128,
  m20: v128, m21: v128, m22: v128, m23: v128,
): void {
  const x = v128.load(rest), y = v128.load(rest, 16), z = v128.load(rest, 32);
  storeQuad(
    out,
    add(dot3(m00, x, m01, y, m02, z), m03),
    add(dot3(m10, x, m11, y, m12, z), m13),
    add(dot3(m20, x, m21, y, m22, z), m23),
  );
}

/**
 * normals ~ M⁻ᵀ·n for the quad of rest normals at `rest`. The inverse transpose is the matrix of cofactors over the
 * determinant, of which only the sign matters.
 */
@inline
export function storeInverseTransposed(
  out: usize, rest: usize,
  m00: v128, m01: v128, m02: v128,
  m10: v128, m11: v128, m12: v128,
  m20: v128, m21: v128, m22: v128,
): void {
  const x = v128.load(rest), y = v128.load(rest, 16), z = v128.load(rest, 32);
  const c00 = det2(m11, m22, m12, m21), c01 = det2(m12, m20, m10, m22), c02 = det2(m10, m21, m11, m20);
  const c10 = det2(m02, m21, m01, m22), c11 = det2(m00, m22, m02, m20), c12 = det2(m01, m20, m00, m21);
  const c20 = det2(m01, m12, m02, m11), c21 = det2(m02, m10, m00, m12), c22 = det2(m00, m11, m01, m10);
  storeNormals(
    out,
    dot3(c00, x, c01, y, c02, z),
    dot3(c10, x, c11, y, c12, z),
    dot3(c20, x, c21, y, c22, z),
    dot3(m00, c00, m01, c01, m02, c02),
    x, y, z,
  );
}

const TINY: f32 = 1e-37;

/**
 * Stores a quad of unit normals: (x, y, z) at length 1, turned round where `determinant` is negative. Where the length
 * vanishes or overflows, because the blend flattens its surroundings to a line or a point, the rest normal stays.
 */
@inline
export function storeNormals(
  out: usize, x: v128, y: v128, z: v128, determinant: v128, restX: v128, restY: v128, restZ: v128,
): void {
  const squared = dot3(x, x, y, y, z, z);
  const usable = v128.and(f32x4.gt(squared, f32x4.splat(TINY)), f32x4.lt(squared, f32x4.splat(Infinity)));
  const inverse = f32x4.div(f32x4.splat(1), f32x4.sqrt(squared));
  const scale = v128.or(inverse, v128.and(determinant, f32x4.splat(-0.0)));
  storeQuad(
    out,
    v128.bitselect(mul(x, scale), restX, usable),
    v128.bitselect(mul(y, scale), restY, usable),
    v128.bitselect(mul(z, scale), restZ, usable),
  );
}

/** 2/|Ψ₀|²: what the products of the components of Ψ below are scaled by. */
@inline
export function dualScale(rx: v128, ry: v128, rz: v128, rw: v128): v128 {
  return f32x4.div(f32x4.splat(2), add(dot3(rx, rx, ry, ry, rz, rz), mul(rw, rw)));
}

/**
 * p' = p + 2/|Ψ₀|²·(r × (r × p + w·p + t) + w·t − t_w·r) for Ψ with real part (r, w) and dual part (t, t_w): rotation
 * and translation share their outer cross product.
 */
@inline
export function storeMoved(
  out: usize, scale: v128,
  rx: v128, ry: v128, rz: v128, rw: v128,
  tx: v128, ty: v128, tz: v128, tw: v128,
  x: v128, y: v128, z: v128,
): void {
  const ux = add(add(det2(ry, z, rz, y), mul(rw, x)), tx);
  const uy = add(add(det2(rz, x, rx, z), mul(rw, y)), ty);
  const uz = add(add(det2(rx, y, ry, x), mul(rw, z)), tz);
  storeQuad(
    out,
    add(x, mul(scale, add(det2(ry, uz, rz, uy), det2(rw, tx, tw, rx)))),
    add(y, mul(scale, add(det2(rz, ux, rx, uz), det2(rw, ty, tw, ry)))),
    add(z, mul(scale, add(det2(rx, uy, ry, ux), det2(rw, tz, tw, rz)))),
  );
}
