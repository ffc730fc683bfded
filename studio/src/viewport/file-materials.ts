import { Color, MeshBasicMaterial, MeshPhysicalMaterial, type Texture } from 'three';
import type { Mesh } from '../../../src/index.ts';
import { type FileMap, type FileMaterial, type FileTexture, fileTexture, MAPS, uvChannels } from './file-textures.ts';
import { decoded, textureOf } from './pictures.ts';

/** Factors of KHR_materials_*, and what three.js calls them. */
const EXTENSIONS: Record<string, Record<string, string>> = {
  KHR_materials_clearcoat: { clearcoatFactor: 'clearcoat', clearcoatRoughnessFactor: 'clearcoatRoughness' },
  KHR_materials_ior: { ior: 'ior' },
  KHR_materials_specular: { specularFactor: 'specularIntensity', specularColorFactor: 'specularColor' },
  KHR_materials_sheen: { sheenColorFactor: 'sheenColor', sheenRoughnessFactor: 'sheenRoughness' },
  KHR_materials_iridescence: { iridescenceFactor: 'iridescence', iridescenceIor: 'iridescenceIOR' },
  KHR_materials_anisotropy: { anisotropyStrength: 'anisotropy', anisotropyRotation: 'anisotropyRotation' },
  KHR_materials_emissive_strength: { emissiveStrength: 'emissiveIntensity' },
};

/** How much light passes a fully transmissive material here: nothing behind it is bent. */
const CLEAR = 0.75;

/** What a glTF material has beside the fields of `Material`. */
interface Definition {
  emissiveFactor?: [number, number, number];
  alphaCutoff?: number;
  extensions?: Record<string, Record<string, number | number[]>>;
}

type Lit = MeshPhysicalMaterial | MeshBasicMaterial;

/** The materials of a file as three.js has them, in the order of the file. Pictures come when they are decoded. */
export class FileMaterials {
  readonly all: Lit[];
  readonly #textures: Texture[] = [];

  constructor(mesh: Mesh) {
    const channels = uvChannels(mesh);
    const vertexColors = mesh.attributes?.COLOR_0 !== undefined;
    this.all = (mesh.materials ?? []).map((given) => {
      const material = materialOf(given, vertexColors);
      for (const map of MAPS) {
        const texture = fileTexture(given, map);
        const uvs = channels.get(map.slot);
        if (texture && uvs) void this.#addMap(material, map, texture, uvs.channel);
      }
      return material;
    });
  }

  dispose(): void {
    for (const texture of this.#textures) texture.dispose();
  }

  /** Pictures are decoded asynchronously; if that fails, the material stays without. */
  async #addMap(
    material: Lit,
    { maps, colorSpace }: FileMap,
    { images, wrap, scale = 1, strength = 1 }: FileTexture,
    channel: number,
  ): Promise<void> {
    const texture = await textureOf(images);
    if (!texture) return;
    Object.assign(texture, { ...wrap, colorSpace, channel });
    this.#textures.push(texture);
    for (const map of maps) if (map in material) Object.assign(material, { [map]: texture });
    if (material instanceof MeshPhysicalMaterial) {
      if (material.normalMap === texture) material.normalScale.setScalar(scale);
      if (material.aoMap === texture) material.aoMapIntensity = strength;
    }
    material.needsUpdate = true;
    decoded.value++;
  }
}

function materialOf(given: FileMaterial, vertexColors: boolean): Lit {
  const { baseColor, roughness, metallic, alphaMode, gltf } = given;
  const [red, green, blue, opacity] = baseColor;
  const { emissiveFactor, alphaCutoff = 0.5, extensions = {} } = (gltf?.material ?? {}) as Definition;
  const color = new Color(red, green, blue);
  const alpha = {
    ...(alphaMode === 'BLEND' ? { transparent: true, opacity } : {}),
    ...(alphaMode === 'MASK' ? { alphaTest: alphaCutoff } : {}),
  };
  if (extensions.KHR_materials_unlit)
    return new MeshBasicMaterial({ color, vertexColors, toneMapped: false, ...alpha });
  const material = new MeshPhysicalMaterial({ color, vertexColors, roughness, metalness: metallic, ...alpha });
  if (emissiveFactor) material.emissive.setRGB(...emissiveFactor);
  if (extensions.KHR_materials_sheen) material.sheen = 1;
  for (const [name, factors] of Object.entries(EXTENSIONS)) {
    for (const [factor, property] of Object.entries(factors)) {
      const value = extensions[name]?.[factor];
      if (Array.isArray(value))
        Object.assign(material, { [property]: new Color().setRGB(...(value as [number, number, number])) });
      else if (value !== undefined) Object.assign(material, { [property]: value });
    }
  }
  const { transmissionFactor = 0 } = (extensions.KHR_materials_transmission ?? {}) as { transmissionFactor?: number };
  if (transmissionFactor > 0) {
    Object.assign(material, { transparent: true, opacity: material.opacity * (1 - CLEAR * transmissionFactor) });
  }
  return material;
}
