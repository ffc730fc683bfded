import type { GltfObject, Image, Material } from '../model/mesh.ts';
import { materialOf } from './gltf/materials.ts';

/** A texture of a material, and how it is used. */
export interface UsedTexture {
  image: Image;
  /** What glTF's texture info says beside the index: `scale`, `texCoord`, extensions. */
  info?: GltfObject;
  clamped?: boolean;
}

/** What formats with simpler materials than glTF's say of one. What they do not say stays as in the plain material. */
export interface MaterialParts {
  /** Linear RGB. Ignored where there is a picture of it, as Blender does. */
  color?: readonly number[];
  opacity?: number;
  metallic?: number;
  roughness?: number;
  /** Linear RGB. */
  emission?: readonly number[];
  textures: Partial<Record<TextureSlot, UsedTexture>>;
}

export type TextureSlot = 'baseColor' | 'metallicRoughness' | 'normal' | 'occlusion' | 'emissive';

/** The extension by which glTF has a picture that is neither PNG nor JPEG. */
const EXTENSION_OF: Record<string, string> = {
  'image/webp': 'EXT_texture_webp',
  'image/avif': 'EXT_texture_avif',
  'image/ktx2': 'KHR_texture_basisu',
  'image/vnd-ms.dds': 'MSFT_texture_dds',
};
const CLAMPED = { wrapS: 33071, wrapT: 33071 };

/** A material of these parts, as glTF has it. */
export function madeMaterial(plain: Material, parts: MaterialParts): Material {
  const lists = { textures: [] as GltfObject[], samplers: [] as GltfObject[], images: [] as Image[] };
  const slots: GltfObject = {};
  for (const [slot, { image, info, clamped }] of Object.entries(parts.textures)) {
    const source = lists.images.includes(image) ? lists.images.indexOf(image) : lists.images.push(image) - 1;
    const extension = EXTENSION_OF[image.mimeType];
    const texture: GltfObject = extension ? { extensions: { [extension]: { source } } } : { source };
    if (clamped) Object.assign(texture, { sampler: (lists.samplers[0] ??= CLAMPED) && 0 });
    slots[`${slot}Texture`] = { index: lists.textures.push(texture) - 1, ...info };
  }
  const { baseColorTexture, metallicRoughnessTexture, ...others } = slots;
  const { color = plain.baseColor, opacity = 1, metallic = plain.metallic, roughness = plain.roughness } = parts;
  const [red, green, blue] = baseColorTexture ? [1, 1, 1] : color;
  const emission = parts.textures.emissive ? [1, 1, 1] : (parts.emission ?? [0, 0, 0]);
  const definition: GltfObject = {
    name: plain.name,
    pbrMetallicRoughness: {
      baseColorFactor: [red, green, blue, opacity],
      metallicFactor: metallicRoughnessTexture ? 1 : metallic,
      roughnessFactor: metallicRoughnessTexture ? 1 : roughness,
      ...(baseColorTexture !== undefined && { baseColorTexture }),
      ...(metallicRoughnessTexture !== undefined && { metallicRoughnessTexture }),
    },
    ...others,
    ...(emission.some((x) => x > 0) && { emissiveFactor: emission.map((x) => Math.min(1, x)) }),
    ...(plain.doubleSided && { doubleSided: true }),
    ...(opacity < 1 && { alphaMode: 'BLEND' }),
  };
  return materialOf({ material: definition, ...lists });
}
