import { signal } from '@preact/signals-core';
import { Color, DoubleSide, MeshPhongMaterial, RepeatWrapping, SRGBColorSpace, Texture, Vector2 } from 'three';
import type { Image, Mesh } from '../../../src/index.ts';

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

/** Number of textures loaded so far; another one changes how surfaces look. */
export const decoded = signal(0);

/** The materials of a surface: from its file, or painted by vertex colours. */
export class SurfaceMaterials {
  readonly plain: MeshPhongMaterial | MeshPhongMaterial[];
  readonly painted = phong({ color: new Color(1, 1, 1), shininess: 4, specular: new Color(0), vertexColors: true });
  readonly #textures: Texture[] = [];
  readonly #own = new Map<MeshPhongMaterial, typeof GHOST>();

  constructor(mesh: Mesh) {
    const { materials = [], groups = [] } = mesh;
    const used = groups.some(({ material }) => material !== undefined) && materials.length > 0;
    // After those of the file: the default for groups without a material.
    this.plain = used ? [...materials.map((material) => this.#fileMaterial(material)), phong(CLAY)] : phong(CLAY);
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
  #fileMaterial({ baseColor, roughness, alphaMode, baseColorTexture }: FileMaterial): MeshPhongMaterial {
    const [red, green, blue, opacity] = baseColor;
    const gloss = (1 - Math.min(1, roughness)) ** 2;
    const material = phong({
      color: new Color(red, green, blue),
      shininess: 4 + 80 * gloss,
      specular: new Color().setScalar(0.02 + 0.2 * gloss),
    });
    if (alphaMode === 'BLEND') Object.assign(material, { transparent: true, opacity });
    if (alphaMode === 'MASK') material.alphaTest = 0.5;
    if (baseColorTexture) void this.#addPicture(material, baseColorTexture);
    return material;
  }

  /** Textures are decoded asynchronously; if that fails, the colour stays. */
  async #addPicture(material: MeshPhongMaterial, { mimeType, bytes }: Image): Promise<void> {
    const blob = new Blob([new Uint8Array(bytes)], { type: mimeType });
    // Keeps the browser from premultiplying alpha.
    const options = { imageOrientation: 'flipY', premultiplyAlpha: 'none' } as const;
    const bitmap = await createImageBitmap(blob, options).catch(() => undefined);
    if (!bitmap) return;
    const texture = new Texture(bitmap);
    Object.assign(texture, { flipY: false, wrapS: RepeatWrapping, wrapT: RepeatWrapping, colorSpace: SRGBColorSpace });
    texture.needsUpdate = true;
    this.#textures.push(texture);
    material.map = texture;
    material.needsUpdate = true;
    decoded.value++;
  }
}

type FileMaterial = NonNullable<Mesh['materials']>[number];

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
