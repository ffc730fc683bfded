import { PliantError } from '../error.ts';
import { surfaceArea } from '../measure/area.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** One clear error for models on which light cannot be traced. */
export function requireLightable(models: readonly SkinnedModel[], operation: string): void {
  if (models.length === 0)
    throw new PliantError('bad-input', operation, 'no skinned model', { reason: 'needs-weights' });
  const area = models.reduce((sum, { mesh }) => sum + surfaceArea(mesh.positions, mesh.triangles), 0);
  if (!(area > 0)) throw new PliantError('bad-input', operation, 'no surface (got faces without area only)');
}
