import type { Accessor, Document, GLTF } from '@gltf-transform/core';
import type { TrainedCloth } from '../../model/trained-cloth.ts';
import type { Accessors } from './accessors.ts';
import { checkedCloth } from './checked-cloth.ts';
import { CLOTH_EXTENSION } from './extension-names.ts';
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
export const readCloth = (json: GLTF.IGLTF, accessors: Accessors): TrainedCloth | undefined =>
  clothExtension.read(json, accessors, checkedCloth);
