import { gatherRows } from '../math/rows.ts';
import type { Mesh, MeshGroup } from '../model/mesh.ts';
import type { Features } from './features.ts';
import type { CollapsedMesh } from './records.ts';
import type { FanMesh } from './weld.ts';

/** What is left of a surface after some collapses, numbered anew: f faces, n vertices, w wedges. */
export interface LevelMesh {
  /** f: the faces' numbers in the original. */
  faces: Uint32Array;
  /** 3f: corner → vertex. */
  triangles: Uint32Array;
  /** 3f: corner → wedge. */
  corners: Uint32Array;
  /** n: vertex → the vertex of the given mesh that it was. */
  vertexOf: Uint32Array;
  /** w: wedge → vertex. */
  wedgeVertex: Uint32Array;
  /** w: wedge → a split vertex of the given mesh that has its values. */
  splitOf: Uint32Array;
  /** The last record of every face of the original. */
  last: Int32Array;
  /** Whether hard edges did not count in the collapses. */
  isSoft: boolean;
}

/** Numbers what a state of the collapses has left. */
export function levelMesh(state: CollapsedMesh, fans: FanMesh, { splitOf }: Features): LevelMesh {
  const faces = Uint32Array.from(state.alive.keys()).filter((f) => state.alive[f] === 1);
  const triangles = gatherRows(state.vertices, 3, faces);
  const wedges = gatherRows(state.wedges, 3, faces);
  const vertices = renumber(triangles, fans.vertexOf.length);
  const used = renumber(wedges, splitOf.length);
  const wedgeVertex = new Uint32Array(used.length);
  for (let c = 0; c < wedges.length; c++) wedgeVertex[wedges[c]] = triangles[c];
  return {
    faces,
    triangles,
    corners: wedges,
    vertexOf: vertices.map((v) => fans.vertexOf[v]),
    wedgeVertex,
    splitOf: used.map((w) => splitOf[w]),
    last: state.last,
    isSoft: state.isSoft,
  };
}

/** Gives the numbers in use new ones, 0 and up, rising with the old ones. Returns new → old. */
function renumber(numbers: Uint32Array, limit: number): Uint32Array {
  const seen = new Uint32Array(limit);
  for (const q of numbers) seen[q] = 1;
  const old = Uint32Array.from(seen.keys()).filter((q) => seen[q] === 1);
  old.forEach((q, to) => {
    seen[q] = to;
  });
  for (let c = 0; c < numbers.length; c++) numbers[c] = seen[numbers[c]];
  return old;
}

/** The groups of the given mesh with the faces that are left, in the same order. */
export function groupsOf(mesh: Mesh, level: LevelMesh): MeshGroup[] | undefined {
  let start = 0;
  return mesh.groups?.map((group) => {
    let count = 0;
    for (const f of level.faces) if (f >= group.start && f < group.start + group.count) count++;
    start += count;
    return { ...group, start: start - count, count };
  });
}
