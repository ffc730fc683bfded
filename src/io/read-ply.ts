import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type ByteSource, readAll } from './files.ts';
import { FloatList, IndexList, NONE } from './growable.ts';
import { type PlyElement, type PlyProperty, parsePlyHeader } from './ply/header.ts';
import { AsciiRows, BinaryRows, type PlyRows } from './ply/rows.ts';
import { meshFromVertexPolygons, type VertexPolygonMesh } from './polygons.ts';
import { linearColours } from './srgb.ts';
import { TextScanner } from './text-scanner.ts';

/** PLY (Turk 1994), ascii and binary of either byte order. Elements and properties that a mesh has no use for are skipped. */

const OPERATION = 'readPly';

/** The mesh of a PLY file; of points only when it has no faces. */
export async function readPly(source: ByteSource, notes: Note[] = []): Promise<Mesh> {
  return meshFromVertexPolygons(parsePly(await readAll(source, OPERATION), source.name, notes), notes);
}

/** The polygons of a PLY file. */
export function parsePly(bytes: Uint8Array, file: string, notes: Note[]): VertexPolygonMesh {
  const scanner = new TextScanner(bytes, OPERATION, file);
  const { format, elements } = parsePlyHeader(scanner);
  const rows: PlyRows =
    format === 'ascii' ? new AsciiRows(scanner) : new BinaryRows(bytes, scanner, format === 'binary_little_endian');

  let vertices: PlyVertices | undefined;
  let faces: PlyFaces = { starts: new Uint32Array(1), corners: new Uint32Array(0) };
  for (const element of elements) {
    rows.checkCount(element);
    if (element.name === 'vertex') vertices = readVertices(rows, element, notes);
    else if (element.name === 'face') faces = readFaces(rows, element, notes);
    else skipElement(rows, element, notes);
  }
  if (!vertices || vertices.positions.length === 0) return scanner.fail('no vertices (expected "element vertex")');
  const n = vertices.positions.length / 3;
  const far = faces.corners.findIndex((corner) => corner >= n);
  if (far >= 0) rows.fail(`a face uses vertex ${faces.corners[far]} (expected 0 to ${n - 1})`);
  return { ...vertices, ...faces };
}

type PlyVertices = Pick<VertexPolygonMesh, 'positions' | 'vertexNormals' | 'vertexUvs' | 'attributes'>;
type PlyFaces = Pick<VertexPolygonMesh, 'starts' | 'corners' | 'uvs' | 'cornerUvs'>;

/** Names that exporters give the parts of a uv. */
const UV_NAMES = [
  ['s', 't'],
  ['u', 'v'],
  ['texture_u', 'texture_v'],
  ['texture_s', 'texture_t'],
];

/** Colours are those of screens, as whole numbers up to the largest of their type or as fractions. */
const COLOUR_NAMES = [
  ['red', 'green', 'blue', 'alpha'],
  ['red', 'green', 'blue'],
];

function readVertices(rows: PlyRows, element: PlyElement, notes: Note[]): PlyVertices {
  const { count, properties } = element;
  const has = (name: string): boolean => properties.some((property) => property.name === name && !property.countType);
  /** Property → where it goes. */
  const targets = new Map<string, { array: Float32Array; stride: number; component: number }>();
  const take = (names: readonly string[]): Float32Array | undefined => {
    if (!names.every(has)) return undefined;
    const array = new Float32Array(names.length * count);
    names.forEach((name, component) => {
      targets.set(name, { array, stride: names.length, component });
    });
    return array;
  };
  const positions = take(['x', 'y', 'z']) ?? rows.fail('vertices have no x, y and z');
  const vertexNormals = take(['nx', 'ny', 'nz']);
  const uvNames = UV_NAMES.find((names) => names.every(has));
  const vertexUvs = uvNames && take(uvNames);
  const colourNames = COLOUR_NAMES.find((names) => names.every(has));
  const colours = colourNames && take(colourNames);

  const columns = properties.map((property) => ({ property, target: targets.get(property.name) }));
  const leftOut = columns.filter((column) => !column.target).map((column) => column.property.name);
  if (leftOut.length > 0) notes.push(note('not-read', { what: 'vertex-properties', names: leftOut }));
  for (let i = 0; i < count; i++) {
    rows.beginRow();
    for (const { property, target } of columns) {
      if (!target) skipProperty(rows, property);
      else target.array[target.stride * i + target.component] = rows.number(property.type, property.name);
    }
    rows.endRow();
  }
  if (!colours) return { positions, vertexNormals, vertexUvs };
  const { type } = properties.find(({ name }) => name === colourNames[0])!;
  const largest = /^(float|double)/.test(type) ? 1 : /16|short/.test(type) ? 65535 : 255;
  const values = colours.map((x) => x / largest);
  const size = colourNames.length;
  return {
    positions,
    vertexNormals,
    vertexUvs,
    attributes: { COLOR_0: { size, values: linearColours(values, size) } },
  };
}

const LARGEST_INDEX = 0xfffffffe;

/** Faces with their corners, and a uv for each corner where a list `texcoord` (u v u v …, as MeshLab writes) gives them. */
function readFaces(rows: PlyRows, element: PlyElement, notes: Note[]): PlyFaces {
  const list = (pattern: RegExp) =>
    element.properties.find(({ name, countType }) => pattern.test(name) && countType !== undefined);
  const indices = list(/^vertex_ind(ices|ex)$/) ?? rows.fail('faces have no list vertex_indices');
  const texcoord = list(/^texcoord$/);
  const leftOut = element.properties.filter((property) => property !== indices && property !== texcoord);
  const names = leftOut.map(({ name }) => name);
  if (names.length > 0) notes.push(note('not-read', { what: 'face-properties', names }));

  const starts = new IndexList();
  const corners = new IndexList();
  const uvs = new FloatList();
  const cornerUvs = new IndexList();
  let small = 0;
  for (let f = 0; f < element.count; f++) {
    rows.beginRow();
    const first = corners.length;
    const row: number[] = [];
    for (const property of element.properties) {
      if (property === indices) {
        if (!readCorners(rows, property, f, corners)) small++;
      } else if (property === texcoord) {
        const size = rows.count(property.countType!, property.name);
        for (let c = 0; c < size; c++) row.push(rows.number(property.type, property.name));
      } else {
        skipProperty(rows, property);
      }
    }
    rows.endRow();
    if (corners.length === first) continue;
    starts.push(first);
    const hasUvs = row.length === 2 * (corners.length - first);
    for (let c = first; texcoord && c < corners.length; c++) cornerUvs.push(hasUvs ? uvs.length / 2 + c - first : NONE);
    if (hasUvs) for (const value of row) uvs.push(value);
  }
  if (small > 0) notes.push(note('not-read', { what: 'small-faces', count: small }));
  starts.push(corners.length);
  const faces = { starts: starts.toArray(), corners: corners.toArray() };
  return texcoord ? { ...faces, uvs: uvs.toArray(), cornerUvs: cornerUvs.toArray() } : faces;
}

/** Adds the corners of face f. False, and none added, when they are fewer than three. */
function readCorners(rows: PlyRows, property: PlyProperty, f: number, corners: IndexList): boolean {
  const size = rows.count(property.countType!, property.name);
  if (size < 3) {
    rows.skip(property.type, size);
    return false;
  }
  for (let c = 0; c < size; c++) {
    const corner = rows.number(property.type, property.name);
    if (!(Number.isInteger(corner) && corner >= 0 && corner <= LARGEST_INDEX)) {
      rows.fail(`face ${f} uses vertex ${corner} (expected a whole number ≥ 0)`);
    }
    corners.push(corner);
  }
  return true;
}

function skipElement(rows: PlyRows, element: PlyElement, notes: Note[]): void {
  notes.push(note('not-read', { what: 'elements', names: [element.name], count: element.count }));
  for (let r = 0; r < element.count; r++) {
    rows.beginRow();
    for (const property of element.properties) skipProperty(rows, property);
    rows.endRow();
  }
}

function skipProperty(rows: PlyRows, { name, type, countType }: PlyProperty): void {
  rows.skip(type, countType ? rows.count(countType, name) : 1);
}
