// What learned folds are made of. src/cloth/upsampler/upsampler-arrays.ts lays it out and writes this table, i32 each, in this
// order; addresses are bytes. Vectors are four floats, x y z and 0; numbers are floats where nothing else is said.
@unmanaged
export class UpsampleTable {
  vertices: i32;
  patches: i32;
  // Inputs and centres of a patch, with zeros up to a multiple of four; coefficients, up to one of eight.
  inputs: i32;
  centres: i32;
  width: i32;
  // What patches see, and where each one's numbers begin (u32); what those are multiplied by: a row of inputs per number.
  starts: usize;
  seen: usize;
  directions: usize;
  // Per patch: the least and the largest inputs; 1 + inputs rows of coefficients; inputs rows of centres; a row of coefficients
  // per centre.
  lows: usize;
  highs: usize;
  matrices: usize;
  points: usize;
  blends: usize;
  // Of one patch: inputs z, and the Gaussians around its centres.
  z: usize;
  gaussians: usize;
  // Per patch: c, and the columns of R as vectors.
  coefficients: usize;
  frames: usize;
  // Per vertex the three patches that it lies under (u32), and per patch three rows of `width` bytes: B.
  hats: usize;
  basis: usize;
  /** A vector per vertex: the result. */
  detail: usize;
}
