import type { LightGroups } from './light-poses.ts';
import { firstNonFinite } from './mesh.ts';

/** A way in which traced poses are kept and blended. */
export type SampleMethod = 'paper' | 'pose-space';

/** All of them. */
export const SAMPLE_METHODS = ['paper', 'pose-space'] as const satisfies readonly SampleMethod[];

/**
 * Light of a model in P traced poses, to be blended in others: by Feng 2010, chapter 5 ("paper"), or from the nearest four
 * poses. It takes the place of spheres. Segments are the vertices of a bone, G of them; N vertices; vectors are in the frames
 * of the bones.
 */
export interface LightSamples extends LightGroups {
  method: SampleMethod;
  /** S: groups of poses of every segment. */
  groups: number;
  /** G × P: the group of a segment in a pose. */
  clusterOf: Uint16Array;
  /** Of diffuse transfer. */
  diffuse: SampledVectors;
  /** Of visibility, for gloss. */
  visibility?: SampledVectors;
  /** Of light that leaves through a BRDF. */
  gloss?: SampledGloss;
}

/** D numbers per vertex and pose: combinations of b basis vectors, those of one of M clusters. */
export interface SampledVectors {
  /** b. */
  bases: number;
  /** M × b × D. */
  basis: Float32Array;
  /** N × S: the cluster of a vertex in a group of poses. */
  memberOf: Uint32Array;
  /** N × P × b, times `scales`, M × b. */
  coefficients: Int16Array;
  scales: Float32Array;
}

/** A BRDF in K terms: radiance = view map · vectors (K × C per vertex, in `vectors`) · light. */
export interface SampledGloss {
  brdf: 'phong' | 'cook-torrance';
  /** Of Phong's lobe; or the roughness m of Cook and Torrance. */
  parameter: number;
  /** R × R × K: over directions of view, see light/paper/brdf-factors.ts. */
  viewMap: Float32Array;
  vectors: SampledVectors;
}

/** M. */
export const sampleClusters = ({ scales, bases }: SampledVectors): number => scales.length / bases;

/** Terms of a BRDF, and sides of its view map. */
export const BRDF_TERMS = 4;
export const VIEW_MAP_SIDE = 32;

type Require = (holds: boolean, what: string) => void;

/** Calls `require` for all that must hold; `size`: C. What it shares with a residual is not looked at. */
export function requireSamples(require: Require, samples: LightSamples, size: number): void {
  const { method, groups, clusterOf, bones, groupOf, poses, diffuse, visibility, gloss } = samples;
  require(SAMPLE_METHODS.includes(method), `method ${method}`);
  require(Number.isInteger(groups) && groups >= 1, 'groups of poses');
  require(clusterOf.length === bones.length * poses.count && clusterOf.every((s) => s < groups), 'groups of poses');
  const each = { diffuse, ...(visibility && { visibility }), ...(gloss && { gloss: gloss.vectors }) };
  for (const [name, { bases, basis, memberOf, coefficients, scales }] of Object.entries(each)) {
    const own = name === 'gloss' ? BRDF_TERMS * size : size;
    require(Number.isInteger(bases) && bases >= 1 && bases <= own, `bases of ${name}`);
    const clusters = basis.length / (bases * own);
    require(Number.isInteger(clusters) && clusters >= 1 && firstNonFinite(basis) < 0, `bases of ${name}`);
    require(memberOf.length === groupOf.length * groups && memberOf.every((c) => c < clusters), `clusters of ${name}`);
    require(coefficients.length === groupOf.length * poses.count * bases, `coefficients of ${name}`);
    require(scales.length === clusters * bases && firstNonFinite(scales) < 0, `scales of ${name}`);
  }
  if (!gloss) return;
  require(['phong', 'cook-torrance'].includes(gloss.brdf), `BRDF ${gloss.brdf}`);
  require(Number.isFinite(gloss.parameter) && gloss.parameter > 0, 'parameter of the BRDF');
  const map = gloss.viewMap;
  require(map.length === VIEW_MAP_SIDE ** 2 * BRDF_TERMS && firstNonFinite(map) < 0, 'view map');
}
