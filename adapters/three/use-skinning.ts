import { type Material, MeshDepthMaterial, MeshDistanceMaterial, RGBADepthPacking, type SkinnedMesh } from 'three';
import { PliantError } from '../../src/error.ts';
import { boneTransform } from './bone-transform.ts';
import { boundsOnce } from './bounds.ts';
import { type Disposable, once, type SkinningOptions, skinMaterial } from './material.ts';
import { requireAttribute } from './mesh-model.ts';
import { acquirePalette, type BonePalette } from './palette.ts';
import { THREE_OPERATORS, type ThreeOperator } from './shader.ts';
import { type Skinning, skinnings } from './skinnings.ts';

/**
 * Blends the bones of a mesh by dual quaternions ('dqs'), by dual quaternions and stretches ('sdqs'), by a per-vertex mix
 * of linear blending and dual quaternions ('mix', read from the attribute `_mix`: 0 is linear, 1 dual), or linearly
 * ('lbs': as three.js does, with normals that stay right where bones scale).
 *
 * From then on the mesh's materials, its shadows, and what three.js computes of it on the CPU (`applyBoneTransform`,
 * bounds, ray casting) agree. Bones are picked up whenever the renderer updates the skeleton. Calling it again changes the
 * operator; `dispose()` gives three.js's own skinning back.
 */
export function useSkinning(mesh: SkinnedMesh, operator: ThreeOperator, options: SkinningOptions = {}): Skinning {
  if (!mesh.isSkinnedMesh || !mesh.skeleton) throw badInput('the object is no SkinnedMesh with a skeleton');
  if (!THREE_OPERATORS.includes(operator)) {
    throw new PliantError(
      'bad-option',
      'useSkinning',
      `operator (got ${operator}, expected ${THREE_OPERATORS.join(', ')})`,
    );
  }
  for (const name of ['position', 'skinIndex', 'skinWeight', ...(operator === 'mix' ? ['_mix'] : [])]) {
    requireAttribute(mesh.geometry, name);
  }
  skinnings.get(mesh)?.dispose();
  const skinning = new MeshSkinning(mesh, operator, options.antipodality ?? true);
  skinnings.set(mesh, skinning);
  return skinning;
}

class MeshSkinning implements Skinning {
  readonly operator: ThreeOperator;
  readonly antipodality: boolean;
  palette: BonePalette;
  readonly dispose: () => void;
  readonly #mesh: SkinnedMesh;
  readonly #materials = new Map<Material, Disposable>();

  constructor(mesh: SkinnedMesh, operator: ThreeOperator, antipodality: boolean) {
    this.operator = operator;
    this.antipodality = antipodality;
    this.#mesh = mesh;
    this.palette = acquirePalette(mesh);
    const steps: (() => void)[] = [];
    this.dispose = once(() => {
      for (const { dispose } of this.#materials.values()) dispose();
      for (const undo of steps) undo();
      this.palette.release(mesh);
      skinnings.delete(mesh);
    });
    try {
      this.#followMaterials();
      for (const slot of ['customDepthMaterial', 'customDistanceMaterial'] as const) steps.push(this.#castShadow(slot));
    } catch (error) {
      this.dispose(); // A material that blends otherwise already.
      throw error;
    }
    steps.push(this.#watch(), this.#replaceMethods());
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
  #castShadow(slot: 'customDepthMaterial' | 'customDistanceMaterial'): () => void {
    const mesh = this.#mesh;
    const given = mesh[slot];
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
      if (!('isWebGLRenderer' in renderer)) {
        const cause =
          'blending of bones in shaders (got a renderer of nodes, such as WebGPURenderer, expected WebGLRenderer)';
        throw new PliantError('unsupported', 'useSkinning', cause);
      }
      this.#followMaterials();
      if (mesh.skeleton !== this.palette.skeleton) {
        this.palette.release(mesh);
        this.palette = acquirePalette(mesh);
      }
      onBeforeRender.call(mesh, renderer, ...rest);
    };
    mesh.onBeforeRender = watching;
    return () => {
      if (mesh.onBeforeRender === watching) mesh.onBeforeRender = onBeforeRender;
    };
  }

  /** What three.js asks a mesh when it culls it, casts rays at it or samples it. */
  #replaceMethods(): () => void {
    const mesh = this.#mesh;
    const methods = {
      applyBoneTransform: boneTransform(mesh, this),
      computeBoundingBox: () => {
        mesh.boundingBox = boundsOnce(mesh).box;
      },
      computeBoundingSphere: () => {
        mesh.boundingSphere = boundsOnce(mesh).sphere;
      },
    };
    // Of the instance: they stand before those of its class.
    Object.assign(mesh, methods);
    return () => {
      for (const name of Object.keys(methods) as (keyof typeof methods)[]) {
        if (mesh[name] === methods[name]) delete (mesh as Partial<SkinnedMesh>)[name];
      }
    };
  }
}

/** What three.js draws shadows with: for point lights by distance. */
const DEPTH_MATERIALS = {
  customDepthMaterial: () => new MeshDepthMaterial({ depthPacking: RGBADepthPacking }),
  customDistanceMaterial: () => new MeshDistanceMaterial(),
};

const badInput = (cause: string): PliantError => new PliantError('bad-input', 'useSkinning', cause);
