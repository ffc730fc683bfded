import { type Mesh, vertexCount } from '../model/mesh.ts';
import { boundsOf } from './bounds.ts';

/**
 * Cylindrical texture coordinates of a closed or tubular mesh without seams: u runs once around the y axis through
 * (`x`, `z`), v from the lowest point to the highest. Triangles across the line u = 1 get their own split vertices with
 * u beyond 1, so that a repeating texture runs through without a smear.
 */
export function wrapUvs(mesh: Mesh, x = 0, z = 0): Mesh {
  const { positions, triangles } = mesh;
  const n = vertexCount(mesh);
  const { min, max } = boundsOf(positions);
  const height = max[1] - min[1] || 1;
  const uvs: number[] = [];
  for (let i = 0; i < n; i++) {
    const angle = Math.atan2(positions[3 * i] - x, positions[3 * i + 2] - z) / (2 * Math.PI);
    uvs.push(angle < 0 ? angle + 1 : angle, (positions[3 * i + 1] - min[1]) / height);
  }

  const vertexOf = Array.from({ length: n }, (_, i) => i);
  const beyond = new Map<number, number>(); // vertex → its split vertex at u + 1
  const corners = triangles.slice();
  for (let t = 0; t < triangles.length; t += 3) {
    const us = [0, 1, 2].map((c) => uvs[2 * triangles[t + c]]);
    if (Math.max(...us) - Math.min(...us) <= 0.5) continue;
    for (let c = 0; c < 3; c++) {
      if (us[c] >= 0.5) continue;
      const i = triangles[t + c];
      let split = beyond.get(i);
      if (split === undefined) {
        split = vertexOf.length;
        beyond.set(i, split);
        vertexOf.push(i);
        uvs.push(us[c] + 1, uvs[2 * i + 1]);
      }
      corners[t + c] = split;
    }
  }
  return {
    ...mesh,
    uvs: Float32Array.from(uvs),
    ...(beyond.size > 0 && { seams: { vertexOf: Uint32Array.from(vertexOf), triangles: corners } }),
  };
}
