// What rays are traced against. src/mesh/ray-memory.ts lays it out and writes this table, i32 each, in this order; addresses
// are bytes.
@unmanaged
export class RayTable {
  // The root: a node, or ~ a leaf.
  root: i32;
  // 128 bytes each, four children: min x, max x, min y, max y, min z, max z (f32), then the child: a node, or ~ a leaf.
  nodes: usize;
  // 160 bytes each, four triangles: a corner, two edges from it, x y z each (f32), then their faces; −1 for none.
  leaves: usize;
  // Per ray, 3 f32 each, and one.
  origins: usize;
  directions: usize;
  // How far a ray goes; with `rayClosest` afterwards how far it went.
  limits: usize;
  // Per ray: the face, or −1; weights of the face's second and third corner.
  faces: usize;
  us: usize;
  vs: usize;
  // 8 bytes per entry, for one ray at a time.
  stack: usize;
}
