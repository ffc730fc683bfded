import { facetFrames } from '../../../measure/facet-deformation.ts';
import { diagonalOf } from '../../../mesh/bounds.ts';
import { type DualGraph, dualGraph } from '../../../mesh/dual-graph.ts';
import type { Mesh } from '../../../model/mesh.ts';

/** What the clusterings see of a mesh: F facets at rest, and how much each deforms over the sequence. */
export interface Facets extends DualGraph {
  /** F: in squared units of the rest diagonal. */
  areas: Float64Array;
  /** F: D_Σ, the mean deformation of (3.21). */
  deformation: ArrayLike<number>;
}

export function facetsOf(rest: Mesh, deformation: ArrayLike<number>): Facets {
  const scale = 1 / (diagonalOf(rest.positions) || 1); // a rest pose of a single point has no size
  const areas = facetFrames(rest).areas.map((area) => area * scale * scale);
  return { ...dualGraph(rest), areas, deformation };
}

/** Share of a region's facets, those that deform most, that stand for it: robust against single facets. */
const TOP_SHARE = 0.01;

/** avg_max of (3.29) and (4.4): the mean of the largest deformations of a region. */
export function largestDeformation(deformation: ArrayLike<number>, region: readonly number[]): number {
  const top = region.map((f) => deformation[f]).sort((a, b) => b - a);
  const size = Math.min(top.length, Math.max(1, Math.round(TOP_SHARE * top.length)));
  return top.slice(0, size).reduce((sum, x) => sum + x, 0) / (size || 1);
}
