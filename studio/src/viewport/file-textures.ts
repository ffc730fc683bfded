import {
  ClampToEdgeWrapping,
  MirroredRepeatWrapping,
  NoColorSpace,
  RepeatWrapping,
  SRGBColorSpace,
  type Texture,
} from 'three';
import type { Image, Mesh } from '../../../src/index.ts';
import { picturesOf } from '../../../src/io/gltf/textures.ts';
import { type TextureInfo, type TextureSlot, textureInfo, textureUvs } from '../../../src/mesh/texture-uvs.ts';

export type FileMaterial = NonNullable<Mesh['materials']>[number];

/** The textures that are drawn: where a material has them, for which maps of three.js, and in which colours they are. */
export const MAPS = [
  { slot: 'baseColorTexture', maps: ['map'], colorSpace: SRGBColorSpace },
  { slot: 'normalTexture', maps: ['normalMap'], colorSpace: NoColorSpace },
  { slot: 'metallicRoughnessTexture', maps: ['metalnessMap', 'roughnessMap'], colorSpace: NoColorSpace },
  { slot: 'occlusionTexture', maps: ['aoMap'], colorSpace: NoColorSpace },
  { slot: 'emissiveTexture', maps: ['emissiveMap'], colorSpace: SRGBColorSpace },
] as const;

export type FileMap = (typeof MAPS)[number];

/** Sets of uvs that materials of three.js can tell apart. */
const CHANNELS = 4;

/** The uvs (2 per split vertex) of each texture of a mesh, and their number for three.js. Equal sets share one. */
export function uvChannels(mesh: Mesh): Map<TextureSlot, { channel: number; uvs: Float32Array }> {
  const sets: Float32Array[] = [];
  const channels = new Map<TextureSlot, { channel: number; uvs: Float32Array }>();
  for (const { slot } of MAPS) {
    const isUsed = slot === 'baseColorTexture' || mesh.materials?.some((material) => textureInfo(material, slot));
    const uvs = isUsed ? textureUvs(mesh, slot) : undefined;
    if (!uvs) continue;
    if (!sets.includes(uvs)) sets.push(uvs);
    const channel = sets.indexOf(uvs);
    if (channel < CHANNELS) channels.set(slot, { channel, uvs });
  }
  return channels;
}

/** glTF's wrap modes. */
const WRAPS: Record<number, Texture['wrapS']> = { 33071: ClampToEdgeWrapping, 33648: MirroredRepeatWrapping };

export interface FileTexture extends Partial<TextureInfo> {
  /** In other formats, the most widely understood first. */
  images: Image[];
  wrap: Pick<Texture, 'wrapS' | 'wrapT'>;
}

/** What a material says of a texture; undefined if it has none. */
export function fileTexture(material: FileMaterial, { slot }: FileMap): FileTexture | undefined {
  const { gltf, baseColorTexture } = material;
  const info = textureInfo(material, slot);
  const texture = info && gltf?.textures[info.index];
  const sampler = gltf?.samplers[(texture?.sampler as number | undefined) ?? -1];
  const others = texture ? picturesOf(texture).map((place) => gltf!.images[place]) : [];
  const images = slot === 'baseColorTexture' && baseColorTexture ? [baseColorTexture, ...others.slice(1)] : others;
  if (images.length === 0) return undefined;
  const wrapOf = (mode: unknown) => WRAPS[mode as number] ?? RepeatWrapping;
  return { ...info, images, wrap: { wrapS: wrapOf(sampler?.wrapS), wrapT: wrapOf(sampler?.wrapT) } };
}
