import { PliantError } from '../error.ts';
import type { Bytes } from './bytes.ts';

/** How a file's coordinates are to be read. Kept from reader to writer. */
export interface Space {
  up: 'x' | 'y' | 'z';
  /** Length of one unit in metres. */
  metresPerUnit: number;
}

/** A picture, kept as its encoded bytes. Those of a large glTF file stay in it: `readBytes(image.bytes)` has them. */
export interface Image {
  name?: string;
  mimeType: string;
  bytes: Bytes;
}

/** An object of a glTF file's JSON. */
export type GltfObject = Record<string, unknown>;

/** A material as glTF 2.0 defines it, with everything that it refers to. */
export interface MaterialDefinition {
  /** An entry of glTF's `materials`. The index of a texture is a place in `textures`. */
  material: GltfObject;
  /** Entries of glTF's `textures`. Sampler and source, also in extensions, are places in `samplers` and `images`. */
  textures: GltfObject[];
  samplers: GltfObject[];
  images: Image[];
}

/** What every view and format can make use of; `gltf` has the rest. */
export interface Material {
  name: string;
  /** Linear RGBA in 0…1. */
  baseColor: readonly [number, number, number, number];
  metallic: number;
  roughness: number;
  doubleSided: boolean;
  alphaMode?: 'OPAQUE' | 'MASK' | 'BLEND';
  baseColorTexture?: Image;
  /** All that is known, where it is more than the above; what was changed above since then counts. */
  gltf?: MaterialDefinition;
}

/** Further data of the split vertices, stored as in a glTF file. */
export interface VertexAttribute {
  /** Numbers per split vertex: 1 to 4. */
  size: number;
  /** size·W. */
  values: Float32Array | Uint8Array | Uint16Array | Int8Array | Int16Array;
  /** Whether integers stand for 0…1, or −1…1. */
  normalized?: boolean;
}

/** A run of triangles with a name and a material. Groups are disjoint, in order, and cover all triangles. */
export interface MeshGroup {
  name: string;
  /** First triangle (not index) of the group. */
  start: number;
  /** Number of triangles. */
  count: number;
  /** Index into `Mesh.materials`. */
  material?: number;
}

/**
 * Renderers want one vertex per distinct (position, uv, normal); analysis wants one vertex per point of the surface.
 * A mesh with seams keeps both: N vertices, and W ≥ N split vertices that attributes and renderers use.
 */
export interface Seams {
  /** W: split vertex → the vertex it belongs to. */
  vertexOf: Uint32Array;
  /** 3F: the triangles by split vertex; `vertexOf[seams.triangles[c]] === mesh.triangles[c]` for every corner c. */
  triangles: Uint32Array;
}

/** A triangle mesh. Without `seams`, W = N. */
export interface Mesh {
  name?: string;
  /** 3N. */
  positions: Float32Array;
  /** 3F indices into the N vertices. */
  triangles: Uint32Array;
  /** 3W unit normals. */
  normals?: Float32Array;
  /** 2W, origin at the lower left (v up, as OBJ and COLLADA; the glTF reader and writer flip). */
  uvs?: Float32Array;
  /**
   * By glTF's names: `TEXCOORD_1` and so on (v down, unlike `uvs`), `COLOR_0` and so on (linear RGB or RGBA), `TANGENT`,
   * and custom ones, whose names start with `_`.
   */
  attributes?: Record<string, VertexAttribute>;
  seams?: Seams;
  groups?: MeshGroup[];
  materials?: Material[];
  space?: Space;
}

/** Number of vertices. */
export const vertexCount = (mesh: Mesh): number => mesh.positions.length / 3;
/** Number of triangles. */
export const triangleCount = (mesh: Mesh): number => mesh.triangles.length / 3;
/** W: the number of split vertices, equal to N when there are no seams. */
export const splitVertexCount = (mesh: Mesh): number => mesh.seams?.vertexOf.length ?? vertexCount(mesh);

/** Index of the first entry that is NaN or infinite, or −1. */
export function firstNonFinite(values: ArrayLike<number>): number {
  for (let c = 0; c < values.length; c++) if (!Number.isFinite(values[c])) return c;
  return -1;
}

/** Index of the first entry ≥ `limit`, or −1. */
function firstOutOfRange(indices: Uint32Array, limit: number): number {
  for (let c = 0; c < indices.length; c++) if (indices[c] >= limit) return c;
  return -1;
}

/** Throws `bad-input` where a mesh breaks the contract above. */
export function validateMesh(mesh: Mesh, operation = 'validateMesh'): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  if (mesh.positions.length % 3 !== 0)
    fail(`positions have ${mesh.positions.length} numbers (expected a multiple of 3)`);
  if (mesh.triangles.length % 3 !== 0)
    fail(`triangles have ${mesh.triangles.length} indices (expected a multiple of 3)`);
  const n = vertexCount(mesh);
  const w = splitVertexCount(mesh);

  const nan = firstNonFinite(mesh.positions);
  if (nan >= 0)
    fail(`vertex ${Math.floor(nan / 3)} has a coordinate ${mesh.positions[nan]} (expected a finite number)`);
  const far = firstOutOfRange(mesh.triangles, n);
  if (far >= 0) fail(`triangle ${Math.floor(far / 3)} uses vertex ${mesh.triangles[far]} (expected < ${n})`);

  if (mesh.normals && mesh.normals.length !== 3 * w) fail(`${mesh.normals.length} normal numbers (expected ${3 * w})`);
  if (mesh.uvs && mesh.uvs.length !== 2 * w) fail(`${mesh.uvs.length} uv numbers (expected ${2 * w})`);
  const badNormal = mesh.normals ? firstNonFinite(mesh.normals) : -1;
  if (badNormal >= 0) fail(`normal ${Math.floor(badNormal / 3)} is not finite`);
  const badUv = mesh.uvs ? firstNonFinite(mesh.uvs) : -1;
  if (badUv >= 0) fail(`uv ${Math.floor(badUv / 2)} is not finite`);

  for (const [name, { size, values }] of Object.entries(mesh.attributes ?? {})) {
    if (![1, 2, 3, 4].includes(size)) fail(`${name} has ${size} numbers per vertex (expected 1 to 4)`);
    if (values.length !== size * w) fail(`${name} has ${values.length} numbers (expected ${size * w})`);
    if (firstNonFinite(values) >= 0) fail(`${name} is not finite`);
  }

  if (mesh.seams) {
    const { vertexOf, triangles } = mesh.seams;
    if (triangles.length !== mesh.triangles.length) {
      fail(`seams have ${triangles.length} corners (expected ${mesh.triangles.length})`);
    }
    if (firstOutOfRange(vertexOf, n) >= 0) fail('a split vertex belongs to no vertex');
    for (let c = 0; c < triangles.length; c++) {
      if (triangles[c] >= w || vertexOf[triangles[c]] !== mesh.triangles[c]) {
        fail(`corner ${c} has split vertex ${triangles[c]}, which does not belong to vertex ${mesh.triangles[c]}`);
      }
    }
  }

  let next = 0;
  for (const group of mesh.groups ?? []) {
    if (group.start !== next || group.count < 0)
      fail(`group "${group.name}" starts at ${group.start} (expected ${next})`);
    if (group.material !== undefined && !mesh.materials?.[group.material]) {
      fail(`group "${group.name}" has material ${group.material} (expected < ${mesh.materials?.length ?? 0})`);
    }
    next = group.start + group.count;
  }
  if (mesh.groups && next !== triangleCount(mesh))
    fail(`groups cover ${next} triangles (expected ${triangleCount(mesh)})`);
}
