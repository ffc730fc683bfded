// What the skinning kernels work on. src/skin/skin-job.ts writes this table, i32 each, in this order; addresses are bytes.
// Everything per vertex is padded to a multiple of four vertices.
@unmanaged
export class SkinTable {
  /** Influences per vertex. */
  k: u32;
  /** For dual quaternions only: whether to blend them by the shorter way. */
  antipodality: i32;
  /** f32, per quad of vertices xxxx yyyy zzzz, 48 bytes. Normals may be 0: then positions only. */
  restPositions: usize;
  restNormals: usize;
  /** u16 and f32, k per vertex, the largest weight first. */
  joints: usize;
  weights: usize;
  /** f32 per vertex; only the mix reads it. */
  mix: usize;
  /** f32, `STRIDE` bytes each. */
  bones: usize;
  /** f32, x y z per vertex. */
  positions: usize;
  normals: usize;
}
