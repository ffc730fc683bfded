import { PliantError } from '../error.ts';
import { firstNonFinite, vertexCount } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { plural } from '../model/wording.ts';

/** Reads frame k (3N) into `out`; throws where it is not what the sequence promises. */
export async function readCheckedFrame(
  operation: string,
  sequence: MeshSequence,
  k: number,
  out: Float32Array,
): Promise<Float32Array> {
  const n = vertexCount(sequence.rest);
  const positions = await sequence.readFrame(k, out);
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, `${sequence.name}: frame ${k}: ${cause}`);
  };
  if (positions.length !== 3 * n) fail(`${plural(positions.length / 3, 'vertex', 'vertices')} (expected ${n})`);
  const bad = firstNonFinite(positions);
  if (bad >= 0) fail(`vertex ${Math.floor(bad / 3)} has a coordinate ${positions[bad]} (expected a finite number)`);
  return positions;
}

/** Throws unless both sequences have the same number of frames, and at least one. */
export function requireEqualFrames(operation: string, original: MeshSequence, approximation: MeshSequence): void {
  if (original.frameCount < 1) throw new PliantError('bad-input', operation, `${original.name}: no frames`);
  if (original.frameCount !== approximation.frameCount) {
    const got = `got ${approximation.frameCount} in ${approximation.name}`;
    const cause = `frame counts differ (${got}, expected ${original.frameCount} like ${original.name})`;
    throw new PliantError('bad-input', operation, cause);
  }
}
