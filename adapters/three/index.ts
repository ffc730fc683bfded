// `pliant/three`: better skinning for three.js.

export type { Disposable, SkinningOptions } from './material.ts';
export { skinMaterial } from './material.ts';
export { THREE_OPERATORS, type ThreeOperator } from './shader.ts';
export { type Skinning, useSkinning } from './use-skinning.ts';
