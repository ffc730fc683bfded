import type { Material, Mesh, Object3D, SkinnedMesh } from 'three';
import { type ImageRef, imagesOfDescription } from '../../../src/io/geometry-images.ts';
import { IMAGES_EXTENSION } from '../../../src/io/gltf/extension-names.ts';
import type { GeometryImages } from '../../../src/model/geometry-images.ts';
import { GeometryImageMesh, type GeometryImageOptions } from './geometry-image-mesh.ts';

/** What the plugin needs of three.js's GLTFParser. */
export interface ImageParser {
  json: { nodes?: { extensions?: Record<string, unknown> }[] };
  /** What objects were made of: nodes, by their numbers. */
  associations: Map<unknown, { nodes?: number } | undefined>;
  /** A view of the file. */
  getDependency(type: 'bufferView', index: number): Promise<unknown>;
}

/**
 * Lets GLTFLoader read what `pliant lod --images` wrote: each mesh with geometry images is drawn by a `GeometryImageMesh` in
 * its place, with its material and skeleton; all of them are in `gltf.userData.geometryImages`.
 *
 *     loader.register((parser) => new GeometryImageLoaderPlugin(parser));
 */
export class GeometryImageLoaderPlugin {
  readonly name = IMAGES_EXTENSION;
  readonly #parser: ImageParser;
  readonly #options: GeometryImageOptions;

  constructor(parser: ImageParser, options: Omit<GeometryImageOptions, 'skeleton' | 'bindMatrix'> = {}) {
    this.#parser = parser;
    this.#options = options;
  }

  /** Called by three.js when a file is loaded. */
  async afterRoot(gltf: { scenes: Object3D[]; userData: Record<string, unknown> }): Promise<void> {
    const made: GeometryImageMesh[] = [];
    for (const scene of gltf.scenes) {
      const found: { object: Object3D; node: number }[] = [];
      scene.traverse((object) => {
        const node = this.#parser.associations.get(object)?.nodes;
        if (node !== undefined && this.#description(node) !== undefined) found.push({ object, node });
      });
      for (const { object, node } of found) {
        const images = await imagesOfDescription(this.#description(node), (ref) => this.#load(ref));
        const mesh = this.#replace(object, images);
        if (mesh) made.push(mesh);
      }
    }
    if (made.length > 0) gltf.userData.geometryImages = made;
  }

  #description(node: number): unknown {
    return this.#parser.json.nodes?.[node]?.extensions?.[IMAGES_EXTENSION];
  }

  async #load(ref: ImageRef): Promise<Uint8Array | undefined> {
    if (!('bufferView' in ref)) return undefined;
    return new Uint8Array((await this.#parser.getDependency('bufferView', ref.bufferView)) as ArrayBuffer);
  }

  /**
   * Hangs the images below the mesh, or beside the meshes of its materials, and takes those out of the picture: out of all
   * layers, because what is invisible hides its children too. Clips, children and rays still find the meshes.
   */
  #replace(object: Object3D, images: GeometryImages): GeometryImageMesh | undefined {
    // Children of a group are primitives of the node's mesh, or other nodes.
    const isNode = (child: Object3D) => this.#parser.associations.get(child)?.nodes !== undefined;
    const parts = 'isMesh' in object ? [object] : object.children.filter((child) => !isNode(child));
    const meshes = parts.filter((each): each is Mesh => (each as Mesh).isMesh === true);
    if (meshes.length === 0) return undefined;
    const materials = meshes.map(({ material }) => (Array.isArray(material) ? material[0] : material) as Material);
    const { skeleton, bindMatrix } = meshes[0] as Partial<SkinnedMesh>;
    const groups = images.groups?.length ?? 1;
    const mesh = new GeometryImageMesh(images, groups === materials.length ? materials : materials[0], {
      ...this.#options,
      ...(skeleton && { skeleton }),
      ...(bindMatrix && { bindMatrix }),
    });
    mesh.castShadow = meshes.some(({ castShadow }) => castShadow);
    mesh.receiveShadow = meshes.some(({ receiveShadow }) => receiveShadow);
    for (const each of meshes) each.layers.disableAll();
    object.add(mesh);
    return mesh;
  }
}
