import type { Matrix4, Skeleton, SkinnedMesh } from 'three';
import { PliantError } from '../../src/error.ts';
import { boneTransform } from './bone-transform.ts';
import { boundsOnce } from './bounds.ts';
import { requireSkinnedMesh } from './given.ts';
import type { SkinningOptions } from './material.ts';
import { requireAttribute } from './mesh-model.ts';
import { DEPTH_SLOTS, MeshSkinning } from './mesh-skinning.ts';
import { THREE_OPERATORS, type ThreeOperator } from './shader.ts';
import { type Skinning, skinnings } from './skinnings.ts';

/**
 * Blends the bones of a mesh by dual quaternions ('dqs'), by dual quaternions and stretches ('sdqs'), by a per-vertex mix
 * of linear blending and dual quaternions ('mix', read from the attribute `_mix`: 0 is linear, 1 dual), or linearly
 * ('lbs': as three.js does, with normals that stay right where bones scale).
 *
 * From then on the mesh's materials, its shadows, and what three.js computes of it on the CPU (`applyBoneTransform`,
 * bounds, ray casting) agree. Bones are picked up whenever the renderer updates the skeleton. Clones of the mesh, also by
 * `SkeletonUtils.clone`, are blended alike. Calling it again changes the operator; `dispose()` gives three.js's own
 * skinning back.
 */
export function useSkinning(mesh: SkinnedMesh, operator: ThreeOperator, options: SkinningOptions = {}): Skinning {
  requireSkinnedMesh(mesh, 'useSkinning');
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
  skinning.onDispose(replaceMethods(mesh, skinning));
  skinning.onDispose(() => skinnings.delete(mesh));
  skinnings.set(mesh, skinning);
  return skinning;
}

/** What three.js asks a mesh when it culls it, casts rays at it, samples it, clones it or binds the clone to its own bones. */
function replaceMethods(mesh: SkinnedMesh, skinning: MeshSkinning): () => void {
  const { bind, clone } = mesh;
  const methods = {
    bind: (skeleton: Skeleton, bindMatrix?: Matrix4) => {
      bind.call(mesh, skeleton, bindMatrix);
      skinning.followSkeleton();
    },
    clone: (recursive?: boolean) => {
      const copy = clone.call(mesh, recursive);
      for (const slot of DEPTH_SLOTS) copy[slot] = skinning.givenMaterial(slot);
      useSkinning(copy, skinning.operator, skinning);
      return copy;
    },
    applyBoneTransform: boneTransform(mesh, skinning),
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
