import { expandToSplit } from '../mesh/seams.ts';
import { triangulatePolygon } from '../mesh/triangulate.ts';
import { uniqueRows } from '../mesh/unique-rows.ts';
import type { Mesh, MeshGroup } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { NONE } from './growable.ts';
import { plainMaterials } from './plain-material.ts';
import { unitNormals } from './unit-normals.ts';

/**
 * A mesh as files have it: Q polygons with any number of corners, C in all. Each corner has a vertex and may have a uv
 * and a normal of its own. What a sequence compares between frames: triangulation depends on positions, polygons do not.
 */
export interface PolygonMesh {
  name?: string;
  /** 3N. */
  positions: Float32Array;
  /** Q + 1: polygon q has the corners starts[q] … starts[q + 1] − 1, at least 3. */
  starts: Uint32Array;
  /** C: vertex of each corner. */
  corners: Uint32Array;
  /** C: uv of each corner, an index into `uvs`, or NONE. */
  cornerUvs?: Uint32Array;
  /** Two each. */
  uvs?: Float32Array;
  /** C: normal of each corner, an index into `normals`, or NONE. */
  cornerNormals?: Uint32Array;
  /** Three each, of any length. */
  normals?: Float32Array;
  /** Further data, by glTF's names: see `Mesh.attributes`. */
  attributes?: Record<string, PolygonAttribute>;
  /** Runs of polygons; `start` and `count` in polygons. */
  groups?: MeshGroup[];
  /** Their names. */
  materials?: string[];
  /** Files that say more of them. */
  libraries?: string[];
}

/** Data of vertices or corners. */
interface PolygonAttribute {
  /** Numbers per value. */
  size: number;
  values: Float32Array;
  /** C: value of each corner, an index into `values`, or NONE. Absent: one value per vertex. */
  corners?: Uint32Array;
}

/** Polygons whose uvs and normals belong to vertices instead of corners: PLY and OFF. */
export interface VertexPolygonMesh extends PolygonMesh {
  /** 3N, of any length. */
  vertexNormals?: Float32Array;
  /** 2N. */
  vertexUvs?: Float32Array;
}

/** Triangulates and ties the corners' uvs and normals to split vertices. Repairs are added to `notes`. */
export function meshFromPolygons(polygons: PolygonMesh, notes: Note[]): Mesh {
  const { cornerOf, triangleStarts } = triangulate(polygons, notes);
  const mesh: Mesh = { positions: polygons.positions, triangles: cornerOf.map((corner) => polygons.corners[corner]) };
  if (polygons.name) mesh.name = polygons.name;
  if (polygons.groups) {
    mesh.groups = polygons.groups.map((group) => ({
      ...group,
      start: triangleStarts[group.start],
      count: triangleStarts[group.start + group.count] - triangleStarts[group.start],
    }));
  }
  attachAttributes(mesh, polygons, cornerOf, notes);
  for (const [name, { size, values, corners }] of Object.entries(polygons.attributes ?? {})) {
    if (corners) continue;
    mesh.attributes ??= {};
    mesh.attributes[name] = { size, values: mesh.seams ? expandToSplit(values, size, mesh.seams) : values };
  }
  if (polygons.groups && polygons.materials) mesh.materials = plainMaterials(polygons.materials, mesh);
  return mesh;
}

/** The same for files that give uvs and normals by vertex. Uvs of corners go before those of vertices. */
export function meshFromVertexPolygons(polygons: VertexPolygonMesh, notes: Note[]): Mesh {
  const mesh = meshFromPolygons(polygons, notes);
  const bySplit = (values: Float32Array, stride: number): Float32Array =>
    mesh.seams ? expandToSplit(values, stride, mesh.seams) : values;
  if (polygons.vertexUvs && !mesh.uvs) mesh.uvs = bySplit(polygons.vertexUvs, 2);
  if (polygons.vertexNormals) {
    mesh.normals = bySplit(polygons.vertexNormals, 3);
    mesh.normals = unitNormals(mesh, notes);
  }
  return mesh;
}

/** 3F: triangle corner → polygon corner; and Q + 1: polygon → its first triangle. */
function triangulate(
  { name, positions, starts, corners }: PolygonMesh,
  notes: Note[],
): { cornerOf: Uint32Array; triangleStarts: Uint32Array } {
  const count = starts.length - 1;
  const triangleStarts = new Uint32Array(count + 1);
  for (let q = 0; q < count; q++) triangleStarts[q + 1] = triangleStarts[q] + starts[q + 1] - starts[q] - 2;
  const cornerOf = new Uint32Array(3 * triangleStarts[count]);
  let c = 0;
  let bad = 0;
  const out = { push: (corner: number) => (cornerOf[c++] = first + corner) };
  let first = 0;
  for (let q = 0; q < count; q++) {
    first = starts[q];
    const size = starts[q + 1] - first;
    if (size === 3) {
      for (let corner = 0; corner < 3; corner++) cornerOf[c++] = first + corner;
    } else if (!triangulatePolygon(positions, corners.subarray(first, first + size), out)) {
      bad++;
    }
  }
  if (bad > 0) notes.push(note('polygons-not-simple', { count: bad }, name));
  return { cornerOf, triangleStarts };
}

/** Gives the mesh what belongs to corners, and seams where a vertex has several uvs, normals or the like. */
function attachAttributes(mesh: Mesh, polygons: PolygonMesh, cornerOf: Uint32Array, notes: Note[]): void {
  const n = mesh.positions.length / 3;
  const cornerUvs = cornerValues(polygons.cornerUvs, polygons.uvs, 2, cornerOf);
  const cornerNormals = cornerValues(polygons.cornerNormals, polygons.normals, 3, cornerOf);
  const further = Object.entries(polygons.attributes ?? {}).flatMap(([name, { size, values, corners }]) => {
    const found = cornerValues(corners, values, size, cornerOf, name.startsWith('COLOR_') ? 1 : 0);
    return found ? [{ name, size, values: found.values }] : [];
  });
  if (!cornerUvs && !cornerNormals && further.length === 0) return;

  // (1) Corners that agree in vertex, uv and normal share a split vertex. They are compared by value: exporters that
  // write a uv per corner still give one vertex where the values agree.
  const values = [cornerUvs, cornerNormals, ...further].map((column) => column?.values);
  const columns = [mesh.triangles, ...values.filter((column) => column !== undefined)];
  const { classOf, firstOf } = uniqueRows(cornerOf.length, columns);

  // (2) Split vertices: one per class, and one for every vertex that no face uses.
  const used = new Uint8Array(n);
  for (const corner of firstOf) used[mesh.triangles[corner]] = 1;
  const unused = Array.from(used.keys()).filter((i) => !used[i]);
  const w = firstOf.length + unused.length;
  let splitOf: Uint32Array;
  if (w === n) {
    // One each: the vertices' own numbers serve, and there is no seam.
    splitOf = Uint32Array.from(firstOf, (corner) => mesh.triangles[corner]);
  } else {
    splitOf = Uint32Array.from(firstOf.keys());
    const vertexOf = new Uint32Array(w);
    firstOf.forEach((corner, split) => {
      vertexOf[split] = mesh.triangles[corner];
    });
    vertexOf.set(unused, firstOf.length);
    mesh.seams = { vertexOf, triangles: classOf };
  }

  // (3) Their values.
  const gather = (values: Float32Array, stride: number): Float32Array => {
    const out = new Float32Array(w * stride);
    firstOf.forEach((corner, split) => {
      out.set(values.subarray(corner * stride, (corner + 1) * stride), splitOf[split] * stride);
    });
    return out;
  };
  if (cornerUvs) {
    mesh.uvs = gather(cornerUvs.values, 2);
    if (cornerUvs.missing > 0) notes.push(note('uvs-missing', { count: cornerUvs.missing }, mesh.name));
  }
  if (cornerNormals) {
    mesh.normals = gather(cornerNormals.values, 3);
    mesh.normals = unitNormals(mesh, notes);
  }
  for (const { name, size, values } of further) {
    mesh.attributes ??= {};
    mesh.attributes[name] = { size, values: gather(values, size) };
  }
}

/** The values of every triangle corner, `otherwise` where it has none; undefined when no corner has one. */
function cornerValues(
  indices: Uint32Array | undefined,
  values: Float32Array | undefined,
  stride: number,
  cornerOf: Uint32Array,
  otherwise = 0,
): { values: Float32Array; missing: number } | undefined {
  if (!indices || !values) return undefined;
  const out = new Float32Array(cornerOf.length * stride).fill(otherwise);
  let missing = 0;
  for (let c = 0; c < cornerOf.length; c++) {
    const index = indices[cornerOf[c]];
    if (index === NONE) missing++;
    else for (let k = 0; k < stride; k++) out[stride * c + k] = values[stride * index + k];
  }
  return missing === cornerOf.length ? undefined : { values: out, missing };
}
