import { PliantError } from '../error.ts';
import { validateMesh } from '../model/mesh.ts';
import type { PosedSurface } from './surface.ts';

/** Throws where a surface breaks its contract. */
export function requireSurface({ mesh, poses, skin, morphWeights }: PosedSurface): void {
  validateMesh(mesh, 'lod');
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'lod', cause);
  };
  if (mesh.triangles.length === 0) fail('the mesh has no triangles');
  if (poses.length === 0) fail('no poses (expected at least the default one)');
  const odd = poses.find((pose) => pose.length !== mesh.positions.length);
  if (odd) fail(`a pose of ${odd.length} numbers (expected ${mesh.positions.length})`);
  if (skin && skin.bones.length !== poses.length)
    fail(`bones in ${skin.bones.length} poses (expected ${poses.length})`);
  if (morphWeights && morphWeights.length !== poses.length) {
    fail(`morph weights of ${morphWeights.length} poses (expected ${poses.length})`);
  }
}

/** Throws where the wanted levels make no sense. */
export function requireTargets(triangles: readonly number[], maxError?: readonly number[]): void {
  const fail = (option: string, got: readonly number[], expected: string): never => {
    throw new PliantError('bad-option', 'lod', `(got ${got.join(', ') || 'none'}, expected ${expected})`, { option });
  };
  if (triangles.length === 0 || triangles.some((t, l) => !(Number.isInteger(t) && t >= 1) || t > triangles[l - 1])) {
    fail('triangles', triangles, 'whole numbers ≥ 1, falling');
  }
  if (maxError && (maxError.length === 0 || maxError.some((e, l) => !(e > 0) || e < maxError[l - 1]))) {
    fail('maxError', maxError, 'percentages > 0, rising');
  }
}
