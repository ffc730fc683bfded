import { fittedSequence } from '../../../src/fit/clips.ts';
import {
  type FittedFrames,
  type GlbResult,
  type Mesh,
  type MeshSequence,
  type RunOptions,
  readAsset,
  splitVertexCount,
} from '../../../src/index.ts';
import { sequenceInGltfSpace } from '../../../src/io/glb/space.ts';
import { sumVertexErrors } from '../../../src/measure/vertex-errors.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { blobFiles } from '../../../src/platform/browser/index.ts';

/** Errors of a file, in % of the diagonal. */
export interface FileErrors {
  rmsePercent: number;
  maxErrorPercent: number;
}

/**
 * The errors of a fit as written to a file: the model that is read back is compared with the motion in all fitted frames, so
 * all rounding is included.
 *
 * @param parts the fitted frames of each model. @param diagonal of the rest pose.
 */
export async function errorsOfFile(
  { bytes, orders }: GlbResult,
  parts: readonly MeshSequence[],
  clips: FittedFrames['clips'],
  diagonal: number,
  run: RunOptions,
): Promise<FileErrors> {
  const name = 'written.glb';
  const { models } = await readAsset(blobFiles([[name, new Blob([new Uint8Array(bytes)])]]), [name]);
  let [squaredSum, most, count] = [0, 0, 0];
  for (const [p, part] of parts.entries()) {
    const expected = sequenceInGltfSpace(part);
    const found = fittedSequence(models[p], { sequence: expected, clips });
    const storedAs = readVertices(part.rest, orders[p], models[p].mesh);
    const sum = sumVertexErrors(storedAs.length, part.frameCount);
    const approximation = new Float32Array(part.rest.positions.length);
    for (let k = 0; k < part.frameCount; k++) {
      await checkpoint(run, 'errors of the file', p * part.frameCount + k, parts.length * part.frameCount, 'measuring');
      const got = await found.readFrame(k);
      for (const [i, read] of storedAs.entries()) approximation.set(got.subarray(3 * read, 3 * read + 3), 3 * i);
      sum.add(k, await expected.readFrame(k), approximation);
    }
    const errors = sum.result();
    squaredSum += errors.squaredSum;
    most = Math.max(most, errors.maxError);
    count += part.frameCount * storedAs.length;
    await found.close?.();
  }
  const percent = 100 / (diagonal * (parts[0].rest.space?.metresPerUnit ?? 1));
  return { rmsePercent: percent * Math.sqrt(squaredSum / count), maxErrorPercent: percent * most };
}

/**
 * N: vertex of a mesh → vertex when read back. Files store vertices in another order, and readers merge equal ones.
 *
 * @param order W: stored vertex → split vertex of the mesh [default: the same].
 */
function readVertices(mesh: Mesh, order: Uint32Array | undefined, read: Mesh): Uint32Array {
  const out = new Uint32Array(mesh.positions.length / 3);
  for (let stored = 0; stored < splitVertexCount(mesh); stored++) {
    const split = order ? order[stored] : stored;
    out[mesh.seams ? mesh.seams.vertexOf[split] : split] = read.seams ? read.seams.vertexOf[stored] : stored;
  }
  return out;
}
