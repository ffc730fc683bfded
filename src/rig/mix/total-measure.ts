import { surfaceArea } from '../../measure/area.ts';
import { edgeBalances, meshEdges } from '../../mesh/adjacency.ts';
import { signedFaceArea } from '../../mesh/triangle.ts';
import type { Mesh } from '../../model/mesh.ts';

/**
 * What a deformed mesh should keep as a whole: the signed area of a flat mesh that stays in its plane, or the volume that
 * a surface bounds. Both are polynomials of the positions; `gradient` writes their derivatives.
 */
export interface TotalMeasure {
  kind: 'area' | 'volume';
  /** Of positions (3N) in a pose with the faces' normals (3F or 3). */
  measure(points: Float64Array, normals: Float32Array): number;
  /** out (3N) = the derivative of the measure by the positions. */
  gradient(out: Float64Array, points: Float64Array, normals: Float32Array): void;
}

/** Σ ½·n·(b − a) × (c − a) over all faces. */
export function totalArea({ triangles }: Mesh): TotalMeasure {
  return {
    kind: 'area',
    measure(points, normals) {
      const stride = normals.length === 3 ? 0 : 3;
      let sum = 0;
      for (let f = 0; 3 * f < triangles.length; f++)
        sum += signedFaceArea(points, triangles, 3 * f, normals, stride * f);
      return sum;
    },
    gradient(out, points, normals) {
      const stride = normals.length === 3 ? 0 : 3;
      out.fill(0);
      for (let f = 0; 3 * f < triangles.length; f++) {
        const n = stride * f;
        for (let corner = 0; corner < 3; corner++) {
          const a = 3 * triangles[3 * f + corner];
          const b = 3 * triangles[3 * f + ((corner + 1) % 3)];
          const c = 3 * triangles[3 * f + ((corner + 2) % 3)];
          const [x, y, z] = [points[b] - points[c], points[b + 1] - points[c + 1], points[b + 2] - points[c + 2]];
          // ½·(b − c) × n
          out[a] += (y * normals[n + 2] - z * normals[n + 1]) / 2;
          out[a + 1] += (z * normals[n] - x * normals[n + 2]) / 2;
          out[a + 2] += (x * normals[n + 1] - y * normals[n]) / 2;
        }
      }
    },
  };
}

/** Volume after closing, and what had to be closed. */
export interface CappedVolume extends TotalMeasure {
  kind: 'volume';
  /** The vertices around each hole, once each. It is closed by a cone to their mean, which moves as they do. */
  caps: readonly Uint32Array[];
  /** Area of the caps in the rest pose over that of the surface. */
  capShare: number;
}

/**
 * Σ det(a, b, c)/6 over the faces, and over cones that close the holes. A hole is a connected piece of the boundary as
 * algebra sees it: edges that their faces do not run along equally often in both directions. So it does not matter how
 * many faces meet at an edge, and the volume does not depend on the origin whatever the mesh is.
 */
export function totalVolume(mesh: Mesh): CappedVolume {
  const n = mesh.positions.length / 3;
  const { caps, triangles: cones } = capsOf(mesh);
  const triangles = new Uint32Array(mesh.triangles.length + cones.length);
  triangles.set(mesh.triangles);
  triangles.set(cones, mesh.triangles.length);
  // Positions of the N vertices and of the middles of the caps, relative to vertex 0.
  const all = new Float64Array(3 * (n + caps.length));
  const slopes = new Float64Array(all.length);

  const place = (points: Float64Array): void => {
    for (let c = 0; c < 3 * n; c++) all[c] = points[c] - points[c % 3];
    caps.forEach((vertices, h) => {
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (const i of vertices) sum += all[3 * i + axis];
        all[3 * (n + h) + axis] = sum / vertices.length;
      }
    });
  };
  place(Float64Array.from(mesh.positions));
  const capShare = surfaceArea(all, cones) / (surfaceArea(all, mesh.triangles) || 1);

  return {
    kind: 'volume',
    caps,
    capShare,
    measure(points) {
      place(points);
      let sum = 0;
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        sum +=
          all[a] * (all[b + 1] * all[c + 2] - all[b + 2] * all[c + 1]) +
          all[a + 1] * (all[b + 2] * all[c] - all[b] * all[c + 2]) +
          all[a + 2] * (all[b] * all[c + 1] - all[b + 1] * all[c]);
      }
      return sum / 6;
    },
    gradient(out, points) {
      place(points);
      slopes.fill(0);
      for (let t = 0; t < triangles.length; t += 3) {
        for (let corner = 0; corner < 3; corner++) {
          const a = 3 * triangles[t + corner];
          const b = 3 * triangles[t + ((corner + 1) % 3)];
          const c = 3 * triangles[t + ((corner + 2) % 3)];
          // b × c / 6
          slopes[a] += (all[b + 1] * all[c + 2] - all[b + 2] * all[c + 1]) / 6;
          slopes[a + 1] += (all[b + 2] * all[c] - all[b] * all[c + 2]) / 6;
          slopes[a + 2] += (all[b] * all[c + 1] - all[b + 1] * all[c]) / 6;
        }
      }
      caps.forEach((vertices, h) => {
        for (const i of vertices) {
          for (let axis = 0; axis < 3; axis++) slopes[3 * i + axis] += slopes[3 * (n + h) + axis] / vertices.length;
        }
      });
      out.set(slopes.subarray(0, 3 * n));
    },
  };
}

/** The holes of a mesh, and 3 × (edges around them) corners of the cones that close them; hole h has vertex N + h. */
function capsOf({ positions, triangles }: Mesh): { caps: Uint32Array[]; triangles: Uint32Array } {
  const n = positions.length / 3;
  const edges = meshEdges(triangles, n);
  // Directed boundary edges, as often as they are missing.
  const from: number[] = [];
  const to: number[] = [];
  edgeBalances(triangles, edges).forEach((balance, e) => {
    const ends = edges.vertices.subarray(2 * e, 2 * e + 2);
    for (let q = 0; q < Math.abs(balance); q++) {
      from.push(ends[balance > 0 ? 0 : 1]);
      to.push(ends[balance > 0 ? 1 : 0]);
    }
  });

  const holeOf = new Map<number, number>();
  const holes: Set<number>[] = [];
  for (let q = 0; q < from.length; q++) {
    const [a, b] = [holeOf.get(from[q]), holeOf.get(to[q])];
    const hole = a ?? b ?? holes.push(new Set()) - 1;
    for (const i of [from[q], to[q]]) {
      holes[hole].add(i);
      holeOf.set(i, hole);
    }
    if (a === undefined || b === undefined || a === b) continue;
    for (const i of holes[b]) {
      holes[a].add(i);
      holeOf.set(i, a);
    }
    holes[b].clear();
  }
  const kept = holes.filter((hole) => hole.size > 0);
  const number = new Map(kept.map((hole, h) => [hole, h]));
  // The cone runs along each edge the other way than the surface does.
  const cones = from.flatMap((a, q) => [to[q], a, n + number.get(holes[holeOf.get(a)!])!]);
  return { caps: kept.map((hole) => Uint32Array.from(hole).sort()), triangles: Uint32Array.from(cones) };
}
