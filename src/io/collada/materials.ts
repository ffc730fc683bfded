import type { Image, Mesh } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { type Beside, PicturesBeside } from '../beside.ts';
import { type MaterialParts, madeMaterial } from '../made-material.ts';
import { linearFromSrgb } from '../srgb.ts';
import type { ColladaDocument } from './document.ts';
import { child, childrenOf, type XmlElement } from './xml.ts';

/**
 * `<material>` → `<effect>` → `<profile_COMMON>` (8-3): diffuse and emitted colours or textures, transparency. Colours are those
 * of screens. What shines is called plain: highlights of Phong and Blinn say little about roughness.
 */

const SHADERS = ['phong', 'blinn', 'lambert', 'constant'];

/** What is said of each material, by its id and by its name. Pictures are read from the files `beside` the document. */
export async function readMaterials(
  document: ColladaDocument,
  beside: Beside | undefined,
): Promise<Map<string, MaterialParts>> {
  const found = new Map<string, MaterialParts>();
  const pictures = new PicturesBeside(beside, document.notes);
  for (const library of childrenOf(document.root, 'library_materials')) {
    for (const material of childrenOf(library, 'material')) {
      const effect = referred(document, child(material, 'instance_effect'), 'url');
      const profile = effect && child(effect, 'profile_COMMON');
      const { id, name = id } = material.attributes;
      const parts = profile && (await readProfile(document, profile, name, pictures));
      for (const key of parts ? [id, name] : []) if (key !== undefined) found.set(key, parts!);
    }
  }
  return found;
}

/** The mesh with the materials that are known by the names of its own. */
export const withMaterials = (mesh: Mesh, known: ReadonlyMap<string, MaterialParts>): Mesh =>
  mesh.materials
    ? {
        ...mesh,
        materials: mesh.materials.map((plain) =>
          known.has(plain.name) ? madeMaterial(plain, known.get(plain.name)!) : plain,
        ),
      }
    : mesh;

/** The element that another one names; a name that leads nowhere is passed over. */
function referred(
  document: ColladaDocument,
  element: XmlElement | undefined,
  attribute: string,
): XmlElement | undefined {
  return element && document.byId((element.attributes[attribute] ?? '').replace(/^#/, ''));
}

async function readProfile(
  document: ColladaDocument,
  profile: XmlElement,
  name: string | undefined,
  pictures: PicturesBeside,
): Promise<MaterialParts | undefined> {
  const technique = child(profile, 'technique');
  const shader = technique?.children.find((element) => SHADERS.includes(element.name));
  if (!shader) return undefined;
  const slot = (slotName: string) => child(shader, slotName);
  const textured = shader.children.filter((element) => child(element, 'texture')).map((element) => element.name);
  const leftOut = textured.filter((each) => each !== 'diffuse' && each !== 'emission');
  if (leftOut.length > 0) document.note(note('not-read', { what: 'textures', names: leftOut }, name));

  const picture = async (of: XmlElement | undefined): Promise<{ image: Image } | undefined> => {
    const texture = of && child(of, 'texture')?.attributes.texture;
    const file = texture && fileOf(document, profile, texture);
    const image = file ? await pictures.read(file) : undefined;
    return image && { image };
  };
  const baseColor = await picture(slot('diffuse'));
  const emissive = await picture(slot('emission'));
  return {
    color: colour(slot('diffuse'))?.slice(0, 3).map(linearFromSrgb),
    opacity: opacityOf(slot('transparent'), slot('transparency')),
    emission: colour(slot('emission'))?.slice(0, 3).map(linearFromSrgb),
    textures: { ...(baseColor && { baseColor }), ...(emissive && { emissive }) },
  };
}

/** The file of a picture: a texture names a sampler, which names a surface, which names an image; or it names the image. */
function fileOf(document: ColladaDocument, profile: XmlElement, texture: string): string | undefined {
  const parameter = (sid: string, kind: string): XmlElement | undefined => {
    const found = childrenOf(profile, 'newparam').find(({ attributes }) => attributes.sid === sid);
    return found && child(found, kind);
  };
  const textOf = (element: XmlElement | undefined, inner: string): string | undefined =>
    element && child(element, inner)?.text.trim();
  const sampler = parameter(texture, 'sampler2D');
  const surface = parameter(textOf(sampler, 'source') ?? '', 'surface');
  const image =
    referred(document, sampler && child(sampler, 'instance_image'), 'url') ??
    document.byId(textOf(surface, 'init_from') ?? texture);
  const from = image && child(image, 'init_from');
  const uri = (from && child(from, 'ref')?.text.trim()) || from?.text.trim();
  if (!uri) return undefined;
  try {
    return decodeURIComponent(uri.replace(/^file:\/*/i, '/'));
  } catch {
    return uri;
  }
}

/** Numbers of `<color>`, within 0…1; undefined unless there are at least three. */
function colour(of: XmlElement | undefined): number[] | undefined {
  const numbers = (of && child(of, 'color')?.text.trim().split(/\s+/).map(Number)) ?? [];
  if (numbers.length < 3 || !numbers.every((x) => Number.isFinite(x))) return undefined;
  return numbers.map((x) => Math.min(1, Math.max(0, x)));
}

/**
 * `<transparent opaque="A_ONE">` (7-5): the alpha of the colour times transparency is opacity. RGB_ZERO: its brightness is
 * transparency. Exporters that get it wrong make what is opaque invisible: that is taken for opaque.
 */
function opacityOf(transparent: XmlElement | undefined, transparency: XmlElement | undefined): number | undefined {
  if (!transparent && !transparency) return undefined;
  const factor = Number((transparency && child(transparency, 'float')?.text) ?? 1);
  const color = colour(transparent) ?? [1, 1, 1, 1];
  const isZero = transparent?.attributes.opaque?.endsWith('_ZERO') ?? false;
  const brightness = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
  const opacity = isZero ? 1 - brightness * factor : (color[3] ?? 1) * factor;
  return opacity > 0 && opacity <= 1 ? opacity : 1;
}
