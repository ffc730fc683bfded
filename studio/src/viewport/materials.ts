import { Color, DoubleSide, MeshPhongMaterial, type Texture, Vector2 } from 'three';
import type { Mesh } from '../../../src/index.ts';
import { type FileMap, type FileMaterial, type FileTexture, fileTexture, MAPS } from './file-textures.ts';
import { decoded, textureOf } from './pictures.ts';

/** Clay: the default material. */
const CLAY = { color: new Color().setHSL(0.58, 0.24, 0.6), shininess: 18, specular: new Color(0x1c1c1c) };

/** Warm and clear, in front of clay. */
const GHOST = { transparent: true, opacity: 0.4, color: new Color(0xff7a2f) };

/** A fourth colour component, 0…1, is not opacity: contour lines run at multiples of 0.1, except at the ends. */
const LINES = `#include <color_fragment>
#ifdef USE_COLOR_ALPHA
  float tenths = 10.0 * vColor.a;
  float apart = abs(fract(tenths - 0.5) - 0.5) / max(fwidth(tenths), 1e-6);
  if (abs(tenths - 5.0) < 4.5) diffuseColor.rgb *= mix(0.55, 1.0, clamp(apart, 0.0, 1.0));
  diffuseColor.a = opacity;
#endif`;

/** Scale and offset of the brightness of all surfaces. */
const tone = { value: new Vector2() };

/** Sets the tone of surfaces: edges stay darker than a light background, and lighter than a dark one. */
export function setTone(wireframe: boolean, dark: boolean): void {
  tone.value.set(wireframe && !dark ? 3 : 0, wireframe && dark ? 0.15 : 0);
}

/** Most of what looks bright is green; one factor for all three keeps the hue. */
const TONE = `outgoingLight = outgoingLight / (1.0 + tone.x * outgoingLight.g) + tone.y;
#include <opaque_fragment>`;

/** The materials of a surface: from its file, or painted by vertex colours. */
export class SurfaceMaterials {
  readonly plain: MeshPhongMaterial | MeshPhongMaterial[];
  readonly painted = phong({ color: new Color(1, 1, 1), shininess: 4, specular: new Color(0), vertexColors: true });
  readonly #textures: Texture[] = [];
  readonly #own = new Map<MeshPhongMaterial, typeof GHOST>();

  constructor(mesh: Mesh) {
    const { materials = [], groups = [], attributes = {} } = mesh;
    const vertexColors = attributes.COLOR_0 !== undefined;
    const used = groups.some(({ material }) => material !== undefined) && materials.length > 0;
    // After those of the file: the default for groups without a material.
    const clay = phong(vertexColors ? { ...CLAY, color: new Color(1, 1, 1), vertexColors } : CLAY);
    this.plain = used ? [...materials.map((material) => this.#fileMaterial(material, vertexColors)), clay] : clay;
    for (const material of this.all) {
      const { transparent, opacity, color } = material;
      this.#own.set(material, { transparent, opacity, color: color.clone() });
    }
  }

  /** Every material once. */
  get all(): MeshPhongMaterial[] {
    return [this.plain, this.painted].flat();
  }

  set wireframe(on: boolean) {
    for (const material of this.all) material.wireframe = on;
  }

  /** Makes it a transparent ghost. */
  set ghost(on: boolean) {
    for (const material of this.all) {
      const { transparent, opacity, color } = on ? GHOST : this.#own.get(material)!;
      if (material.transparent !== transparent) material.needsUpdate = true;
      Object.assign(material, { transparent, opacity, depthWrite: !on });
      material.color.copy(color);
    }
  }

  dispose(): void {
    for (const material of this.all) material.dispose();
    for (const texture of this.#textures) texture.dispose();
  }

  /** Phong's highlights stand for roughness: what is compared here is shape. */
  #fileMaterial(given: FileMaterial, vertexColors: boolean): MeshPhongMaterial {
    const { baseColor, roughness, alphaMode, gltf } = given;
    const [red, green, blue, opacity] = baseColor;
    const gloss = (1 - Math.min(1, roughness)) ** 2;
    const material = phong({
      color: new Color(red, green, blue),
      shininess: 4 + 80 * gloss,
      specular: new Color().setScalar(0.02 + 0.2 * gloss),
      vertexColors,
    });
    const { emissiveFactor = [0, 0, 0], alphaCutoff = 0.5 } = (gltf?.material ?? {}) as MoreFactors;
    if (alphaMode === 'BLEND') Object.assign(material, { transparent: true, opacity });
    if (alphaMode === 'MASK') material.alphaTest = alphaCutoff;
    for (const [channel, map] of MAPS.entries()) {
      const texture = fileTexture(given, map);
      if (texture) void this.#addMap(material, map, texture, channel, emissiveFactor);
      else if (map.slot === 'emissiveTexture') material.emissive.setRGB(...emissiveFactor);
    }
    return material;
  }

  /** Pictures are decoded asynchronously; if that fails, the material stays without. */
  async #addMap(
    material: MeshPhongMaterial,
    { map, colorSpace }: FileMap,
    { images, wrap, scale = 1, strength = 1 }: FileTexture,
    channel: number,
    emissive: [number, number, number],
  ): Promise<void> {
    const texture = await textureOf(images);
    if (!texture) return;
    Object.assign(texture, { ...wrap, colorSpace, channel });
    this.#textures.push(texture);
    material[map] = texture;
    if (map === 'normalMap') material.normalScale.setScalar(scale);
    if (map === 'aoMap') material.aoMapIntensity = strength;
    if (map === 'emissiveMap') material.emissive.setRGB(...emissive);
    material.needsUpdate = true;
    decoded.value++;
  }
}

/** Factors of a glTF material beside those of `Material`. */
interface MoreFactors {
  emissiveFactor?: [number, number, number];
  alphaCutoff?: number;
}

function phong(parameters: ConstructorParameters<typeof MeshPhongMaterial>[0]): MeshPhongMaterial {
  const material = new MeshPhongMaterial({ side: DoubleSide, shadowSide: DoubleSide, fog: false, ...parameters });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.tone = tone;
    shader.fragmentShader = `uniform vec2 tone;\n${shader.fragmentShader}`
      .replace('#include <color_fragment>', LINES)
      .replace('#include <opaque_fragment>', TONE);
  };
  return material;
}
