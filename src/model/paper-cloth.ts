import type { Kernel, TranslationSolve } from './predictor.ts';
import type { SkinWeights } from './skinned-model.ts';

/**
 * The deformation transformer of Feng 2010, chapter 3, trained for one coarse mesh (V vertices, T triangles, H pairs of
 * neighbouring triangles) and one fine mesh (N vertices). B patches, L clusters of q shapes each, E examples. Plain data;
 * `PaperUpsampler` runs it.
 */
export interface PaperModel {
  /** Patches → fine vertices. */
  weights: SkinWeights;
  /** B·12: coarse triangles that turn a patch, and how much each counts. */
  turning: { triangles: Uint32Array; weights: Float64Array };
  /** What Θ̇ is multiplied by to vary as Θ does, s. */
  velocityScale: number;
  /** Of 2H inputs: angles and their velocities. */
  kernel: Kernel;
  /** 3B + L·q: the mean of residual rotations, as vectors, and of coefficients. */
  mean: Float64Array;
  /** E × (3B + L·q): M of all patches and clusters; targets = mean + Mᵀξ. */
  operator: Float64Array;
  /** Fine vertices whose places the coarse mesh gives. */
  anchors: Uint32Array;
  translations: TranslationSolve;
  /** N: vertex → cluster. */
  clusterOf: Uint16Array;
  /** 3N: ū, and 3N × q: V. */
  detail: { mean: Float32Array; basis: Float32Array };
}
