import type { GLTF } from '@gltf-transform/core';
import type { Image, Material } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { isPlain } from '../plain-material.ts';
import { dataUriType, decodeDataUri, type GltfSurroundings, isMissing, readBeside } from './resources.ts';

/** A material, and how its base colour texture wants the uvs. */
export interface GltfMaterial {
  material: Material;
  /** Whether it stands for no material. */
  plain: boolean;
  /** Which TEXCOORD_n the base colour texture uses. */
  texCoord: number;
  /** KHR_texture_transform, 2 × 3 row-major, in glTF's uv space (v down): baked into the uvs. */
  uvTransform?: readonly number[];
}

interface TextureTransform {
  offset?: [number, number];
  rotation?: number;
  scale?: [number, number];
  texCoord?: number;
}

export async function readMaterials(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | undefined)[],
  surroundings: GltfSurroundings,
  notes: Note[],
): Promise<GltfMaterial[]> {
  const images = new Map<number, Image | undefined>();
  const materials: GltfMaterial[] = [];
  for (const [m, definition] of (json.materials ?? []).entries()) {
    const pbr = definition.pbrMetallicRoughness ?? {};
    const material: Material = {
      name: definition.name || `material ${m}`,
      baseColor: (pbr.baseColorFactor as [number, number, number, number] | undefined) ?? [1, 1, 1, 1],
      metallic: pbr.metallicFactor ?? 1,
      roughness: pbr.roughnessFactor ?? 1,
      doubleSided: definition.doubleSided ?? false,
    };
    if (definition.alphaMode) material.alphaMode = definition.alphaMode as Material['alphaMode'];
    const texture = pbr.baseColorTexture;
    const index = texture && imageOf(json.textures![texture.index]);
    if (index !== undefined) {
      if (!images.has(index)) images.set(index, await readImage(json, index, buffers, surroundings, notes));
      const image = images.get(index);
      if (image) material.baseColorTexture = image;
    }
    const transform = texture?.extensions?.KHR_texture_transform as TextureTransform | undefined;
    materials.push({
      material,
      plain: isPlain(definition),
      texCoord: transform?.texCoord ?? texture?.texCoord ?? 0,
      uvTransform: transform && uvMatrix(transform),
    });
  }
  return materials;
}

/** The image of a texture; formats beyond PNG and JPEG name it in an extension. */
function imageOf(texture: GLTF.ITexture): number | undefined {
  if (texture.source !== undefined) return texture.source;
  for (const name of ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu']) {
    const extension = texture.extensions?.[name] as { source?: number } | undefined;
    if (extension?.source !== undefined) return extension.source;
  }
  return undefined;
}

/** The encoded bytes. A picture that is missing costs a note, not the mesh. */
async function readImage(
  json: GLTF.IGLTF,
  index: number,
  buffers: readonly (Uint8Array | undefined)[],
  surroundings: GltfSurroundings,
  notes: Note[],
): Promise<Image | undefined> {
  const { uri, mimeType, bufferView } = json.images![index];
  const at = `images[${index}]`;
  if (bufferView !== undefined) {
    const view = json.bufferViews![bufferView];
    const offset = view.byteOffset ?? 0;
    const bytes = buffers[view.buffer]?.slice(offset, offset + view.byteLength);
    if (bytes) return { mimeType: mimeType ?? imageType(bytes), bytes };
  } else if (uri?.startsWith('data:')) {
    return { mimeType: mimeType ?? dataUriType(uri), bytes: decodeDataUri(uri, `${at}.uri`) };
  } else if (uri !== undefined) {
    try {
      const bytes = await readBeside(uri, `${at}.uri`, surroundings);
      return { mimeType: mimeType ?? imageType(bytes), bytes };
    } catch (error) {
      if (!isMissing(error)) throw error;
      notes.push(note('image-missing', { image: index, file: uri }));
      return undefined;
    }
  }
  notes.push(note('image-missing', { image: index }));
  return undefined;
}

/** By the first bytes: JPEG starts with FF D8, everything else that reaches here is taken for PNG. */
const imageType = (bytes: Uint8Array): string => (bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : 'image/png');

/** uv' = T · R · S · uv, as KHR_texture_transform has it. */
function uvMatrix({ offset = [0, 0], rotation = 0, scale = [1, 1] }: TextureTransform): number[] {
  const c = Math.cos(rotation);
  const s = Math.sin(rotation);
  return [c * scale[0], s * scale[1], offset[0], -s * scale[0], c * scale[1], offset[1]];
}
