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
import { type TextureInfo, textureInfo } from '../../../src/mesh/texture-uvs.ts';

export type FileMaterial = NonNullable<Mesh['materials']>[number];

/** The textures that are drawn: where a material has them, and in which colours they are. Each has its own uvs, in this order. */
export const MAPS = [
  { slot: 'baseColorTexture', map: 'map', colorSpace: SRGBColorSpace },
  { slot: 'normalTexture', map: 'normalMap', colorSpace: NoColorSpace },
  { slot: 'occlusionTexture', map: 'aoMap', colorSpace: NoColorSpace },
  { slot: 'emissiveTexture', map: 'emissiveMap', colorSpace: SRGBColorSpace },
] as const;

export type FileMap = (typeof MAPS)[number];

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
