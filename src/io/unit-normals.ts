import { vertexNormals } from '../mesh/normals.ts';
import { type Mesh, splitVertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';

/** How far the squared length of a normal may be from 1 before it is scaled: what six decimals leave. */
const UNIT_TOLERANCE = 1e-5;

/** The normals of a mesh at unit length; those of length 0 are computed from the faces. */
export function unitNormals(mesh: Mesh, notes: Note[]): Float32Array {
  const normals = mesh.normals!.slice();
  let missing = 0;
  let computed: Float32Array | undefined;
  for (let w = 0; w < splitVertexCount(mesh); w++) {
    const o = 3 * w;
    const length = Math.hypot(normals[o], normals[o + 1], normals[o + 2]);
    if (length === 0) {
      missing++;
      computed ??= vertexNormals({ ...mesh, normals: undefined });
      normals.set(computed.subarray(o, o + 3), o);
    } else if (Math.abs(length * length - 1) > UNIT_TOLERANCE) {
      for (let c = 0; c < 3; c++) normals[o + c] /= length;
    }
  }
  if (missing > 0) notes.push(note('normals-computed', { count: missing }, mesh.name));
  return normals;
}
