// What the cloth simulation works on. src/cloth/cloth-passes.ts lays it out and writes this table, i32 each, in this order;
// addresses are bytes. Arrays are f64, indices u32; src/cloth/body.ts and bending.ts have the meaning of each.
@unmanaged
export class ClothTable {
  vertices: i32;
  springs: i32;
  faces: i32;
  hinges: i32;
  // 3N, and N.
  x: usize;
  previous: usize;
  acceleration: usize;
  correction: usize;
  wind: usize;
  mass: usize;
  inverseMass: usize;
  // Per spring.
  a: usize;
  b: usize;
  length: usize;
  share: usize;
  shareA: usize;
  shareB: usize;
  triangles: usize;
  // Per hinge: 4 vertices, 4 weights, stiffness.
  hingeVertices: usize;
  hingeWeights: usize;
  hingeStiffness: usize;
}
