import type { Mesh } from './mesh.ts';
import type { SkinWeights } from './skinned-model.ts';

/**
 * What `learn` makes of examples (document 001, chapter 2): n_c control points in, a deformed surface out. Plain data, so
 * that it can be kept in a file; `SurfaceDriver` runs it. E examples, B bones, N vertices, m numbers per bone.
 */
export interface Predictor {
  name: string;
  mesh: Mesh;
  weights: SkinWeights;
  /** 3B: the bones' centroids in the rest pose. */
  centroids: Float64Array;
  /** n_c vertices. */
  points: Uint32Array;
  /** 3n_c: 1 where a control point's coordinate steers, 0 where it is free. */
  axes: Uint8Array;
  kernel: Kernel;
  target: Target;
  /** B·m: the mean of the examples' targets. */
  mean: Float64Array;
  /** E × (B·m): M, all bones beside each other; targets = mean + Mᵀξ. */
  operator: Float64Array;
  translations: TranslationSolve;
  residual?: Residual;
  /** The largest distance of an example from their mean, in units of the kernel's scale: how far experience reaches. */
  reach: number;
}

export const KERNELS = ['linear-gaussian', 'gaussian', 'polynomial', 'linear'] as const;
export type KernelName = (typeof KERNELS)[number];

/** Everything that evaluating a kernel against the examples needs. d coordinates steer. */
export interface Kernel {
  name: KernelName;
  /** d: the mean of the examples. */
  mean: Float64Array;
  /** s₀: the root mean square distance of the examples from it. */
  scale: number;
  /** E × d: the examples, centred and scaled. */
  points: Float64Array;
  /** E: mean of each row of the raw kernel matrix; and the mean of all. */
  rowMeans: Float64Array;
  grandMean: number;
  /** Mean diagonal of the centred matrix. */
  diagonal: number;
}

/** What is predicted for a bone: rotation and centroid, 7 numbers, or a dual quaternion, 8. */
export const TARGETS = ['centroid', 'dual-quaternion'] as const;
export type Target = (typeof TARGETS)[number];

export const TRANSLATIONS = ['predicted', 'poisson', 'control-points'] as const;
export type TranslationMode = (typeof TRANSLATIONS)[number];

/** The precomputed operators that give bones their translations. */
export interface TranslationSolve {
  mode: TranslationMode;
  /** B × n_c: what the control points contribute; empty for `predicted`. */
  pull: Float64Array;
  /** `poisson`: B × 3B, what rotations contribute; column 3b + s multiplies column s of R_b. */
  turn?: Float64Array;
  /** `poisson`: B × B, what predicted translations contribute. */
  hold?: Float64Array;
}

/** What the bones cannot express, in the local frames of the vertices, as a few shapes. */
export interface Residual {
  /** 3N: the mean over the examples. */
  mean: Float32Array;
  /** r × 3N. */
  shapes: Float32Array;
  /** E × r: the shapes' weights are ξᵀ·blend. */
  blend: Float64Array;
}
