import {
  Color,
  DoubleSide,
  type Material,
  type MaterialParameters,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  Vector2,
} from 'three';
import type { Mesh } from '../../../src/index.ts';
import type { SurfaceLook } from '../core/view/looks.ts';
import { FileMaterials } from './file-materials.ts';
import { checker, matcap } from './look-textures.ts';

/** Clay: the default material. */
const CLAY = { color: new Color().setHSL(0.58, 0.24, 0.6), shininess: 18, specular: new Color(0x1c1c1c) };

/** Warm and clear, in front of clay. Behind what it coincides with, or both would flicker. */
const GHOST = {
  transparent: true,
  opacity: 0.4,
  color: new Color(0xff7a2f),
  depthWrite: false,
  polygonOffset: true,
  polygonOffsetFactor: 2,
  polygonOffsetUnits: 2,
};

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

/** A material that can be drawn as edges. */
type Drawn = Material & { wireframe: boolean };

/** The materials of a surface: from its file, of another look, or painted by vertex colours. Made when they are needed. */
export class SurfaceMaterials {
  readonly #mesh: Mesh;
  readonly #more: MaterialParameters;
  readonly #made = new Map<SurfaceLook | 'painted' | 'ghost', Drawn | Drawn[]>();
  #file?: FileMaterials;
  #wireframe = false;
  /** Of an unpainted surface. */
  look: SurfaceLook = 'material';
  /** Whether it is a transparent ghost. */
  ghost = false;

  /** @param more What all of its materials have. */
  constructor(mesh: Mesh, more: MaterialParameters = {}) {
    this.#mesh = mesh;
    this.#more = more;
  }

  get plain(): Drawn | Drawn[] {
    return this.#get(this.ghost ? 'ghost' : this.look);
  }

  get painted(): Drawn | Drawn[] {
    return this.#get(this.ghost ? 'ghost' : 'painted');
  }

  /** Whether an unpainted surface has materials of the file, which an environment lights. */
  get physical(): boolean {
    const { materials = [], groups = [] } = this.#mesh;
    const used = materials.length > 0 && groups.some(({ material }) => material !== undefined);
    return used && this.look === 'material' && !this.ghost;
  }

  set wireframe(on: boolean) {
    this.#wireframe = on;
    for (const material of [...this.#made.values()].flat()) material.wireframe = on;
  }

  dispose(): void {
    for (const material of [...this.#made.values()].flat()) material.dispose();
    this.#file?.dispose();
  }

  #get(kind: SurfaceLook | 'painted' | 'ghost'): Drawn | Drawn[] {
    const made = this.#made.get(kind);
    if (made) return made;
    const next = this.#make(kind);
    for (const material of [next].flat()) Object.assign(material, this.#more, { wireframe: this.#wireframe });
    this.#made.set(kind, next);
    return next;
  }

  #make(kind: SurfaceLook | 'painted' | 'ghost'): Drawn | Drawn[] {
    switch (kind) {
      case 'painted':
        return phong({ color: new Color(1, 1, 1), shininess: 4, specular: new Color(0), vertexColors: true });
      case 'ghost':
        return phong(GHOST);
      case 'clay':
        return phong(CLAY);
      case 'matcap':
        return toned(new MeshMatcapMaterial({ ...SURFACE, matcap: matcap() }));
      case 'normals':
        return new MeshNormalMaterial({ side: DoubleSide });
      case 'checker':
        return phong({ color: new Color(1, 1, 1), map: this.#mesh.uvs ? checker() : null, shininess: 4 });
      case 'material':
        return this.#ofFile();
    }
  }

  /** After those of the file: the default for groups without a material. */
  #ofFile(): Drawn | Drawn[] {
    const vertexColors = this.#mesh.attributes?.COLOR_0 !== undefined;
    // Beside materials of a file, such as a garment's, the environment lights clay too: it has their exposure then.
    const look = { ...CLAY, toneMapped: true };
    const clay = phong(vertexColors ? { ...look, color: new Color(1, 1, 1), vertexColors } : look);
    if (!this.physical) return clay;
    this.#file = new FileMaterials(this.#mesh);
    for (const material of this.#file.all) toned(Object.assign(material, SURFACE));
    return [...this.#file.all, clay];
  }
}

/** What all surfaces have in common. */
const SURFACE = { side: DoubleSide, shadowSide: DoubleSide, fog: false };

const phong = (parameters: ConstructorParameters<typeof MeshPhongMaterial>[0]): MeshPhongMaterial =>
  toned(new MeshPhongMaterial({ ...SURFACE, toneMapped: false, ...parameters }));

function toned<M extends Material>(material: M): M {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.tone = tone;
    shader.fragmentShader = `uniform vec2 tone;\n${shader.fragmentShader}`
      .replace('#include <color_fragment>', LINES)
      .replace('#include <opaque_fragment>', TONE);
  };
  return material;
}
