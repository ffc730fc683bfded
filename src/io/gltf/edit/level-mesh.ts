import type { GLTF } from '@gltf-transform/core';
import { invert34, MATRIX_STRIDE } from '../../../math/matrix34.ts';
import { gatherRows } from '../../../math/rows.ts';
import { vertexNormals } from '../../../mesh/normals.ts';
import { flippedUvs } from '../../../mesh/texture-uvs.ts';
import { transformMesh, transformVectors } from '../../../mesh/transform-mesh.ts';
import type { Mesh } from '../../../model/mesh.ts';
import type { Note } from '../../../model/note.ts';
import type { Morph, SkinWeights } from '../../../model/skinned-model.ts';
import { type ExtraAttribute, perSplitVertex } from '../../glb/mesh.ts';
import type { ModelGlbOptions } from '../../glb/options.ts';
import { influenceColumns } from '../../glb/skin.ts';
import { isSurface, pliantExtras } from '../mesh.ts';
import { ARRAY_BUFFER, type GltfEditor, type Stored } from './editor.ts';

/**
 * Another surface in the place of a mesh of the file: the same primitives, materials, attributes and morph targets, each kind
 * of number as the file stores it.
 */

/** What stands in for the surface of a mesh node. */
export interface NewSurface {
  /** As it stands in the scene; groups as they were read, one per primitive with triangles. */
  mesh: Mesh;
  /** Of bones of the model. */
  weights?: SkinWeights;
  morphs?: readonly Morph[];
  /** N, for the operator `mix`. */
  mixWeights?: Float32Array;
}

/** The mesh node that it is for, and how the file's numbers relate to the scene's. */
export interface SurfaceNode {
  node: number;
  /** 12: stored → scene; absent: as stored. */
  place?: Float64Array;
  /** B: bone → node, of a model with a skin. */
  bones?: Int32Array;
}

const ELEMENT_ARRAY_BUFFER = 34963;
const TYPES = ['SCALAR', 'VEC2', 'VEC3', 'VEC4'] as const;

/** Component type → the array that holds it, and the largest number where it stands for 1. */
const KINDS = {
  5120: [Int8Array, 127, -127],
  5121: [Uint8Array, 255, 0],
  5122: [Int16Array, 32767, -32767],
  5123: [Uint16Array, 65535, 0],
} as const;

/** The definition of a mesh with the surface instead of the one that `node` has. Adds its accessors to the file. */
export function meshWithSurface(
  editor: GltfEditor,
  at: SurfaceNode,
  surface: NewSurface,
  options: ModelGlbOptions,
  addNote: (added: Note) => void,
): GLTF.IMesh {
  const { nodes = [], meshes = [] } = editor.json;
  const node = nodes[at.node];
  const definition = meshes[node.mesh!];
  const given = definition.primitives.filter(isSurface);
  const { mesh, targets } = asStored(surface, at, node, definition);

  // (1) Columns of all W split vertices.
  const columns = [...meshColumns(mesh), ...skinColumns(editor, at, { ...surface, mesh }, given, options, addNote)];
  if (surface.mixWeights) {
    const array = perSplitVertex(surface.mixWeights, 1, mesh) as ExtraAttribute['array'];
    columns.push({ semantic: '_MIX', type: 'SCALAR', array });
  }
  const hasNormals = given.some((primitive) => primitive.targets?.some(({ NORMAL }) => NORMAL !== undefined));
  const morphs = morphColumns(mesh, targets, hasNormals);

  // (2) A primitive per group, with the vertices that it uses; what is no surface stays.
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  let g = 0;
  const primitives = definition.primitives.flatMap((primitive): GLTF.IMeshPrimitive[] => {
    if (!isSurface(primitive)) return [primitive];
    const { start, count } = mesh.groups![g++];
    if (count === 0) return [];
    const { vertices, indices } = compacted(corners.subarray(3 * start, 3 * (start + count)));
    const store = (list: readonly ExtraAttribute[], like: Record<string, number>): Record<string, number> => {
      const known = list.filter(({ semantic }) => like[semantic] !== undefined);
      return Object.fromEntries(
        known.map((column) => [
          column.semantic,
          storeColumn(editor, column, vertices, editor.json.accessors![like[column.semantic]]),
        ]),
      );
    };
    const { KHR_draco_mesh_compression: _, ...extensions } = primitive.extensions ?? {};
    const { targets: given, mode: _mode, extensions: _extensions, ...others } = primitive;
    return [
      {
        ...others,
        attributes: store(columns, primitive.attributes),
        indices: editor.accessor('SCALAR', indices, { target: ELEMENT_ARRAY_BUFFER }),
        ...(given && { targets: given.map((target, m) => store(morphs[m] ?? [], target)) }),
        ...(Object.keys(extensions).length > 0 && { extensions }),
      },
    ];
  });
  return { ...definition, primitives };
}

/** The vertices of some corners in the order of their first use, and the corners by their place in it. */
function compacted(corners: Uint32Array): { vertices: Uint32Array; indices: Uint16Array | Uint32Array } {
  const placeOf = new Map<number, number>();
  for (const w of corners) if (!placeOf.has(w)) placeOf.set(w, placeOf.size);
  // The largest index of a kind restarts a strip and may not be used.
  const Index = placeOf.size <= 65535 ? Uint16Array : Uint32Array;
  const indices = new Index(corners.length);
  for (let c = 0; c < corners.length; c++) indices[c] = placeOf.get(corners[c])!;
  return { vertices: Uint32Array.from(placeOf.keys()), indices };
}

/** An accessor with the rows of some vertices, as `like` keeps its own. */
function storeColumn(
  editor: GltfEditor,
  { semantic, type, array, normalized }: ExtraAttribute,
  vertices: Uint32Array,
  like: GLTF.IAccessor,
): number {
  const rows = gatherRows(array as Float32Array, 1 + TYPES.indexOf(type as (typeof TYPES)[number]), vertices);
  const isFree = rows instanceof Float32Array && !/^(JOINTS|WEIGHTS)_/.test(semantic);
  const kept = isFree ? storedLike(rows, like) : { array: rows, normalized };
  const more = { normalized: kept.normalized, bounds: semantic === 'POSITION', target: ARRAY_BUFFER };
  return editor.accessor(type, kept.array as Stored, more);
}

/** Per morph the columns of its displacements, and of its normals' changes where the file has such. */
function morphColumns(mesh: Mesh, targets: readonly Float32Array[], hasNormals: boolean): ExtraAttribute[][] {
  const rest = hasNormals && targets.length > 0 ? vertexNormals(mesh) : undefined;
  return targets.map((offsets) => {
    const column = (semantic: string, array: Float32Array): ExtraAttribute => ({
      ...{ semantic, type: 'VEC3' },
      array: array as ExtraAttribute['array'],
    });
    const positions = column('POSITION', perSplitVertex(offsets, 3, mesh));
    if (!rest) return [positions];
    const moved = vertexNormals(
      mesh,
      Float32Array.from(mesh.positions, (x, c) => x + offsets[c]),
    );
    return [
      positions,
      column(
        'NORMAL',
        moved.map((x, c) => x - rest[c]),
      ),
    ];
  });
}

/** The surface in the space of the file, and its M morph targets of 3N. The rest pose has the node's morph weights in it. */
function asStored(
  { mesh, morphs = [] }: NewSurface,
  { place }: SurfaceNode,
  node: GLTF.INode,
  definition: GLTF.IMesh,
): { mesh: Mesh; targets: Float32Array[] } {
  const undo = new Float64Array(MATRIX_STRIDE);
  const isMoved = place !== undefined && invert34(undo, 0, place, 0);
  const own = isMoved ? transformMesh(mesh, undo) : mesh;
  const scales = pliantExtras(definition.extras)?.morphScales;
  const targets = morphs.map(({ positions }, m) => {
    const scale = Array.isArray(scales) ? Number(scales[m] ?? 1) : 1;
    const moved = isMoved ? transformVectors(positions, undo) : positions;
    return scale === 1 ? moved : moved.map((x) => x * scale);
  });
  const weights = node.weights ?? definition.weights ?? [];
  if (targets.every((_, m) => !weights[m])) return { mesh: own, targets };
  const base = Float64Array.from(own.positions);
  for (const [m, target] of targets.entries()) {
    for (let c = 0; c < base.length; c++) base[c] -= (weights[m] ?? 0) * target[c];
  }
  return { mesh: { ...own, positions: Float32Array.from(base) }, targets };
}

function meshColumns(mesh: Mesh): ExtraAttribute[] {
  const { positions, normals, uvs, attributes = {} } = mesh;
  const column = (semantic: string, size: number, array: Float32Array): ExtraAttribute => ({
    ...{ semantic, type: TYPES[size - 1] },
    array: array as ExtraAttribute['array'],
  });
  return [
    column('POSITION', 3, perSplitVertex(positions, 3, mesh)),
    ...(normals ? [column('NORMAL', 3, normals)] : []),
    ...(uvs ? [column('TEXCOORD_0', 2, flippedUvs(uvs))] : []),
    ...Object.entries(attributes).map(([semantic, { size, values, normalized }]) => ({
      ...{ semantic, type: TYPES[size - 1], normalized },
      array: values as ExtraAttribute['array'],
    })),
  ];
}

/** JOINTS_n and WEIGHTS_n, none for a mesh that only follows its node. */
function skinColumns(
  { json }: GltfEditor,
  { node, bones }: SurfaceNode,
  { mesh, weights }: NewSurface,
  given: readonly GLTF.IMeshPrimitive[],
  options: ModelGlbOptions,
  addNote: (added: Note) => void,
): ExtraAttribute[] {
  const { skin, name = '' } = json.nodes![node];
  if (skin === undefined || !weights || !bones) return [];
  const { joints } = json.skins![skin];
  const jointOf = Array.from(bones, (bone) => joints.indexOf(bone));
  const inSkin = weights.joints.map((bone, s) => (weights.weights[s] > 0 ? jointOf[bone] : 0));
  const like = json.accessors![given[0].attributes.WEIGHTS_0];
  const kind = like.componentType === 5121 ? 'u8' : options.weights;
  const most = 1 + inSkin.reduce((a, b) => Math.max(a, b), 0);
  return influenceColumns(
    { name, mesh, weights: { ...weights, joints: inSkin } },
    { ...options, weights: kind },
    most,
    addNote,
  );
}

/** Numbers as an accessor of the file keeps its own: whole ones rounded, of fractions of the largest where normalized. */
function storedLike(
  values: Float32Array,
  { componentType, normalized }: GLTF.IAccessor,
): { array: Stored; normalized?: boolean } {
  const kind = KINDS[componentType as keyof typeof KINDS];
  if (!kind) return { array: values };
  const [Kind, one, least] = kind;
  const scale = normalized ? one : 1;
  const array = new Kind(values.length);
  for (let c = 0; c < array.length; c++) array[c] = Math.min(one, Math.max(least, Math.round(values[c] * scale)));
  return { array, normalized };
}
