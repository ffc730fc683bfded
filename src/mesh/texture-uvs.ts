import { type Material, type Mesh, splitVertexCount } from '../model/mesh.ts';
import { attributeFloats } from './attribute-floats.ts';

/** Uvs of glTF in a mesh whose v points up, and back. */
export function flippedUvs(uvs: Float32Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(uvs);
  for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
  return out;
}

/** How a texture of a glTF material finds its uvs. */
interface TextureMapping {
  /** n of TEXCOORD_n. */
  texCoord: number;
  /** KHR_texture_transform: v′ = T · R · S · uv, with v down. */
  offset: [number, number];
  rotation: number;
  scale: [number, number];
}

/** Textures of a glTF material that views draw, by their names there. */
export type TextureSlot =
  | 'baseColorTexture'
  | 'metallicRoughnessTexture'
  | 'normalTexture'
  | 'occlusionTexture'
  | 'emissiveTexture';

/** Those in `pbrMetallicRoughness`; the others are in the material itself. */
const METALLIC_ROUGHNESS: readonly TextureSlot[] = ['baseColorTexture', 'metallicRoughnessTexture'];

/** The entry for a texture in a glTF material. */
export function textureInfo({ gltf }: Material, slot: TextureSlot): TextureInfo | undefined {
  const definition = METALLIC_ROUGHNESS.includes(slot) ? gltf?.material.pbrMetallicRoughness : gltf?.material;
  return (definition as { [S in TextureSlot]?: TextureInfo } | undefined)?.[slot];
}

/** How a texture finds its uvs; undefined when it takes `uvs` as they are. */
function textureMapping(material: Material, slot: TextureSlot): TextureMapping | undefined {
  const info = textureInfo(material, slot);
  const transform = info?.extensions?.KHR_texture_transform;
  const texCoord = transform?.texCoord ?? info?.texCoord ?? 0;
  if (!transform && texCoord === 0) return undefined;
  return { offset: [0, 0], rotation: 0, scale: [1, 1], ...transform, texCoord };
}

export interface TextureInfo {
  index: number;
  texCoord?: number;
  /** Of normals. */
  scale?: number;
  /** Of occlusion. */
  strength?: number;
  extensions?: { KHR_texture_transform?: Partial<TextureMapping> };
}

/**
 * 2W: where each split vertex finds its base colour, or another texture, for whoever knows one set of uvs and no transforms: `uvs`, unless a
 * material takes another set or moves them. Where two materials that differ in this share a vertex, the later group counts.
 * Undefined when the mesh has no uvs.
 */
export function textureUvs(mesh: Mesh, slot: TextureSlot = 'baseColorTexture'): Float32Array | undefined {
  const { materials = [], groups = [], attributes = {}, uvs } = mesh;
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  let out: Float32Array | undefined;
  for (const { start, count, material } of groups) {
    const mapping = material === undefined ? undefined : textureMapping(materials[material], slot);
    const other = mapping && attributes[`TEXCOORD_${mapping.texCoord}`];
    const set = other && attributeFloats(other);
    if (!mapping || !(set || uvs)) continue;
    out ??= uvs?.slice() ?? new Float32Array(2 * splitVertexCount(mesh));
    const [c, s] = [Math.cos(mapping.rotation), Math.sin(mapping.rotation)];
    for (const w of corners.subarray(3 * start, 3 * (start + count))) {
      const u = set ? set[2 * w] : uvs![2 * w];
      const v = set ? set[2 * w + 1] : 1 - uvs![2 * w + 1];
      const [x, y] = [mapping.scale[0] * u, mapping.scale[1] * v];
      out[2 * w] = c * x + s * y + mapping.offset[0];
      out[2 * w + 1] = 1 - (c * y - s * x + mapping.offset[1]);
    }
  }
  return out ?? uvs;
}
