import type { SkinnedMesh } from 'three';
import type { Disposable } from './material.ts';
import type { BonePalette } from './palette.ts';
import type { ThreeOperator } from './shader.ts';

/** How a mesh's bones are blended, until it is disposed of. */
export interface Skinning extends Disposable {
  readonly operator: ThreeOperator;
  readonly antipodality: boolean;
}

/** Meshes that `useSkinning` has taken over, with what their bones are kept in. */
export const skinnings = new WeakMap<SkinnedMesh, Skinning & { readonly palette: BonePalette }>();
