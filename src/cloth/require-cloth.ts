import { PliantError } from '../error.ts';
import { type Mesh, validateMesh, vertexCount } from '../model/mesh.ts';

/** Throws for a mesh that is no cloth, and for pins that it does not have. */
export function requireCloth(operation: string, { mesh, pinned }: { mesh: Mesh; pinned: Uint32Array }): void {
  validateMesh(mesh, operation);
  if (mesh.triangles.length === 0) throw new PliantError('bad-input', operation, 'the garment has no triangles');
  const n = vertexCount(mesh);
  const outside = pinned.find((i) => i >= n);
  if (outside === undefined) return;
  throw new PliantError('bad-input', operation, `pinned vertex ${outside} (expected 0 to ${n - 1})`);
}

/** Frames are kept in memory: so many vertices times frames at most, 12 bytes each. */
const MAX_VERTEX_FRAMES = 2 ** 27;

/** Throws for more frames of a mesh than can be kept. */
export function requireRoom(operation: string, mesh: Mesh, frames: number): void {
  const n = vertexCount(mesh);
  if (n * frames <= MAX_VERTEX_FRAMES) return;
  const cause = `${n} vertices × ${frames} frames (expected at most ${MAX_VERTEX_FRAMES})`;
  throw new PliantError('too-large', operation, cause);
}
