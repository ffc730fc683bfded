import { PliantError } from '../error.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type ByteSource, readAll } from './files.ts';
import { IndexList } from './growable.ts';
import { meshFromVertexPolygons, type VertexPolygonMesh } from './polygons.ts';
import { TextScanner } from './text-scanner.ts';

/**
 * OFF of Geomview, in text: [ST][C][N]OFF, then counts of vertices, faces and edges, then a line per vertex (position,
 * normal, colour, uv) and per face (size, vertices, colour). Colours are skipped. Geomview reads numbers wherever lines
 * end, and some programs break long faces: what a vertex or a face must have may go on below.
 */
const OPERATION = 'readOff';

/** The first word of an OFF file, with its variants. */
export const OFF_KEYWORD = /^(ST)?(C)?(N)?(4)?(n)?OFF$/;

/** The mesh of an OFF file; of points only when it has no faces. */
export async function readOff(source: ByteSource, notes: Note[] = []): Promise<Mesh> {
  return meshFromVertexPolygons(parseOff(await readAll(source, OPERATION), source.name, notes), notes);
}

/** The polygons of an OFF file. */
export function parseOff(bytes: Uint8Array, file: string, notes: Note[]): VertexPolygonMesh {
  const scanner = new TextScanner(bytes, OPERATION, file);

  // (1) The header.
  scanner.skipSpace();
  const keyword = scanner.word();
  const variant = OFF_KEYWORD.exec(keyword) ?? scanner.fail(`got "${keyword.slice(0, 24)}" (expected OFF)`, 0);
  const [, hasUvs, hasColours, hasNormals, hasW, otherDimension] = variant;
  const unsupported = (what: string): never => {
    throw new PliantError('unsupported', OPERATION, `${what} (expected text with 3 coordinates per point)`, { file });
  };
  if (hasW || otherDimension) unsupported(`${keyword} has points of another dimension`);
  if (!scanner.atLineEnd() && scanner.near() === 'BINARY') unsupported('binary OFF');
  scanner.skipSpace();
  // Each vertex and face takes at least two bytes, which bounds what a damaged count can make us allocate.
  const most = Math.ceil(bytes.length / 2);
  const n = scanner.integer('the number of vertices', 1, most);
  const faceCount = scanner.integer('the number of faces', 0, most);
  // The number of edges is optional and of no use.
  scanner.skipLine();

  const nextNumber = (what: string): number => {
    scanner.skipSpace();
    return scanner.number(what);
  };

  // (2) Vertices. How many numbers a colour has is not said: the uv is the last two of the line.
  const positions = new Float32Array(3 * n);
  const vertexNormals = hasNormals ? new Float32Array(3 * n) : undefined;
  const vertexUvs = hasUvs ? new Float32Array(2 * n) : undefined;
  const extras: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) positions[3 * i + c] = nextNumber('a coordinate');
    if (vertexNormals) for (let c = 0; c < 3; c++) vertexNormals[3 * i + c] = nextNumber('a normal');
    if (vertexUvs) {
      extras.length = 0;
      while (!scanner.atLineEnd()) extras.push(scanner.number('a uv'));
      if (extras.length < 2) scanner.fail(`${extras.length} numbers (expected a uv of two)`);
      vertexUvs.set(extras.slice(-2), 2 * i);
    }
    scanner.skipLine();
  }
  if (hasColours) notes.push(note('not-read', { what: 'vertex-colours' }));

  // (3) Faces.
  const starts = new IndexList();
  const corners = new IndexList();
  let small = 0;
  for (let f = 0; f < faceCount; f++) {
    scanner.skipSpace();
    const size = scanner.integer('the number of corners', 0, most);
    if (size < 3) small++;
    else starts.push(corners.length);
    for (let c = 0; c < size; c++) {
      scanner.skipSpace();
      const corner = scanner.integer('a corner', 0, n - 1);
      if (size >= 3) corners.push(corner);
    }
    scanner.skipLine();
  }
  if (small > 0) notes.push(note('not-read', { what: 'small-faces', count: small }));
  starts.push(corners.length);
  return { positions, starts: starts.toArray(), corners: corners.toArray(), vertexNormals, vertexUvs };
}
