import type { GLTF, Mesh as GltfMesh, Material, TypedArray } from '@gltf-transform/core';
import { expandToSplit } from '../../mesh/seams.ts';
import { flippedUvs } from '../../mesh/texture-uvs.ts';
import { type Mesh, splitVertexCount, triangleCount } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import type { GlbDocument } from './document.ts';
import { filteredUvs, roundedUvs } from './filters.ts';
import { FILTERED } from './json.ts';
import { type Lattice, latticePositions, normalsAsBytes } from './lattice.ts';
import type { GlbOptions } from './options.ts';
import { inStoredOrder, type StoredOrder } from './order.ts';

/** A column of vertex data beyond the mesh's own: W elements. */
export interface ExtraAttribute {
  semantic: string;
  type: GLTF.AccessorType;
  array: TypedArray;
  normalized?: boolean;
  /** Whether the numbers are words of the filter EXPONENTIAL: see filters.ts. */
  filtered?: boolean;
}

const COMPONENTS: Record<GLTF.AccessorType, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** N·stride numbers per vertex → per split vertex of the mesh. */
export function perSplitVertex<T extends Float32Array | Int16Array | Uint8Array | Uint16Array>(
  values: T,
  stride: number,
  mesh: Mesh,
): T {
  return mesh.seams ? expandToSplit(values, stride, mesh.seams) : values;
}

/** What a vertex without a normal gets, since glTF has no missing normals. */
const NO_NORMAL = [0, 0, 1];

/** How a mesh is stored. With a lattice, what shows the mesh has to take its positions back from there. */
export interface Storage {
  order: StoredOrder;
  lattice?: Lattice;
}

/**
 * Adds the geometry: one primitive per group, all over the same vertices. The mesh is in glTF's space.
 */
export function addMesh(
  glb: GlbDocument,
  mesh: Mesh,
  name: string,
  extra: readonly ExtraAttribute[],
  { order, lattice }: Storage,
): GltfMesh {
  const { document, options } = glb;
  const positions = lattice ? latticePositions(lattice, mesh.positions) : mesh.positions;
  const columns: ExtraAttribute[] = [
    { semantic: 'POSITION', type: 'VEC3', array: perSplitVertex(positions, 3, mesh) as TypedArray },
  ];
  if (mesh.normals && options.normals) {
    const normals = unitNormals(mesh.normals, glb, name);
    const array = options.quantize ? normalsAsBytes(normals) : normals;
    columns.push({ semantic: 'NORMAL', type: 'VEC3', array, normalized: options.quantize });
  }
  if (mesh.uvs && options.uvs) columns.push(uvColumn('TEXCOORD_0', flippedUvs(mesh.uvs), options));
  columns.push(...furtherColumns(mesh, options));
  const accessors = [...columns, ...extra].map(({ semantic, type, array, normalized, filtered }) => ({
    semantic,
    accessor: glb
      .accessor(type, inStoredOrder(array, COMPONENTS[type], order), normalized)
      .setName(filtered ? FILTERED : ''),
  }));

  const out = document.createMesh(name);
  // The largest index of a kind restarts a strip and may not be used: 65535 vertices fit in 16 bits, no more.
  const Index = splitVertexCount(mesh) <= 65535 ? Uint16Array : Uint32Array;
  const groups = mesh.groups ?? [{ name: '', start: 0, count: triangleCount(mesh), material: undefined }];
  let plain: Material | undefined;
  for (const [g, group] of groups.entries()) {
    if (group.count === 0) continue;
    const indices = Index.from(order.corners[g]);
    const primitive = document.createPrimitive().setIndices(glb.accessor('SCALAR', indices));
    for (const { semantic, accessor } of accessors) primitive.setAttribute(semantic, accessor);
    const material = group.material === undefined ? undefined : mesh.materials![group.material];
    if (options.materials)
      primitive.setMaterial(material ? glb.materials.add(material) : (plain ??= glb.plainMaterial(mesh)));
    if (options.names && group.name && group.name !== material?.name) {
      primitive.setExtras({ pliant: { group: group.name } });
    }
    out.addPrimitive(primitive);
  }
  return out;
}

/** Uvs with v down. */
function uvColumn(semantic: string, uvs: Float32Array, { quantize, compress }: GlbOptions): ExtraAttribute {
  const rounded = quantize ? roundedUvs(uvs) : undefined;
  const filtered = rounded !== undefined && compress === 'meshopt';
  const array = filtered ? filteredUvs(rounded) : (rounded ?? (uvs as TypedArray));
  return { semantic, type: 'VEC2', array, filtered };
}

/** The mesh's further attributes, as far as the options want them. What is stored as integers stays so. */
function furtherColumns(mesh: Mesh, options: GlbOptions): ExtraAttribute[] {
  const wanted = (semantic: string): boolean =>
    semantic.startsWith('TEXCOORD_')
      ? options.uvs
      : semantic.startsWith('COLOR_')
        ? options.materials
        : semantic !== 'TANGENT' || (options.normals && mesh.normals !== undefined);
  return Object.entries(mesh.attributes ?? {})
    .filter(([semantic]) => wanted(semantic))
    .map(([semantic, { size, values, normalized }]): ExtraAttribute => {
      const type = (['SCALAR', 'VEC2', 'VEC3', 'VEC4'] as const)[size - 1];
      const array = values as TypedArray;
      const plain = { semantic, type, array, normalized };
      if (!(array instanceof Float32Array) || !options.quantize) return plain;
      if (semantic.startsWith('TEXCOORD_')) return uvColumn(semantic, array, options);
      if (semantic === 'TANGENT') return { ...plain, array: normalsAsBytes(array), normalized: true };
      const isColour = semantic.startsWith('COLOR_') && array.every((x) => x >= 0 && x <= 1);
      return isColour
        ? { ...plain, array: Uint8Array.from(array, (x) => Math.round(255 * x)), normalized: true }
        : plain;
    });
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
  if (missing > 0) glb.note(note('normals-replaced', { count: missing }, name));
  return out;
}
