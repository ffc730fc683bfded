// What light that spheres block is made of. src/light/base-arrays.ts lays it out and writes this table, i32 each, in this
// order; addresses are bytes. Numbers are floats where nothing else is said.
@unmanaged
export class LightTable {
  vertices: i32;
  groups: i32;
  /** K, a multiple of four. */
  directions: i32;
  /** Room for so many, a multiple of four. */
  spheres: i32;
  /** Coefficients, with zeros up to a multiple of four. */
  width: i32;
  // x y z per vertex, and the number of its frame (u32).
  positions: usize;
  normals: usize;
  groupOf: usize;
  /** Per frame the x, then the y, then the z of all directions. */
  turned: usize;
  /** Per direction its row of coefficients. */
  harmonics: usize;
  /** The x, then the y, the z and the radius of all spheres; spheres of no opacity fill up the last four. */
  balls: usize;
  opacities: usize;
  /** Eight numbers for each of four spheres. */
  lanes: usize;
  /** Per sphere that a vertex sees: x y z b, 3w, 2w, and two to spare. */
  seen: usize;
  /** Of the directions that a vertex sees, six rows of K + 4: x, y, z, cosine, horizon, number (i32). */
  active: usize;
  // Per vertex a row of coefficients: the results.
  blocked: usize;
  hidden: usize;
}
