import { PliantError } from '../../error.ts';
import { meshEdges } from '../../mesh/adjacency.ts';
import { secondRings } from '../../mesh/rings.ts';
import { vertexCount } from '../../model/mesh.ts';
import { PATCH_BODY_NUMBERS, type TrainedCloth, validateTrainedCloth } from '../../model/trained-cloth.ts';

/** Throws `bad-input` where data of a file is not trained cloth, contradicts itself, or does not fit its coarse mesh. */
export function checkedCloth(data: unknown, operation: string): TrainedCloth {
  const cloth = validateTrainedCloth(data, operation);
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new PliantError('bad-input', operation, `not trained cloth: invalid ${what}`);
  };
  if (cloth.upsampler) {
    const { inputs, directions } = cloth.upsampler;
    const seen = 3 * secondRings(cloth.coarse).items.length + PATCH_BODY_NUMBERS * vertexCount(cloth.coarse);
    require(directions.length === inputs * seen, 'directions');
  }
  if (cloth.paper) require(cloth.paper.kernel.mean.length === 2 * hingeCount(cloth), 'angles');
  return cloth;
}

/** Edges of the coarse mesh between two triangles. */
function hingeCount({ coarse }: TrainedCloth): number {
  const { offsets } = meshEdges(coarse.triangles, vertexCount(coarse)).corners;
  let count = 0;
  for (let e = 0; e + 1 < offsets.length; e++) if (offsets[e + 1] - offsets[e] === 2) count++;
  return count;
}
