import type { GLTF, Mesh as GltfMesh, TypedArray } from '@gltf-transform/core';
import { expandToSplit } from '../mesh/seams.ts';
import { type Mesh, splitVertexCount, triangleCount } from '../model/mesh.ts';
import type { GlbDocument } from './glb-document.ts';

/** A column of vertex data beyond the mesh's own: W elements. */
export interface ExtraAttribute {
  semantic: string;
  type: GLTF.AccessorType;
  array: TypedArray;
  normalized?: boolean;
}

/** N·stride numbers per vertex → per split vertex of the mesh. */
export function perSplitVertex<T extends Float32Array | Uint8Array | Uint16Array>(
  values: T,
  stride: number,
  mesh: Mesh,
): T {
  return mesh.seams ? expandToSplit(values, stride, mesh.seams) : values;
}

/** What a vertex without a normal gets, since glTF has no missing normals. */
const NO_NORMAL = [0, 0, 1];

/**
 * Adds the geometry: one primitive per group, all over the same vertices. The mesh is in glTF's space.
 */
export function addMesh(glb: GlbDocument, mesh: Mesh, name: string, extra: readonly ExtraAttribute[]): GltfMesh {
  const { document, options } = glb;
  const columns: ExtraAttribute[] = [
    { semantic: 'POSITION', type: 'VEC3', array: perSplitVertex(mesh.positions, 3, mesh) as TypedArray },
  ];
  if (mesh.normals && options.normals) {
    columns.push({ semantic: 'NORMAL', type: 'VEC3', array: unitNormals(mesh.normals, glb, name) });
  }
  if (mesh.uvs && options.uvs) columns.push({ semantic: 'TEXCOORD_0', type: 'VEC2', array: flippedUvs(mesh.uvs) });
  const accessors = [...columns, ...extra].map(({ semantic, type, array, normalized }) => ({
    semantic,
    accessor: glb.accessor(type, array, normalized),
  }));

  const out = document.createMesh(name);
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  // The largest index of a kind restarts a strip and may not be used: 65535 vertices fit in 16 bits, no more.
  const Index = splitVertexCount(mesh) <= 65535 ? Uint16Array : Uint32Array;
  const groups = mesh.groups ?? [{ name: '', start: 0, count: triangleCount(mesh), material: undefined }];
  for (const group of groups) {
    if (group.count === 0) continue;
    const indices = Index.from(corners.subarray(3 * group.start, 3 * (group.start + group.count)));
    const primitive = document.createPrimitive().setIndices(glb.accessor('SCALAR', indices));
    for (const { semantic, accessor } of accessors) primitive.setAttribute(semantic, accessor);
    const material = group.material === undefined ? undefined : mesh.materials![group.material];
    if (material && options.materials) primitive.setMaterial(glb.material(material));
    if (options.names && group.name && group.name !== material?.name) {
      primitive.setExtras({ pliant: { group: group.name } });
    }
    out.addPrimitive(primitive);
  }
  return out;
}

/** glTF has v down. */
function flippedUvs(uvs: Float32Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(uvs);
  for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
  return out;
}

function unitNormals(normals: Float32Array, glb: GlbDocument, name: string): Float32Array<ArrayBuffer> {
  const out = new Float32Array(normals);
  let missing = 0;
  for (let i = 0; i < out.length; i += 3) {
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]);
    if (length > 0) for (let c = i; c < i + 3; c++) out[c] /= length;
    else {
      out.set(NO_NORMAL, i);
      missing++;
    }
  }
  if (missing > 0) glb.note(`${name}: ${missing} normals had no length and were written as +z.`);
  return out;
}
