import type { GLTF } from '@gltf-transform/core';
import { facesOutward } from '../mesh/parts.ts';
import type { Material, Mesh } from '../model/mesh.ts';

/**
 * What a material is of which at most the name is known: grey, dull, and seen from both sides unless the mesh shows its
 * outside only. glTF's own default is a metal that is seen from one side: cloth would be invisible from the other, and
 * black wherever there is nothing to mirror.
 */
const PLAIN = { metallic: 0, roughness: 0.8 } as const;
const GREY = [0.6, 0.6, 0.6, 1] as const;
/** Under vertex colours, which multiply it. */
const WHITE = [1, 1, 1, 1] as const;

/** The name under which GLBs have the material of triangles that have none. */
export const PLAIN_NAME = 'plain';

export function plainMaterials(names: readonly string[], mesh: Mesh): Material[] {
  if (names.length === 0) return [];
  const doubleSided = !facesOutward(mesh);
  const baseColor = mesh.attributes?.COLOR_0 ? WHITE : GREY;
  return names.map((name) => ({ name, baseColor, ...PLAIN, doubleSided }));
}

/** Whether nothing but the name is known of a material. */
export const isNameOnly = ({ baseColor, metallic, roughness, baseColorTexture, gltf }: Material): boolean =>
  [GREY, WHITE].some((color) => color.every((x, c) => baseColor[c] === x)) &&
  metallic === PLAIN.metallic &&
  roughness === PLAIN.roughness &&
  !baseColorTexture &&
  !gltf;

/** Whether a file has this material because its triangles had none; one that was changed since is a material. */
export function isPlain(definition: GLTF.IMaterial): boolean {
  const { name = PLAIN_NAME, doubleSided: _, pbrMetallicRoughness: pbr = {}, ...beyond } = definition;
  const { baseColorFactor, metallicFactor, roughnessFactor, ...pictures } = pbr;
  return (
    name === PLAIN_NAME &&
    [GREY, WHITE].some((color) => color.every((x, c) => (baseColorFactor?.[c] ?? 1) === x)) &&
    metallicFactor === PLAIN.metallic &&
    roughnessFactor === PLAIN.roughness &&
    Object.keys({ ...beyond, ...pictures }).length === 0
  );
}
