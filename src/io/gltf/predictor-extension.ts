import type { Accessor, Document, GLTF } from '@gltf-transform/core';
import { type Mesh, splitVertexCount } from '../../model/mesh.ts';
import { type Predictor, pointNames, validatePredictor } from '../../model/predictor.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { Accessors } from './accessors.ts';
import { PREDICTOR_EXTENSION } from './extension-names.ts';
import { packedExtension } from './packed-extension.ts';

/**
 * `PLIANT_predictor`: a whole predictor, and in its extras what its control points are called. Players that do not know it
 * show the bones and the clip of examples beside it.
 */
export const predictorExtension = packedExtension(PREDICTOR_EXTENSION);

export function addPredictor(
  document: Document,
  predictor: Predictor,
  accessor: (words: Uint32Array<ArrayBuffer>) => Accessor,
): void {
  const data = { ...predictor, mesh: predictor.mesh && withoutPictures(predictor.mesh) };
  predictorExtension.add(document, data, { points: pointNames(predictor) }, accessor);
}

/** The file has pictures and vertex attributes beside the predictor: `withAppearance` takes them from there. */
export function withoutPictures({ attributes: _, ...mesh }: Mesh): Mesh {
  const materials = mesh.materials?.map(({ baseColorTexture: __, gltf: ___, ...material }) => material);
  return { ...mesh, ...(materials && { materials }) };
}

/** The predictor with the materials of the model that it drives, and with its attributes where vertices have the same order. */
export function withAppearance(predictor: Predictor, models: readonly SkinnedModel[]): Predictor {
  const { mesh } = predictor;
  const from = models.length === 1 ? models[0].mesh : undefined;
  const groups = mesh.groups?.filter(({ count }) => count > 0) ?? [];
  if (!from || from.groups?.length !== Math.max(1, groups.length)) return predictor;
  const materials = mesh.materials?.slice();
  for (const [g, { material }] of groups.entries()) {
    const found = from.materials?.[from.groups[g].material ?? -1];
    if (materials && material !== undefined && found)
      materials[material] = { ...found, name: materials[material].name };
  }
  const isSame =
    from.triangles.length === mesh.triangles.length && from.triangles.every((i, c) => i === mesh.triangles[c]);
  const attributes = isSame && splitVertexCount(from) === splitVertexCount(mesh) ? from.attributes : undefined;
  return { ...predictor, mesh: { ...mesh, ...(materials && { materials }), ...(attributes && { attributes }) } };
}

/** The predictor of a file, if it has one. */
export const readPredictor = (json: GLTF.IGLTF, accessors: Accessors): Predictor | undefined =>
  predictorExtension.read(json, accessors, validatePredictor);
