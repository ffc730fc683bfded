import { PliantError } from '../../src/error.ts';
import type { FitGiven } from '../../src/fit/solve.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { clipFrame, frameKeys } from '../../src/model/skeleton.ts';
import { plural } from '../../src/model/wording.ts';
import { closeAsset, openAsset, pickOne } from './open-input.ts';
import { requireRigs } from './rigs.ts';

export const LOCKS = ['weights', 'transforms'] as const;
export type Lock = (typeof LOCKS)[number];

/** How far the rest poses of rig and sequence may be apart, as a fraction of the diagonal. */
const SAME_PLACE = 1e-3;

/** The half of a fit that a rig provides: its weights, or the transforms of its first clip. */
export async function lockedHalf(lock: Lock, file: string, rest: Mesh): Promise<FitGiven> {
  const asset = await openAsset('fit', file);
  try {
    const rig = pickOne(requireRigs('fit', asset, file), { operation: 'fit', file, what: 'rig', name: undefined });
    requireSameVertices(rig.mesh, rest, file);
    if (lock === 'weights') return { weights: rig.weights };
    if (rig.clips.length === 0) {
      throw new PliantError('bad-input', 'fit', 'the rig has no clip (expected one, whose transforms are kept)', {
        file,
      });
    }
    const [clip] = rig.clips;
    const frames = Array.from(frameKeys(clip), (key) => clipFrame(clip, key));
    return { transforms: frames.flatMap((frame) => Array.from(frame)) };
  } finally {
    await closeAsset(asset);
  }
}

/** The rig must move these very vertices, in this order. */
function requireSameVertices(rig: Mesh, rest: Mesh, file: string): void {
  const [got, expected] = [vertexCount(rig), vertexCount(rest)];
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'fit', cause, { file });
  };
  if (got !== expected)
    fail(`the rig has ${plural(got, 'vertex', 'vertices')} (expected ${expected}, as the sequence has)`);
  const tolerance = SAME_PLACE * diagonalOf(rest.positions);
  const far = rig.positions.findIndex((x, c) => !(Math.abs(x - rest.positions[c]) <= tolerance));
  if (far >= 0) {
    fail(
      `vertex ${Math.floor(far / 3)} of the rig is elsewhere than in the sequence (expected the same rest pose and order)`,
    );
  }
}
