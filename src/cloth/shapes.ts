import { length3, type Vector } from '../math/vector.ts';
import { vertexNormals } from '../mesh/normals.ts';
import { wrapUvs } from '../mesh/wrap-uvs.ts';
import type { Mesh } from '../model/mesh.ts';

/** Adds normals and says that the mesh is in metres, y up. */
export const finished = (mesh: Mesh): Mesh => ({
  ...mesh,
  normals: vertexNormals(mesh),
  space: { up: 'y', metresPerUnit: 1 },
});

/**
 * A rectangle with about `vertices` vertices in a lattice of equilateral triangles, which is equally stiff in all
 * directions. `corner` is the point of uv (0, 0), `u` and `v` the edges that lead from it; it faces u × v. Every second
 * row is shifted by half an edge and has a vertex more, so that both ends are straight.
 */
export function sheet(name: string, vertices: number, corner: Vector, u: Vector, v: Vector): Mesh {
  const wanted = Math.sqrt((vertices * length3(v)) / (length3(u) * (Math.sqrt(3) / 2)));
  const rows = 2 * Math.max(1, Math.round((wanted - 1) / 2)) + 1; // odd: the outermost rows are not shifted
  const columns = Math.max(2, Math.round(vertices / rows - 0.5));
  const positions: number[] = [];
  const uvs: number[] = [];
  const starts: number[] = []; // first vertex of each row
  for (let r = 0; r < rows; r++) {
    starts.push(uvs.length / 2);
    const shifted = r % 2;
    for (let c = 0; c < columns + shifted; c++) {
      const s = Math.min(1, Math.max(0, (c - shifted / 2) / (columns - 1)));
      const t = r / (rows - 1);
      for (let d = 0; d < 3; d++) positions.push(corner[d] + s * u[d] + t * v[d]);
      uvs.push(s, t);
    }
  }
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    const [a, b] = [starts[r], starts[r + 1]];
    for (let c = 0; c < columns; c++) {
      // The even row of the two has `columns` vertices, the odd one has one more and starts half an edge further left.
      if (r % 2 === 0) {
        triangles.push(a + c, b + c + 1, b + c);
        if (c + 1 < columns) triangles.push(a + c, a + c + 1, b + c + 1);
      } else {
        triangles.push(a + c, a + c + 1, b + c);
        if (c + 1 < columns) triangles.push(a + c + 1, b + c + 1, b + c);
      }
    }
  }
  return finished({
    name,
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
    uvs: Float32Array.from(uvs),
  });
}

/**
 * A sphere with about `vertices` vertices: each face of an icosahedron is cut into n² triangles and blown up, which
 * gives 10n² + 2 vertices and nearly even triangles.
 */
export function geodesicSphere(name: string, vertices: number, center: Vector, radius: number): Mesh {
  const n = Math.max(1, Math.round(Math.sqrt((vertices - 2) / 10)));
  const indexOf = new Map<string, number>();
  const positions: number[] = [];
  /** The vertex at weights (wa, wb, wc), sum n, of corners a, b, c. Edges are shared: their weights name them. */
  const vertexAt = (corners: readonly number[], weights: readonly number[]): number => {
    // In the order of the corners' numbers, so that both faces at an edge find the same point.
    const sorted = corners.map((corner, c) => [corner, weights[c]]).sort((s, t) => s[0] - t[0]);
    const key = sorted.filter(([, weight]) => weight > 0).join(' ');
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    const p = [0, 0, 0];
    for (const [corner, weight] of sorted) for (let d = 0; d < 3; d++) p[d] += weight * ICOSAHEDRON[corner][d];
    const scale = radius / length3(p);
    for (let d = 0; d < 3; d++) positions.push(center[d] + scale * p[d]);
    indexOf.set(key, positions.length / 3 - 1);
    return positions.length / 3 - 1;
  };

  const triangles: number[] = [];
  for (const face of ICOSAHEDRON_FACES) {
    const at = (r: number, c: number) => vertexAt(face, [n - r, r - c, c]);
    for (let r = 0; r < n; r++) {
      for (let c = 0; c <= r; c++) {
        triangles.push(at(r, c), at(r + 1, c), at(r + 1, c + 1));
        if (c < r) triangles.push(at(r, c), at(r + 1, c + 1), at(r, c + 1));
      }
    }
  }
  const mesh = { name, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  return finished(wrapUvs(mesh, center[0], center[2]));
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const ICOSAHEDRON: readonly Vector[] = [
  [-1, GOLDEN, 0],
  [1, GOLDEN, 0],
  [-1, -GOLDEN, 0],
  [1, -GOLDEN, 0],
  [0, -1, GOLDEN],
  [0, 1, GOLDEN],
  [0, -1, -GOLDEN],
  [0, 1, -GOLDEN],
  [GOLDEN, 0, -1],
  [GOLDEN, 0, 1],
  [-GOLDEN, 0, -1],
  [-GOLDEN, 0, 1],
];
const ICOSAHEDRON_FACES: readonly Vector[] = [
  [0, 11, 5],
  [0, 5, 1],
  [0, 1, 7],
  [0, 7, 10],
  [0, 10, 11],
  [1, 5, 9],
  [5, 11, 4],
  [11, 10, 2],
  [10, 7, 6],
  [7, 1, 8],
  [3, 9, 4],
  [3, 4, 2],
  [3, 2, 6],
  [3, 6, 8],
  [3, 8, 9],
  [4, 9, 5],
  [2, 4, 11],
  [6, 2, 10],
  [8, 6, 7],
  [9, 8, 1],
];
