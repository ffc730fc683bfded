import { type Material, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking, type SkinnedMesh } from 'three';
import { type Disposable, once, skinMaterial } from './material.ts';
import { acquirePalette, type BonePalette } from './palette.ts';
import type { ThreeOperator } from './shader.ts';
import type { Skinning } from './skinnings.ts';
import { requireWebGl } from './webgl-only.ts';

/**
 * Blends the bones of a mesh in its materials and shadows, whenever the renderer updates the skeleton, until it is disposed
 * of. What three.js computes of the mesh on the CPU is as it was: `useSkinning` sees to that too.
 */
export class MeshSkinning implements Skinning {
  readonly operator: ThreeOperator;
  readonly antipodality: boolean;
  palette: BonePalette;
  readonly dispose: () => void;
  readonly #mesh: SkinnedMesh;
  readonly #materials = new Map<Material, Disposable>();
  /** Depth materials that the mesh did not have. */
  readonly #made = new Set<keyof typeof DEPTH_MATERIALS>();
  /** What is done when it is disposed of, in this order. */
  readonly #undo: (() => void)[] = [];

  constructor(mesh: SkinnedMesh, operator: ThreeOperator, antipodality = true) {
    this.operator = operator;
    this.antipodality = antipodality;
    this.#mesh = mesh;
    this.palette = acquirePalette(mesh);
    this.dispose = once(() => {
      for (const { dispose } of this.#materials.values()) dispose();
      for (const undo of this.#undo) undo();
      this.palette.release(mesh);
    });
    try {
      this.#followMaterials();
      for (const slot of DEPTH_SLOTS) this.onDispose(this.#castShadow(slot));
    } catch (error) {
      this.dispose(); // A material that blends otherwise already.
      throw error;
    }
    this.onDispose(this.#watch());
  }

  onDispose(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Takes over the skeleton that the mesh has now. */
  followSkeleton(): void {
    if (this.#mesh.skeleton === this.palette.skeleton) return;
    this.palette.release(this.#mesh);
    this.palette = acquirePalette(this.#mesh);
  }

  /** The mesh's own depth material, not one that was made for it. */
  givenMaterial(slot: keyof typeof DEPTH_MATERIALS): Material | undefined {
    return this.#made.has(slot) ? undefined : this.#mesh[slot];
  }

  /** Patches the materials the mesh has now, and lets go of those it had. */
  #followMaterials(): void {
    const now = new Set([this.#mesh.material].flat());
    const skinned = this.#materials;
    for (const material of now) {
      if (!skinned.has(material)) skinned.set(material, skinMaterial(material, this.operator, this));
    }
    for (const [material, { dispose }] of skinned) {
      if (now.has(material)) continue;
      dispose();
      skinned.delete(material);
    }
  }

  /** Skins the mesh's own depth material, or one that is made for it. */
  #castShadow(slot: keyof typeof DEPTH_MATERIALS): () => void {
    const mesh = this.#mesh;
    const given = mesh[slot];
    if (!given) this.#made.add(slot);
    const material = given ?? DEPTH_MATERIALS[slot]();
    const skinned = skinMaterial(material, this.operator, this);
    mesh[slot] = material;
    return () => {
      skinned.dispose();
      if (given) return;
      material.dispose();
      if (mesh[slot] === material) delete mesh[slot];
    };
  }

  /** Follows the mesh to other materials and skeletons, and refuses renderers whose shaders are not GLSL. */
  #watch(): () => void {
    const mesh = this.#mesh;
    const { onBeforeRender } = mesh;
    const watching: SkinnedMesh['onBeforeRender'] = (renderer, ...rest) => {
      requireWebGl(renderer, 'useSkinning', 'a rig by `pliant linearize`, which needs no other shaders');
      this.#followMaterials();
      this.followSkeleton();
      onBeforeRender.call(mesh, renderer, ...rest);
    };
    mesh.onBeforeRender = watching;
    return () => {
      if (mesh.onBeforeRender === watching) mesh.onBeforeRender = onBeforeRender;
    };
  }
}

/** What three.js draws shadows with: for point lights by distance. */
export const DEPTH_MATERIALS = {
  customDepthMaterial: () => new MeshDepthMaterial({ depthPacking: RGBADepthPacking }),
  customDistanceMaterial: () => new MeshDistanceMaterial(),
};

export const DEPTH_SLOTS = Object.keys(DEPTH_MATERIALS) as (keyof typeof DEPTH_MATERIALS)[];
