// What a pass of `fit` works on. src/decompose/engine/kernel-arrays.ts lays it out and writes this table, i32 each, in this order;
// addresses are bytes, arrays f64 unless said otherwise.
@unmanaged
export class FitTable {
  /** Which pass, for src/decompose/engine/kernel-pass.ts. */
  kind: i32;
  bones: i32;
  influences: i32;
  /** Of `fitWeights`: whether to try every bone as an exchange, and the supports of neighbours. */
  exchange: i32;
  tryNeighbours: i32;
  rank: i32;
  // Of all vertices: N × rank, N, 4N, 10N, N; neighbours as CSR, u32.
  z: usize;
  zNorm2: usize;
  rest: usize;
  monomials: usize;
  mass: usize;
  offsets: usize;
  neighbours: usize;
  // Of the bones: B panels of rank × 4; K as B × 10 × stride; K_bb as 10 × stride.
  packed: usize;
  pairs: usize;
  selfPairs: usize;
  // The support before the pass and after it: counts u8, joints i32.
  oldCounts: usize;
  oldJoints: usize;
  oldWeights: usize;
  counts: usize;
  joints: usize;
  weights: usize;
  /** N: squared, without mass. */
  errors: usize;
}
