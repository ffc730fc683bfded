import type { BufferAttribute, BufferGeometry, Mesh, Object3D } from 'three';
import { LIGHT_EXTENSION } from '../../../src/io/gltf/extension-names.ts';
import { describedLight, type LightDescription, notReadCode } from '../../../src/io/gltf/light-description.ts';
import { BakedLight } from './baked-light.ts';
import { warnOfLight } from './light-notes.ts';

/** What the plugin needs of three.js's GLTFParser. */
export interface LightParser {
  json: {
    nodes?: { mesh?: number; skin?: number }[];
    skins?: { joints: number[] }[];
    meshes?: { name?: string; primitives: { extensions?: Record<string, unknown> }[] }[];
  };
  /** A mesh or an accessor of the file. */
  getDependency(type: 'mesh' | 'accessor', index: number): Promise<unknown>;
}

/**
 * Lets GLTFLoader read what `pliant light bake` wrote: `useLight` then shows it wherever it lights the meshes of the file, or
 * clones of them. How many have some is `gltf.userData.bakedLights`.
 *
 *     loader.register((parser) => new LightLoaderPlugin(parser));
 */
export class LightLoaderPlugin {
  readonly name = LIGHT_EXTENSION;
  readonly #parser: LightParser;

  constructor(parser: LightParser) {
    this.#parser = parser;
  }

  /** Called by three.js when a file is loaded. */
  async afterRoot(gltf: { userData: Record<string, unknown> }): Promise<void> {
    const { meshes = [] } = this.#parser.json;
    const read = await Promise.all(meshes.map((_, m) => this.#read(m)));
    const count = read.filter(Boolean).length;
    if (count > 0) gltf.userData.bakedLights = count;
  }

  /** Whether a mesh has light that can be used. */
  async #read(mesh: number): Promise<boolean> {
    const { nodes = [], skins = [], meshes } = this.#parser.json;
    const { primitives, name = `mesh ${mesh}` } = meshes![mesh];
    const described = primitives.map(({ extensions }) => extensions?.[LIGHT_EXTENSION] as LightDescription | undefined);
    const first = described.find((each) => each !== undefined);
    if (!first) return false;
    const arrays = new Map<number, ArrayLike<number>>();
    const indices = new Set(described.flatMap((each) => Object.values(each?.accessors ?? {})));
    for (const index of indices) arrays.set(index, await this.#array(index));

    const loaded = (await this.#parser.getDependency('mesh', mesh)) as Object3D;
    const objects = 'isGroup' in loaded ? loaded.children : [loaded];
    const parts: { geometry: BufferGeometry; rows?: ArrayLike<number> }[] = [];
    objects.forEach((object, p) => {
      if (described[p] && (object as Mesh).isMesh) {
        const { rows } = described[p].accessors;
        parts.push({ geometry: (object as Mesh).geometry, ...(rows !== undefined && { rows: arrays.get(rows) }) });
      }
    });
    const skin = nodes.find((node) => node.mesh === mesh && node.skin !== undefined)?.skin;
    const bones = skin === undefined ? 1 : (skins[skin]?.joints.length ?? 0);
    try {
      const light = describedLight(first, (index) => arrays.get(index));
      const baked = new BakedLight(light, parts, bones, first.place);
      if (baked.changed.length > 0)
        warnOfLight({ code: 'light-changed', data: { changed: baked.changed.join(' and ') } }, name);
      return true;
    } catch (error) {
      // Damaged, or of another mesh: light without a bake works.
      warnOfLight({ code: notReadCode(error), data: {} }, `${name}: ${(error as Error).message}`);
      return false;
    }
  }

  async #array(index: number): Promise<ArrayLike<number>> {
    const { array } = (await this.#parser.getDependency('accessor', index)) as BufferAttribute;
    return array;
  }
}
