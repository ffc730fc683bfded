// Four floats at a time. Vertices are worked on in quads: four vertices, one per lane.

@inline
export function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}

@inline
export function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}

@inline
export function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}

/** a·b + c·d + e·f in every lane. */
@inline
export function dot3(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): v128 {
  return add(add(mul(a, b), mul(c, d)), mul(e, f));
}

/** a·b − c·d in every lane: one component of a cross product, one cofactor. */
@inline
export function det2(a: v128, b: v128, c: v128, d: v128): v128 {
  return sub(mul(a, b), mul(c, d));
}

@inline
export function low(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}

@inline
export function high(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

@inline
export function even(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}

@inline
export function odd(a: v128, b: v128): v128 {
  return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}

// The columns of the 4 × 4 matrix with rows a b c d. The compiler shares the inner shuffles among them.
@inline
export function column0(a: v128, b: v128, c: v128, d: v128): v128 {
  return even(low(a, b), low(c, d));
}

@inline
export function column1(a: v128, b: v128, c: v128, d: v128): v128 {
  return odd(low(a, b), low(c, d));
}

@inline
export function column2(a: v128, b: v128, c: v128, d: v128): v128 {
  return even(high(a, b), high(c, d));
}

@inline
export function column3(a: v128, b: v128, c: v128, d: v128): v128 {
  return odd(high(a, b), high(c, d));
}

/** Stores a quad of vectors, one vector per lane, as x y z x y z x y z x y z: 48 bytes. */
@inline
export function storeQuad(out: usize, x: v128, y: v128, z: v128): void {
  const zx = v128.shuffle<f32>(z, x, 0, 5, 2, 7);
  const yz = v128.shuffle<f32>(y, z, 1, 5, 3, 7);
  v128.store(out, even(low(x, y), zx));
  v128.store(out, even(yz, high(x, y)), 16);
  v128.store(out, odd(zx, yz), 32);
}
