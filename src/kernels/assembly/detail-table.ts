// What the physics of cloth's detail works on. src/cloth/detail-arrays.ts lays it out and writes this table, i32 each, in this
// order; addresses are bytes. Vectors are four floats, x y z and 0.
@unmanaged
export class DetailTable {
  vertices: i32;
  edgeQuads: i32;
  hinges: i32;
  hatCount: i32;
  /** Whether hinges are bent at rest. */
  curved: i32;
  // The embedding: per vertex three coarse vertices (u32), their weights (f32) and a point; per coarse vertex 8 vectors: the
  // columns of R, its origin, the columns of Q, and nothing.
  coarse: usize;
  weights: usize;
  points: usize;
  frames: usize;
  // Neighbours as CSR, u32.
  starts: usize;
  neighbours: usize;
  // Per four edges: their first ends, their second ends (u32), rest lengths, and what each end takes of a correction.
  edgeEnds: usize;
  edgeLengths: usize;
  edgeShares: usize;
  // Per hinge: 4 vertices (u32), K, K / Σ K², K·r as a vector, and the coarse vertex that turns it (u32).
  hingeVertices: usize;
  hingeWeights: usize;
  hingeParts: usize;
  hingeRest: usize;
  hingeCoarse: usize;
  // Hats: three per vertex (u32) and their weights; per hat 1 / Σ of its weights, and a vector: its mean.
  hats: usize;
  hatWeights: usize;
  hatShares: usize;
  hatMeans: usize;
  // Vectors of the vertices.
  base: usize;
  carried: usize;
  d: usize;
  u: usize;
  x: usize;
  // The target p, and p − b before the frame and after it.
  target: usize;
  offsetsFrom: usize;
  offsetsTo: usize;
  /** x in the world, three f64 each. */
  world: usize;
}
