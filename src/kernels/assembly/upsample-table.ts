// What learned folds are made of. src/cloth/upsampler/decoder.ts lays it out and writes this table, i32 each, in this order;
// addresses are bytes. Vectors are four floats, x y z and 0.
@unmanaged
export class UpsampleTable {
  vertices: i32;
  /** Coefficients of a patch, with zeros up to a multiple of eight. */
  width: i32;
  // Per vertex the three patches that it lies under (u32), and per patch three rows of `width` bytes: B.
  hats: usize;
  basis: usize;
  // Per patch: c (f32), and the columns of R as vectors.
  coefficients: usize;
  frames: usize;
  /** A vector per vertex: the result. */
  detail: usize;
}
