import { PliantError } from '../error.ts';
import { type FlatArray, gatherRows } from '../math/rows.ts';
import { type Mesh, type Seams, vertexCount } from '../model/mesh.ts';
import { uniqueRows } from './unique-rows.ts';

/**
 * Between the mesh that renderers want (one vertex per distinct position, uv and normal) and the one that analysis
 * wants (one vertex per point of the surface).
 */

/** N·stride values per vertex → W·stride values per split vertex, of the same kind of array. */
export function expandToSplit<T extends FlatArray>(values: T, stride: number, seams: Seams): T {
  return gatherRows(values, stride, seams.vertexOf);
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

  const positions = gatherRows(mesh.positions, 3, firstOf);
  const triangles = mesh.triangles.map((corner) => vertexOf[corner]);
  return { mesh: { ...mesh, positions, triangles, seams: { vertexOf, triangles: mesh.triangles } }, vertexOf };
}
