import { type Mesh, splitVertexCount } from '../model/mesh.ts';
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
  if (!mesh.seams) return Uint32Array.from({ length: w }, (_, i) => i);
  if (!mesh.normals) return mesh.seams.vertexOf;
  return uniqueRows(w, [mesh.seams.vertexOf, mesh.normals]).classOf;
}

/**
 * The 3W unit normals of a mesh at `positions` (3N, its own when not given), into `out` when given. Positions may be a
 * frame of a sequence; `groups` are then best computed once.
 */
export function vertexNormals(
  mesh: Mesh,
  positions: ArrayLike<number> = mesh.positions,
  weighting: NormalWeighting = 'angle',
  groups: Uint32Array = smoothingGroups(mesh),
  out: Float32Array = new Float32Array(3 * splitVertexCount(mesh)),
): Float32Array {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const sums = new Float64Array(3 * groups.length);
  const weights = new Float64Array(3);
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const a = 3 * mesh.triangles[t];
    const b = 3 * mesh.triangles[t + 1];
    const c = 3 * mesh.triangles[t + 2];
    const abx = positions[b] - positions[a];
    const aby = positions[b + 1] - positions[a + 1];
    const abz = positions[b + 2] - positions[a + 2];
    const acx = positions[c] - positions[a];
    const acy = positions[c + 1] - positions[a + 1];
    const acz = positions[c + 2] - positions[a + 2];
    const nx = aby * acz - abz * acy;
    const ny = abz * acx - abx * acz;
    const nz = abx * acy - aby * acx;
    const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (doubleArea === 0) continue;
    if (weighting === 'angle') {
      // tan(angle) = |u × v| / u·v, and |u × v| is twice the area at every corner.
      const ab2 = abx * abx + aby * aby + abz * abz;
      const ac2 = acx * acx + acy * acy + acz * acz;
      const dot = abx * acx + aby * acy + abz * acz;
      weights[0] = Math.atan2(doubleArea, dot) / doubleArea;
      weights[1] = Math.atan2(doubleArea, ab2 - dot) / doubleArea;
      weights[2] = Math.atan2(doubleArea, ac2 - dot) / doubleArea;
    } else {
      weights.fill(1);
    }
    for (let corner = 0; corner < 3; corner++) {
      const s = 3 * groups[corners[t + corner]];
      sums[s] += nx * weights[corner];
      sums[s + 1] += ny * weights[corner];
      sums[s + 2] += nz * weights[corner];
    }
  }

  for (let w = 0; w < groups.length; w++) {
    const s = 3 * groups[w];
    const length = Math.hypot(sums[s], sums[s + 1], sums[s + 2]);
    for (let c = 0; c < 3; c++) out[3 * w + c] = length > 0 ? sums[s + c] / length : NO_NORMAL[c];
  }
  return out;
}
