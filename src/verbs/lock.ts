import { PliantError } from '../error.ts';
import type { FitGiven } from '../fit/context.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import type { Asset } from '../model/asset.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { clipFrame, frameKeys } from '../model/skeleton.ts';
import { count, plural } from '../model/wording.ts';
import { requireOneRig } from './choose.ts';

export const LOCKS = ['weights', 'transforms'] as const;
export type Lock = (typeof LOCKS)[number];

/** How far the rest poses of rig and sequence may be apart, as a fraction of the diagonal. */
const SAME_PLACE = 1e-3;

/** The half of a fit that a rig provides: its weights, unless `lock` names the transforms of its first clip. */
export function lockedHalf(lock: Lock | undefined, asset: Asset | undefined, rest: Mesh): FitGiven | undefined {
  if (!asset) {
    if (!lock) return undefined;
    throw new PliantError('bad-option', 'fit', 'needs {option:rig}', { option: 'lock' });
  }
  const rig = requireOneRig('fit', asset);
  requireSameVertices(rig.mesh, rest, asset);
  if (lock !== 'transforms') return { weights: rig.weights };
  const [clip] = rig.clips;
  if (!clip) {
    const cause = 'the rig has no clip (expected one whose transforms to keep)';
    throw new PliantError('bad-input', 'fit', cause, { file: asset.name });
  }
  return { transforms: Array.from(frameKeys(clip)).flatMap((key) => Array.from(clipFrame(clip, key))) };
}

/** The rig must move these very vertices, in this order. */
function requireSameVertices(rig: Mesh, rest: Mesh, { name: file }: Asset): void {
  const [got, expected] = [vertexCount(rig), vertexCount(rest)];
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'fit', cause, { file });
  };
  if (got !== expected)
    fail(`the rig has ${plural(got, 'vertex', 'vertices')} (expected ${count(expected)} like the sequence)`);
  const tolerance = SAME_PLACE * diagonalOf(rest.positions);
  const far = rig.positions.findIndex((x, c) => !(Math.abs(x - rest.positions[c]) <= tolerance));
  if (far >= 0)
    fail(
      `vertex ${Math.floor(far / 3)} has different rest positions in rig and sequence (expected the same rest pose)`,
    );
}
