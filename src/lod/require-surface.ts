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

/** What levels can be asked for by, finest first. */
export interface Targets {
  triangles?: readonly number[];
  /** %. */
  maxError?: readonly number[];
}

/** Throws where the wanted levels make no sense. */
export function requireTargets({ triangles, maxError }: Targets): void {
  if (triangles) {
    const expected =
      (triangles.length === 0 && 'a number for each level') ||
      (!triangles.every((count) => Number.isInteger(count) && count >= 1) && 'whole numbers of at least 1') ||
      (!rises([...triangles].reverse()) && 'fewer triangles from level to level, such as 8000,2000,500');
    if (expected) refuse('triangles', triangles.join(','), expected);
  }
  if (maxError) {
    const expected =
      (maxError.length === 0 && 'a percentage for each level') ||
      (!maxError.every((percent) => percent > 0 && percent < Infinity) && 'percentages above 0') ||
      (!rises(maxError) && 'larger errors from level to level, such as .1%,.3%,1%');
    if (expected) refuse('maxError', maxError.map((percent) => `${percent}%`).join(','), expected);
  }
}

const rises = (list: readonly number[]): boolean => list.every((x, l) => l === 0 || x > list[l - 1]);

function refuse(option: string, got: string, expected: string): never {
  throw new PliantError('bad-option', 'lod', `(got ${got || 'nothing'}, expected ${expected})`, { option });
}
