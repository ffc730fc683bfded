import type { Document, GLTF, Material as GltfMaterial, Texture } from '@gltf-transform/core';
import { type Bytes, readBytes } from '../../model/bytes.ts';
import type { GltfObject, Image, Material, MaterialDefinition } from '../../model/mesh.ts';
import { summary } from '../gltf/materials.ts';
import { isObject, mapTexture, mapTextureInfos, PICTURE_EXTENSIONS, picturesOf } from '../gltf/textures.ts';

/**
 * The materials of a GLB in the making. Those with a definition are first written by name only; `complete` then puts the
 * definitions in their places, as glTF-Transform drops extensions that it does not know.
 */
export class GlbMaterials {
  readonly #document: Document;
  readonly #names: boolean;
  readonly #made = new Map<Material, GltfMaterial>();
  /** By their bytes: copies of a picture share them. */
  readonly #textures = new Map<Bytes, Texture>();

  constructor(document: Document, names: boolean) {
    this.#document = document;
    this.#names = names;
  }

  /** Materials and their pictures are shared by identity. */
  add(material: Material): GltfMaterial {
    let made = this.#made.get(material);
    if (made) return made;
    made = this.#document.createMaterial(this.#names ? material.name : '');
    this.#made.set(material, made);
    if (material.gltf) {
      for (const image of material.gltf.images) this.#texture(image);
      return made;
    }
    const { baseColor, metallic, roughness, doubleSided, alphaMode = 'OPAQUE', baseColorTexture } = material;
    made
      .setBaseColorFactor([...baseColor])
      .setMetallicFactor(metallic)
      .setRoughnessFactor(roughness)
      .setDoubleSided(doubleSided)
      .setAlphaMode(alphaMode);
    if (baseColorTexture) made.setBaseColorTexture(this.#texture(baseColorTexture));
    return made;
  }

  #texture({ name = '', mimeType, bytes }: Image): Texture {
    let texture = this.#textures.get(bytes);
    if (!texture) {
      texture = this.#document.createTexture(this.#names ? name : '').setMimeType(mimeType);
      this.#textures.set(bytes, texture);
    }
    return texture;
  }

  /** The pictures, which until now are only known. */
  async readPictures(): Promise<void> {
    for (const [bytes, texture] of this.#textures)
      texture.setImage((await readBytes(bytes)) as Uint8Array<ArrayBuffer>);
  }

  /** In place: the definitions of materials that have one, with their textures and samplers. */
  complete(json: GLTF.IGLTF): GLTF.IGLTF {
    const root = this.#document.getRoot();
    const pictures = root.listTextures();
    for (const [material, made] of this.#made) {
      if (!material.gltf) continue;
      const { textures, samplers, images } = material.gltf;
      const definition = mapTextureInfos(currentDefinition(material, material.gltf), (info) => {
        const texture = mapTexture(
          textures[info.index] ?? {},
          (sampler) => place(json, 'samplers', samplers[sampler] ?? {}),
          (image) => (images[image] ? pictures.indexOf(this.#texture(images[image])) : undefined),
        );
        if (picturesOf(texture).length === 0) return undefined;
        declare(json, texture);
        return { ...info, index: place(json, 'textures', texture) };
      });
      if (!this.#names) delete definition.name;
      declare(json, definition);
      json.materials![root.listMaterials().indexOf(made)] = definition as GLTF.IMaterial;
    }
    return json;
  }
}

/** Where an entry is in a list of the file, which it joins if no other is equal. */
function place(json: GLTF.IGLTF, list: 'samplers' | 'textures', entry: GltfObject): number {
  json[list] ??= [];
  const entries: GltfObject[] = json[list] as GltfObject[];
  const text = JSON.stringify(entry);
  const known = entries.findIndex((each) => JSON.stringify(each) === text);
  return known >= 0 ? known : entries.push(entry) - 1;
}

/** The definition, with the fields of the material that were changed since it was read. */
function currentDefinition(material: Material, { material: definition }: MaterialDefinition): GltfObject {
  const before = summary(definition, material.name);
  const { name, baseColor, metallic, roughness, doubleSided, alphaMode } = material;
  const changed = (field: keyof Material) => String(before[field]) !== String(material[field]);
  const pbr: GltfObject = {
    ...(definition.pbrMetallicRoughness as GltfObject),
    ...(changed('baseColor') && { baseColorFactor: [...baseColor] }),
    ...(changed('metallic') && { metallicFactor: metallic }),
    ...(changed('roughness') && { roughnessFactor: roughness }),
  };
  if (!material.baseColorTexture) delete pbr.baseColorTexture;
  const { alphaCutoff: _, ...others } = definition;
  return {
    ...(alphaMode === 'MASK' ? definition : others),
    ...(changed('name') && { name }),
    ...(Object.keys(pbr).length > 0 && { pbrMetallicRoughness: pbr }),
    ...(changed('doubleSided') && { doubleSided }),
    ...(changed('alphaMode') && { alphaMode: alphaMode ?? 'OPAQUE' }),
  };
}

/** Names the extensions of a material or texture, also of what is in it, as those of the file. */
function declare(json: GLTF.IGLTF, object: GltfObject): void {
  for (const [name, value] of Object.entries(object)) {
    if (name === 'extras' || !isObject(value)) continue;
    declare(json, value);
    for (const extension of name === 'extensions' ? Object.keys(value) : []) {
      json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), extension])];
      // Without another picture, players must know it.
      const needed = PICTURE_EXTENSIONS.includes(extension) && object.source === undefined;
      if (needed) json.extensionsRequired = [...new Set([...(json.extensionsRequired ?? []), extension])];
    }
  }
}
