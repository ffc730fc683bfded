import { PliantError } from '../error.ts';
import { type Mesh, type Seams, vertexCount } from '../model/mesh.ts';
import { uniqueRows } from './unique-rows.ts';

/**
 * Between the mesh that renderers want (one vertex per distinct position, uv and normal) and the one that analysis
 * wants (one vertex per point of the surface).
 */

export type FlatArray = Float32Array | Float64Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Int32Array;

/** N·stride values per vertex → W·stride values per split vertex, of the same kind of array. */
export function expandToSplit<T extends FlatArray>(values: T, stride: number, seams: Seams): T {
  const Kind = values.constructor as new (length: number) => T;
  const { vertexOf } = seams;
  const out = new Kind(vertexOf.length * stride);
  for (let w = 0; w < vertexOf.length; w++) {
    const from = vertexOf[w] * stride;
    for (let c = 0; c < stride; c++) out[w * stride + c] = values[from + c];
  }
  return out;
}

/** The same surface without seams: W vertices. A mesh that has none is returned as it is. */
export function splitVertices(mesh: Mesh): Mesh {
  const { seams, ...rest } = mesh;
  if (!seams) return mesh;
  return { ...rest, positions: expandToSplit(mesh.positions, 3, seams), triangles: seams.triangles };
}

/** What must coincide beside positions, so that vertices are welded. */
export interface WeldOptions {
  /**
   * Arrays of W·stride numbers each (any stride) that must coincide as well: all frames of a morph animation, joints
   * and weights. Without them vertices that move apart later would be welded for good.
   */
  keys?: readonly ArrayLike<number>[];
}

/**
 * Welds vertices whose positions (and `keys`) are exactly equal, where −0 equals 0. The welded mesh has N ≤ W vertices
 * in the order of first occurrence, and seams that restore the input: `splitVertices(weldVertices(m).mesh)` equals m.
 * When nothing coincides the mesh is returned as it is. A triangle between welded vertices becomes degenerate and stays.
 */
export function weldVertices(mesh: Mesh, options: WeldOptions = {}): { mesh: Mesh; vertexOf: Uint32Array } {
  const operation = 'weldVertices';
  if (mesh.seams) throw new PliantError('bad-input', operation, 'the mesh has seams (expected one without)');
  const w = vertexCount(mesh);
  const keys = options.keys ?? [];
  for (const key of keys) {
    if (w === 0 ? key.length !== 0 : key.length % w !== 0) {
      throw new PliantError('bad-option', operation, `key of ${key.length} numbers (expected a multiple of ${w})`);
    }
  }

  const { classOf: vertexOf, firstOf } = uniqueRows(w, [mesh.positions, ...keys]);
  if (firstOf.length === w) return { mesh, vertexOf };

  const positions = new Float32Array(3 * firstOf.length);
  for (let i = 0; i < firstOf.length; i++) {
    for (let c = 0; c < 3; c++) positions[3 * i + c] = mesh.positions[3 * firstOf[i] + c];
  }
  const triangles = mesh.triangles.map((corner) => vertexOf[corner]);
  return { mesh: { ...mesh, positions, triangles, seams: { vertexOf, triangles: mesh.triangles } }, vertexOf };
}
