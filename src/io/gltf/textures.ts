import type { GltfObject } from '../../model/mesh.ts';

/** How materials of a glTF name their textures. */

/** Extensions of a texture that name a picture in another format than PNG or JPEG. */
export const PICTURE_EXTENSIONS = ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu', 'MSFT_texture_dds'];

export const isObject = (value: unknown): value is GltfObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A material with other texture infos (glTF 2.0 §5.31), also in extensions: an object with an index, in a property
 * `…Texture`. Those for which `map` returns undefined are left out. `slot` is the name of the property.
 */
export function mapTextureInfos(
  material: GltfObject,
  map: (info: GltfObject & { index: number }, slot: string) => GltfObject | undefined,
): GltfObject {
  const out: GltfObject = {};
  for (const [name, value] of Object.entries(material)) {
    const isInfo = name.endsWith('Texture') && isObject(value) && 'index' in value;
    const mapped = isInfo
      ? map(value as GltfObject & { index: number }, name)
      : isObject(value) && name !== 'extras'
        ? mapTextureInfos(value, map)
        : value;
    if (mapped !== undefined) out[name] = mapped;
  }
  return out;
}

/** A texture with other places for its sampler and its pictures, of which it may have several in different formats. */
export function mapTexture(
  texture: GltfObject,
  sampler: (place: number) => number,
  picture: (place: number) => number | undefined,
): GltfObject {
  const out = { ...texture };
  if (texture.sampler !== undefined) out.sampler = sampler(texture.sampler as number);
  const setSource = (from: GltfObject, to: GltfObject) => {
    const place = from.source === undefined ? undefined : picture(from.source as number);
    if (place === undefined) delete to.source;
    else to.source = place;
  };
  setSource(texture, out);
  const extensions: GltfObject = {};
  for (const [name, extension] of Object.entries((texture.extensions as GltfObject) ?? {})) {
    if (!PICTURE_EXTENSIONS.includes(name)) continue;
    const copy = { ...(extension as GltfObject) };
    setSource(extension as GltfObject, copy);
    if (copy.source !== undefined) extensions[name] = copy;
  }
  delete out.extensions;
  if (Object.keys(extensions).length > 0) out.extensions = extensions;
  return out;
}

/** The places of all pictures of a texture, the most widely understood first. */
export function picturesOf({ source, extensions = {} }: GltfObject): number[] {
  const more = PICTURE_EXTENSIONS.map((name) => (extensions as Record<string, GltfObject>)[name]?.source);
  return [source, ...more].filter((place) => place !== undefined) as number[];
}
