import type { Accessor, Document, GLTF } from '@gltf-transform/core';
import { meshEdges } from '../../mesh/adjacency.ts';
import { secondRings } from '../../mesh/rings.ts';
import { vertexCount } from '../../model/mesh.ts';
import { PATCH_BODY_NUMBERS, type TrainedCloth, validateTrainedCloth } from '../../model/trained-cloth.ts';
import type { Accessors } from './accessors.ts';
import { CLOTH_EXTENSION } from './extension-names.ts';
import { GltfFault } from './limits.ts';
import { packedExtension } from './packed-extension.ts';
import { withoutPictures } from './predictor-extension.ts';

/**
 * `PLIANT_cloth`: trained cloth, and in its extras how it is run. Players that do not know it show the fine mesh as it
 * hangs on the coarse one, see `clothModel`.
 */
export const clothExtension = packedExtension(CLOTH_EXTENSION);

export function addCloth(
  document: Document,
  cloth: TrainedCloth,
  accessor: (words: Uint32Array<ArrayBuffer>) => Accessor,
): void {
  const { name, method, physics, coarse, fine } = cloth;
  const data = { ...cloth, coarse: coarse && withoutPictures(coarse), fine: fine && withoutPictures(fine) };
  clothExtension.add(document, data, { name, method, physics }, accessor);
}

/** The trained cloth of a file, if it has any. */
export function readCloth(json: GLTF.IGLTF, accessors: Accessors): TrainedCloth | undefined {
  const cloth = clothExtension.read(json, accessors, validateTrainedCloth);
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new GltfFault(`extensions.${CLOTH_EXTENSION}: not trained cloth: invalid ${what}`);
  };
  if (cloth?.upsampler) {
    const { inputs, directions } = cloth.upsampler;
    const seen = 3 * secondRings(cloth.coarse).items.length + PATCH_BODY_NUMBERS * vertexCount(cloth.coarse);
    require(directions.length === inputs * seen, 'directions');
  }
  if (cloth?.paper) require(cloth.paper.kernel.mean.length === 2 * hingeCount(cloth), 'angles');
  return cloth;
}

/** Edges of the coarse mesh between two triangles. */
function hingeCount({ coarse }: TrainedCloth): number {
  const { offsets } = meshEdges(coarse.triangles, vertexCount(coarse)).corners;
  let count = 0;
  for (let e = 0; e + 1 < offsets.length; e++) if (offsets[e + 1] - offsets[e] === 2) count++;
  return count;
}
