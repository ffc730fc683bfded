import type { Material } from 'three';
import { PliantError } from '../../src/error.ts';
import { blendInShader, type ThreeOperator } from './shader.ts';

/** How bones are blended. */
export interface SkinningOptions {
  /** Blend dual quaternions by the shorter way, which is wrong where bones turn by more than 180°. On unless told. */
  antipodality?: boolean;
}

/** Something to be undone. */
export interface Disposable {
  /** Undoes it. */
  dispose(): void;
}

/** What is done to a material's vertex shader. */
export interface ShaderPatch {
  /** What is asked for, in words, and in full: the same key is the same patch. */
  blends: string;
  key: string;
  /** Who asks. */
  operation: string;
  apply(vertexShader: string): string;
}

interface Patch extends ShaderPatch {
  users: number;
  undo(): void;
}

const patches = new WeakMap<Material, Patch>();

/**
 * Makes a material blend bones by `operator` wherever it draws a mesh whose skeleton `useSkinning` prepared; on other
 * meshes it looks as before. Keeps what the material's own `onBeforeCompile` and `customProgramCacheKey` do: set those
 * first. `useSkinning` calls this for a mesh's materials; override materials of a scene can be given by hand.
 */
export function skinMaterial(material: Material, operator: ThreeOperator, options: SkinningOptions = {}): Disposable {
  const { antipodality = true } = options;
  return patchMaterial(material, {
    blends: operator,
    key: `pliant ${operator} ${antipodality}`,
    operation: 'useSkinning',
    apply: (shader) => blendInShader(shader, operator, antipodality),
  });
}

/** Changes a material's vertex shader until all who asked for it have disposed of it. A material has one patch. */
export function patchMaterial(material: Material, wanted: ShaderPatch): Disposable {
  const known = patches.get(material);
  if (known && known.key !== wanted.key) {
    const name = material.name === '' ? material.type : `"${material.name}"`;
    const cause = `material ${name} already blends by ${known.blends} (got ${wanted.blends}, expected a material of its own: material.clone())`;
    throw new PliantError('bad-input', wanted.operation, cause);
  }
  const patch = known ?? { ...wanted, users: 0, undo: patchShader(material, wanted) };
  patch.users++;
  patches.set(material, patch);
  return {
    dispose: once(() => {
      if (--patch.users > 0) return;
      patches.delete(material);
      patch.undo();
    }),
  };
}

function patchShader(material: Material, { key: added, apply }: ShaderPatch): () => void {
  const { onBeforeCompile, customProgramCacheKey } = material;
  const compile: Material['onBeforeCompile'] = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    shader.vertexShader = apply(shader.vertexShader);
  };
  // The default key is the text of `onBeforeCompile`: it has to see the one that was there.
  const before = Object.create(material, { onBeforeCompile: { value: onBeforeCompile } });
  const key = () => `${customProgramCacheKey.call(before)}|${added}`;
  material.onBeforeCompile = compile;
  material.customProgramCacheKey = key;
  material.needsUpdate = true;
  return () => {
    if (material.onBeforeCompile === compile) material.onBeforeCompile = onBeforeCompile;
    if (material.customProgramCacheKey === key) material.customProgramCacheKey = customProgramCacheKey;
    material.needsUpdate = true;
  };
}

/** A function that works the first time only. */
export function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
