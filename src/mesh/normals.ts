import { type Mesh, splitVertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { uniqueRows } from './unique-rows.ts';

/**
 * Vertex normals as weighted sums of the normals of the faces around a vertex. Weights by the face's angle at the
 * vertex (Thürmer and Wüthrich 1998) do not depend on how a surface is cut into triangles; weights by area are cheaper.
 */

export type NormalWeighting = 'angle' | 'area';

/** What a vertex gets that no face with an area touches: a unit vector all the same. */
const NO_NORMAL = [0, 0, 1] as const;

/**
 * W: split vertex → the group of split vertices that share one normal. Split vertices of one vertex share it when the
 * mesh's own normals there are equal, so that creases stay creases and uv seams stay invisible. In a mesh without
 * normals every vertex is smooth. Depends on the rest mesh only: compute it once for all frames.
 */
export function smoothingGroups(mesh: Mesh): Uint32Array {
  const w = splitVertexCount(mesh);
  if (!mesh.seams) return new Uint32Array(w).map((_, i) => i);
  if (!mesh.normals) return mesh.seams.vertexOf;
  return uniqueRows(w, [mesh.seams.vertexOf, mesh.normals]).classOf;
}

/**
 * The 3W unit normals of a mesh at `positions` (3N, its own when not given), into `out` when given. Positions may be a
 * frame of a sequence; `groups` are then best computed once, and `sums` (3W) used again.
 */
export function vertexNormals(
  mesh: Mesh,
  positions: ArrayLike<number> = mesh.positions,
  weighting: NormalWeighting = 'angle',
  groups: Uint32Array = smoothingGroups(mesh),
  out: Float32Array = new Float32Array(3 * splitVertexCount(mesh)),
  sums: Float64Array = new Float64Array(3 * groups.length),
): Float32Array {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const { triangles } = mesh;
  sums.fill(0);
  // Of the corners: by area the same, as the length of a cross product is twice the area.
  let [weightA, weightB, weightC] = [1, 1, 1];
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const abx = positions[b] - positions[a];
    const aby = positions[b + 1] - positions[a + 1];
    const abz = positions[b + 2] - positions[a + 2];
    const acx = positions[c] - positions[a];
    const acy = positions[c + 1] - positions[a + 1];
    const acz = positions[c + 2] - positions[a + 2];
    const nx = aby * acz - abz * acy;
    const ny = abz * acx - abx * acz;
    const nz = abx * acy - aby * acx;
    if (weighting === 'angle') {
      // tan(angle) = |u × v| / u·v, and |u × v| is twice the area at every corner.
      const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (doubleArea === 0) continue;
      const ab2 = abx * abx + aby * aby + abz * abz;
      const ac2 = acx * acx + acy * acy + acz * acz;
      const dot = abx * acx + aby * acy + abz * acz;
      weightA = Math.atan2(doubleArea, dot) / doubleArea;
      weightB = Math.atan2(doubleArea, ab2 - dot) / doubleArea;
      weightC = Math.atan2(doubleArea, ac2 - dot) / doubleArea;
    }
    const sa = 3 * groups[corners[t]];
    sums[sa] += nx * weightA;
    sums[sa + 1] += ny * weightA;
    sums[sa + 2] += nz * weightA;
    const sb = 3 * groups[corners[t + 1]];
    sums[sb] += nx * weightB;
    sums[sb + 1] += ny * weightB;
    sums[sb + 2] += nz * weightB;
    const sc = 3 * groups[corners[t + 2]];
    sums[sc] += nx * weightC;
    sums[sc + 1] += ny * weightC;
    sums[sc + 2] += nz * weightC;
  }

  for (let w = 0; w < groups.length; w++) {
    const s = 3 * groups[w];
    const [x, y, z] = [sums[s], sums[s + 1], sums[s + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    out[3 * w] = length > 0 ? x / length : NO_NORMAL[0];
    out[3 * w + 1] = length > 0 ? y / length : NO_NORMAL[1];
    out[3 * w + 2] = length > 0 ? z / length : NO_NORMAL[2];
  }
  return out;
}

/** The mesh in another pose: normals are computed anew, tangents left out, which players compute from normals and uvs. */
export function reposed(mesh: Mesh, positions: Float32Array): Mesh {
  const { TANGENT: _, ...attributes } = mesh.attributes ?? {};
  return {
    ...mesh,
    positions,
    ...(mesh.normals && { normals: vertexNormals(mesh, positions) }),
    ...(mesh.attributes && { attributes }),
  };
}

/** A note where a mesh in another pose has lost its tangents. */
export const tangentNotes = (before: Mesh, after: Mesh, name?: string): Note[] =>
  before.attributes?.TANGENT && !after.attributes?.TANGENT ? [note('tangents-left-out', {}, name)] : [];
