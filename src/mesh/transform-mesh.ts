import { cofactors34, determinant34, transformPoint34 } from '../math/matrix34.ts';
import type { Numbers } from '../math/quaternion.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';

/**
 * The mesh moved by a 3 × 4 matrix. Tangents follow; normals go by the cofactor matrix, which is the inverse transpose up to length and
 * exists for flattening matrices too; a mirroring matrix turns the triangles around, so that outside stays outside.
 */
export function transformMesh(mesh: Mesh, m: Numbers): Mesh {
  const positions = new Float32Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) transformPoint34(positions, i, m, 0, mesh.positions, i);
  const out: Mesh = { ...mesh, positions };

  const mirror = determinant34(m) < 0;
  if (mesh.normals) out.normals = transformNormals(mesh.normals, m, mirror ? -1 : 1);
  const tangents = mesh.attributes?.TANGENT;
  if (tangents) out.attributes = { ...mesh.attributes, TANGENT: transformTangents(tangents, m, mirror ? -1 : 1) };
  if (mirror) {
    out.triangles = turnedAround(mesh.triangles);
    if (mesh.seams) out.seams = { ...mesh.seams, triangles: turnedAround(mesh.seams.triangles) };
  }
  return out;
}

/** N displacements, the first three of `stride` numbers each, turned and scaled by the linear part of a 3 × 4 matrix. */
export function transformVectors(vectors: Float32Array, m: Numbers, stride = 3): Float32Array {
  const out = new Float32Array(vectors.length);
  for (let i = 0; i < out.length; i += stride) {
    const x = vectors[i];
    const y = vectors[i + 1];
    const z = vectors[i + 2];
    out[i] = m[0] * x + m[1] * y + m[2] * z;
    out[i + 1] = m[4] * x + m[5] * y + m[6] * z;
    out[i + 2] = m[8] * x + m[9] * y + m[10] * z;
  }
  return out;
}

function transformNormals(normals: Float32Array, m: Numbers, sign: number): Float32Array {
  const cofactors = new Float64Array(9);
  cofactors34(cofactors, m, 0);
  const out = new Float32Array(normals.length);
  for (let i = 0; i < normals.length; i += 3) {
    const x = normals[i];
    const y = normals[i + 1];
    const z = normals[i + 2];
    const nx = cofactors[0] * x + cofactors[1] * y + cofactors[2] * z;
    const ny = cofactors[3] * x + cofactors[4] * y + cofactors[5] * z;
    const nz = cofactors[6] * x + cofactors[7] * y + cofactors[8] * z;
    const length = Math.hypot(nx, ny, nz);
    const scale = length > 0 ? sign / length : 0;
    out[i] = nx * scale;
    out[i + 1] = ny * scale;
    out[i + 2] = nz * scale;
  }
  return out;
}

/** Directions x y z go with the surface; w, the side of the bitangent, changes when it is mirrored. */
function transformTangents({ size, values }: VertexAttribute, m: Numbers, sign: number): VertexAttribute {
  const directions = transformVectors(Float32Array.from(values), m, size);
  for (let i = 0; i < directions.length; i += size) {
    const length = Math.hypot(directions[i], directions[i + 1], directions[i + 2]) || 1;
    for (let c = i; c < i + 3; c++) directions[c] /= length;
    if (size > 3) directions[i + 3] = values[i + 3] < 0 ? -sign : sign;
  }
  return { size, values: directions };
}

/** The same triangles seen from the other side. */
export function turnedAround(triangles: Uint32Array): Uint32Array {
  const out = triangles.slice();
  for (let t = 0; t < out.length; t += 3) {
    out[t + 1] = triangles[t + 2];
    out[t + 2] = triangles[t + 1];
  }
  return out;
}
