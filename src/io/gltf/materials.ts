import type { GLTF } from '@gltf-transform/core';
import type { Bytes } from '../../model/bytes.ts';
import type { GltfObject, Image, Material, MaterialDefinition } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { imageType } from '../image-type.ts';
import { isPlain } from '../plain-material.ts';
import { dataUriType, decodeDataUri, type GltfSurroundings, isMissing, openBeside } from './resources.ts';
import { mapTexture, mapTextureInfos, picturesOf } from './textures.ts';

/** A material of the file. */
export interface GltfMaterial {
  material: Material;
  /** Whether it stands for no material. */
  plain: boolean;
}

export async function readMaterials(
  json: GLTF.IGLTF,
  buffers: readonly (Bytes | undefined)[],
  surroundings: GltfSurroundings,
  notes: Note[],
): Promise<GltfMaterial[]> {
  const definitions = (json.materials ?? []) as unknown as GltfObject[];
  const textures = (json.textures ?? []) as GltfObject[];
  const used = new Set<number>();
  for (const definition of definitions) {
    mapTextureInfos(definition, (info) => void used.add(info.index));
  }
  const images = new Map<number, Image>();
  for (const index of new Set([...used].flatMap((texture) => picturesOf(textures[texture])))) {
    const image = await readImage(json, index, buffers, surroundings, notes);
    if (image) images.set(index, image);
  }
  return definitions.map((definition, m) => ({
    material: readMaterial(definition, m, json, images),
    plain: isPlain(definition),
  }));
}

/** The material, with what it refers to in lists of its own. Textures without a picture are left out. */
function readMaterial(given: GltfObject, m: number, json: GLTF.IGLTF, images: ReadonlyMap<number, Image>): Material {
  const own = { textures: [] as GltfObject[], samplers: [] as GltfObject[], images: [] as Image[] };
  const place = <T>(list: T[], entry: T): number => (list.includes(entry) ? list.indexOf(entry) : list.push(entry) - 1);
  const textures = new Map<number, number>(); // texture of the file → of the material
  const definition = mapTextureInfos(withoutForeign(given), (info) => {
    const texture = json.textures![info.index] as GltfObject;
    if (!picturesOf(texture).some((picture) => images.has(picture))) return undefined;
    if (!textures.has(info.index)) {
      const sampler = (index: number) => place(own.samplers, json.samplers![index] as GltfObject);
      const picture = (index: number) => {
        const image = images.get(index);
        return image && place(own.images, image);
      };
      textures.set(info.index, own.textures.push(mapTexture(texture, sampler, picture)) - 1);
    }
    return { ...info, index: textures.get(info.index) };
  });
  return materialOf({ material: definition, ...own }, `material ${m}`);
}

/** A definition as a material; it is kept where it says more. */
export function materialOf(definition: MaterialDefinition, otherwise?: string): Material {
  const material = summary(definition.material, otherwise);
  const base = (definition.material as GLTF.IMaterial).pbrMetallicRoughness?.baseColorTexture;
  if (base) material.baseColorTexture = definition.images[picturesOf(definition.textures[base.index])[0]];
  if (saysMore(definition)) material.gltf = definition;
  return material;
}

/** What a definition says of the fields that all materials have. */
export function summary(definition: GltfObject, otherwise = ''): Material {
  const { name, pbrMetallicRoughness: pbr = {}, doubleSided = false, alphaMode } = definition as GLTF.IMaterial;
  return {
    name: name || otherwise,
    baseColor: (pbr.baseColorFactor as [number, number, number, number] | undefined) ?? [1, 1, 1, 1],
    metallic: pbr.metallicFactor ?? 1,
    roughness: pbr.roughnessFactor ?? 1,
    doubleSided,
    ...(alphaMode && { alphaMode: alphaMode as Material['alphaMode'] }),
  };
}

/** Whether a definition says more than `Material` has room for. */
function saysMore({ material: definition, textures, samplers }: MaterialDefinition): boolean {
  const beyond = (object: object | undefined, ...known: string[]): boolean =>
    Object.keys(object ?? {}).some((name) => !known.includes(name));
  const { pbrMetallicRoughness: pbr, emissiveFactor = [] } = definition as GLTF.IMaterial;
  return (
    beyond(definition, 'name', 'doubleSided', 'alphaMode', 'pbrMetallicRoughness', 'emissiveFactor') ||
    emissiveFactor.some((x) => x !== 0) ||
    beyond(pbr, 'baseColorFactor', 'metallicFactor', 'roughnessFactor', 'baseColorTexture') ||
    beyond(pbr?.baseColorTexture, 'index', 'texCoord') ||
    (pbr?.baseColorTexture?.texCoord ?? 0) !== 0 ||
    textures.some((texture) => beyond(texture, 'source', 'sampler')) ||
    samplers.some(
      (sampler) =>
        beyond(sampler, 'wrapS', 'wrapT') ||
        (sampler.wrapS ?? REPEAT) !== REPEAT ||
        (sampler.wrapT ?? REPEAT) !== REPEAT,
    )
  );
}

/** glTF's wrap mode if a sampler says nothing. */
const REPEAT = 10497;

/** Without extensions that may refer to other things than textures. */
function withoutForeign(definition: GltfObject): GltfObject {
  const { extensions, ...rest } = definition;
  const known = Object.entries((extensions as GltfObject | undefined) ?? {}).filter(([name]) =>
    /_materials?_/.test(name),
  );
  return known.length > 0 ? { ...rest, extensions: Object.fromEntries(known) } : rest;
}

/** The encoded bytes. A picture that is missing costs a note, not the mesh. */
async function readImage(
  json: GLTF.IGLTF,
  index: number,
  buffers: readonly (Bytes | undefined)[],
  surroundings: GltfSurroundings,
  notes: Note[],
): Promise<Image | undefined> {
  const { name, uri, mimeType, bufferView } = json.images![index];
  const at = `images[${index}]`;
  const imageOf = async (bytes: Bytes, said = mimeType): Promise<Image> => ({
    ...(name && { name }),
    mimeType: said ?? (await imageType(bytes)) ?? 'image/png',
    bytes,
  });
  if (bufferView !== undefined) {
    const view = json.bufferViews![bufferView];
    const offset = view.byteOffset ?? 0;
    const bytes = buffers[view.buffer]?.subarray(offset, offset + view.byteLength);
    if (bytes) return imageOf(bytes);
  } else if (uri?.startsWith('data:')) {
    return imageOf(decodeDataUri(uri, `${at}.uri`), mimeType ?? dataUriType(uri));
  } else if (uri !== undefined) {
    try {
      return await imageOf(await openBeside(uri, `${at}.uri`, surroundings));
    } catch (error) {
      if (!isMissing(error)) throw error;
      notes.push(note('image-missing', { image: index, file: uri }));
      return undefined;
    }
  }
  notes.push(note('image-missing', { image: index }));
  return undefined;
}
