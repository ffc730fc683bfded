import type { TypedArray } from '@gltf-transform/core';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { type Mesh, splitVertexCount, triangleCount } from '../../model/mesh.ts';

/** In which order a mesh's triangles and vertices are stored. */
export interface StoredOrder {
  /** Per group the corners (3 per triangle), as indices into the stored vertices. */
  corners: Uint32Array[];
  /** W: stored vertex → split vertex of the mesh. Absent when they are stored as they are. */
  vertices?: Uint32Array;
}

const wholeMesh = (mesh: Mesh) => [{ start: 0, count: triangleCount(mesh) }];

/** As the mesh has them. */
export function givenOrder(mesh: Mesh): StoredOrder {
  const all = mesh.seams?.triangles ?? mesh.triangles;
  const groups = mesh.groups ?? wholeMesh(mesh);
  return { corners: groups.map(({ start, count }) => all.subarray(3 * start, 3 * (start + count))) };
}

/**
 * Triangles of each group in the order that meshoptimizer finds best for vertex caches and compression; vertices by
 * their first use, and behind them those that no triangle uses. `MeshoptEncoder` must be ready.
 */
export function compactOrder(mesh: Mesh): StoredOrder {
  const w = splitVertexCount(mesh);
  const vertices = new Uint32Array(w);
  const stored = new Int32Array(w).fill(-1); // split vertex → stored vertex
  let next = 0;
  const store = (vertex: number): number => {
    if (stored[vertex] < 0) {
      vertices[next] = vertex;
      stored[vertex] = next++;
    }
    return stored[vertex];
  };
  const corners = givenOrder(mesh).corners.map((given) => {
    // The encoder renumbers the vertices of each group on their own: taken back here, since groups share vertices.
    const turned = given.slice();
    const [renumbered] = MeshoptEncoder.reorderMesh(turned, true, true);
    const back = new Uint32Array(w);
    for (let vertex = 0; vertex < renumbered.length; vertex++) {
      if (renumbered[vertex] !== UNUSED) back[renumbered[vertex]] = vertex;
    }
    return turned.map((corner) => store(back[corner]));
  });
  for (let vertex = 0; vertex < w; vertex++) store(vertex);
  return { corners, vertices };
}

/** What the encoder says of vertices that no triangle uses. */
const UNUSED = 2 ** 32 - 1;

/** W·stride numbers per split vertex → per stored vertex. */
export function inStoredOrder<T extends TypedArray>(values: T, stride: number, { vertices }: StoredOrder): T {
  if (!vertices) return values;
  const out = values.slice() as T;
  for (let stored = 0; stored < vertices.length; stored++) {
    const from = vertices[stored] * stride;
    for (let c = 0; c < stride; c++) out[stored * stride + c] = values[from + c];
  }
  return out;
}

/**
 * Influences of a vertex may stand in any slots: in place, each joint gets the slot where the vertices stored before
 * had it last, so that neighbours differ little. `joints` and `weights` are sets of four slots for W split vertices.
 */
export function steadySlots(
  joints: readonly (Uint8Array | Uint16Array)[],
  weights: readonly (Uint8Array | Uint16Array | Float32Array)[],
  vertices: Uint32Array,
): void {
  const slots = 4 * joints.length;
  const last = new Int32Array(slots).fill(-1); // the joint each slot had last
  for (const vertex of vertices) {
    const waiting = new Map<number, number>();
    for (let s = 0; s < slots; s++) {
      const at = 4 * vertex + (s & 3);
      const weight = weights[s >> 2][at];
      if (weight > 0) waiting.set(joints[s >> 2][at], weight);
      joints[s >> 2][at] = weights[s >> 2][at] = 0;
    }
    const put = (s: number, joint: number) => {
      joints[s >> 2][4 * vertex + (s & 3)] = last[s] = joint;
      weights[s >> 2][4 * vertex + (s & 3)] = waiting.get(joint)!;
      waiting.delete(joint);
    };
    const free: number[] = [];
    for (let s = 0; s < slots; s++) {
      if (waiting.has(last[s])) put(s, last[s]);
      else free.push(s);
    }
    for (const joint of [...waiting.keys()]) put(free.shift()!, joint);
  }
}
