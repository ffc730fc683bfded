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

/** What is done to a material's shaders. */
export interface ShaderPatch {
  /** What is asked for, in words, and in full: the same key is the same patch. */
  blends: string;
  key: string;
  /** Who asks. */
  operation: string;
  /** A material has one patch of each kind: what moves its vertices, what lights it. */
  kind?: 'bones' | 'light';
  apply(shader: CompiledShader): void;
}

/** What three.js hands to `onBeforeCompile`. */
export type CompiledShader = Parameters<Material['onBeforeCompile']>[0];

interface Patch extends ShaderPatch {
  users: number;
}

/** Patches by kind, and what the material did before. */
interface PatchedMaterial {
  patches: Map<string, Patch>;
  undo(): void;
}

const patched = new WeakMap<Material, PatchedMaterial>();

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
    apply: (shader) => {
      shader.vertexShader = blendInShader(shader.vertexShader, operator, antipodality);
    },
  });
}

/** Changes a material's shaders until all who asked for it have disposed of it. */
export function patchMaterial(material: Material, wanted: ShaderPatch): Disposable {
  if (!material?.isMaterial) {
    throw new PliantError('bad-input', wanted.operation, `the material (got ${typeof material}, expected a Material)`);
  }
  const { kind = 'bones' } = wanted;
  const entry = patched.get(material);
  const known = entry?.patches.get(kind);
  if (known && known.key !== wanted.key) {
    const name = material.name === '' ? material.type : `"${material.name}"`;
    const verb = kind === 'bones' ? 'blends by' : 'is lit by';
    const cause = `material ${name} already ${verb} ${known.blends} (got ${wanted.blends}, expected a material of its own: material.clone())`;
    throw new PliantError('bad-input', wanted.operation, cause);
  }
  const of = entry ?? patchShader(material);
  patched.set(material, of);
  const patch = known ?? { ...wanted, users: 0 };
  patch.users++;
  of.patches.set(kind, patch);
  if (!known) material.needsUpdate = true;
  return {
    dispose: once(() => {
      if (--patch.users > 0) return;
      of.patches.delete(kind);
      material.needsUpdate = true;
      if (of.patches.size > 0) return;
      patched.delete(material);
      of.undo();
    }),
  };
}

/** Lets all patches of a material work on its shaders, after what it does itself. */
function patchShader(material: Material): PatchedMaterial {
  const patches: PatchedMaterial['patches'] = new Map();
  const { onBeforeCompile, customProgramCacheKey } = material;
  const compile: Material['onBeforeCompile'] = (shader, renderer) => {
    onBeforeCompile.call(material, shader, renderer);
    for (const patch of patches.values()) patch.apply(shader);
  };
  // The default key is the text of `onBeforeCompile`: it has to see the one that was there.
  const before = Object.create(material, { onBeforeCompile: { value: onBeforeCompile } });
  const key = () =>
    [customProgramCacheKey.call(before), ...Array.from(patches.values(), ({ key: added }) => added)].join('|');
  material.onBeforeCompile = compile;
  material.customProgramCacheKey = key;
  return {
    patches,
    undo: () => {
      if (material.onBeforeCompile === compile) material.onBeforeCompile = onBeforeCompile;
      if (material.customProgramCacheKey === key) material.customProgramCacheKey = customProgramCacheKey;
    },
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
