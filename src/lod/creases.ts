import { DisjointSets } from '../math/disjoint-sets.ts';
import { meshEdges } from '../mesh/adjacency.ts';
import type { Mesh } from '../model/mesh.ts';
import type { LevelMesh } from './level-mesh.ts';
import type { CollapseRecords, FacePoint } from './records.ts';
import { after } from './weld.ts';

/**
 * Hard edges of a level whose collapses did not keep to those of the original: a side is hard where the original's normals
 * on both sides of it are apart. Flat-shaded surfaces, on which every edge is hard and no vertex could move, stay flat-shaded.
 */

/** Points along a side, and how far inside the faces they lie. */
const ALONG = [0.2, 0.5, 0.8];
const INSIDE = 0.05;

/** The level with wedges of their own on both sides of hard edges, and w: wedge → those that share a normal. */
export function splitByCreases(
  level: LevelMesh,
  mesh: Mesh,
  records: CollapseRecords,
  crease: number,
): { level: LevelMesh; normalOf: Uint32Array } {
  const { triangles, corners, vertexOf } = level;
  const cosine = Math.cos((crease * Math.PI) / 180);

  // (1) Corners around a vertex that no hard side parts have one normal.
  const smooth = new DisjointSets(triangles.length);
  const { offsets, items } = meshEdges(triangles, vertexOf.length).corners;
  for (let e = 0; e + 1 < offsets.length; e++) {
    if (offsets[e + 1] - offsets[e] !== 2) continue;
    const [c, d] = [items[offsets[e]], items[offsets[e] + 1]];
    if (triangles[c] === triangles[d] || cosineAcross(level, mesh, records, c, d) < cosine) continue;
    smooth.join(c, after(d));
    smooth.join(after(c), d);
  }

  // (2) A wedge for every pair of wedge and normal.
  const known = new Map<number, number>();
  const from: number[] = [];
  const normalOf: number[] = [];
  const normals = new Map<number, number>();
  const newCorners = corners.map((w, c) => {
    const group = smooth.root(c);
    const key = w * corners.length + group;
    let at = known.get(key);
    if (at === undefined) {
      known.set(key, (at = from.length));
      from.push(w);
      if (!normals.has(group)) normals.set(group, normals.size);
      normalOf.push(normals.get(group)!);
    }
    return at;
  });
  return {
    level: {
      ...level,
      corners: newCorners,
      wedgeVertex: Uint32Array.from(from, (w) => level.wedgeVertex[w]),
      splitOf: Uint32Array.from(from, (w) => level.splitOf[w]),
    },
    normalOf: Uint32Array.from(normalOf),
  };
}

/** The mean cosine between the original's normals on both sides of the side that begins at corners c and d. */
function cosineAcross(level: LevelMesh, mesh: Mesh, records: CollapseRecords, c: number, d: number): number {
  let sum = 0;
  for (const t of ALONG) {
    normalAt(here, level, mesh, records, c, t);
    normalAt(there, level, mesh, records, d, 1 - t);
    const length = Math.hypot(...here) * Math.hypot(...there);
    sum += length > 0 ? (here[0] * there[0] + here[1] * there[1] + here[2] * there[2]) / length : 1;
  }
  return sum / ALONG.length;
}

const here: [number, number, number] = [0, 0, 0];
const there: [number, number, number] = [0, 0, 0];
const at: FacePoint = { face: 0, u: 0, v: 0, w: 0 };
const weights = [0, 0, 0];

/** The original's normal a little inside of the face at corner c, at t on the side that begins there. */
function normalAt(
  out: [number, number, number],
  level: LevelMesh,
  mesh: Mesh,
  records: CollapseRecords,
  c: number,
  t: number,
): void {
  weights[c % 3] = (1 - INSIDE) * (1 - t);
  weights[(c + 1) % 3] = (1 - INSIDE) * t;
  weights[(c + 2) % 3] = INSIDE;
  records.carry(level.last, level.faces[Math.floor(c / 3)], weights[0], weights[1], weights[2], at);
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const normals = mesh.normals!;
  const [i, j, k] = [3 * corners[3 * at.face], 3 * corners[3 * at.face + 1], 3 * corners[3 * at.face + 2]];
  for (let x = 0; x < 3; x++) out[x] = at.u * normals[i + x] + at.v * normals[j + x] + at.w * normals[k + x];
}
