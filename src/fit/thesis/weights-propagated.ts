import { emptySupport, type Support, type VertexNeighbours } from '../../decompose/problem.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { type ProxyJoints, verticesOfRegions } from './proxy-joints.ts';
import { addInfluence, normalizeWeights, P_FACTOR } from './weights-distance.ts';

/**
 * Convolution-propagated weights, Antonopoulos 2010, §3.4.4: at first the joints of a region influence all of its
 * vertices, by distance, and no others, so that only vertices on borders feel joints of several regions. Then every
 * vertex takes the mean over itself and its star (3.35), `passes` times, which carries influence across the borders.
 *
 * The print divides by |Star| though |Star| + 1 terms are summed; dividing by the latter keeps the sum of weights at 1.
 * Smoothing treats each joint alone, so joints go by one at a time: memory is N·k, not N·B. Each vertex keeps its
 * `influences` largest weights, where the print keeps all.
 *
 * `pFactor`: how far beyond its farthest vertex a joint's weight would fall to 0 within the region.
 */
export function propagatedWeights(
  rest: Mesh,
  proxies: ProxyJoints,
  neighbours: VertexNeighbours,
  influences: number,
  { pFactor = P_FACTOR, passes = 5 }: { pFactor?: number; passes?: number } = {},
): Support {
  const n = vertexCount(rest);
  const { joints, clusterOf, regionOf } = proxies;
  const vertices = verticesOfRegions(rest, proxies.facetRegions);

  // Distance weights within regions, and their sums, by which they will be divided.
  const initial = (b: number, visit: (i: number, weight: number) => void): void => {
    const region = vertices[regionOf[b]] ?? []; // a mesh without facets has no regions
    let radius = 0;
    for (const i of region) radius = Math.max(radius, straightDistance(rest.positions, i, joints[b]));
    const reach = radius * pFactor;
    for (const i of region) {
      const d = straightDistance(rest.positions, i, joints[b]);
      if (d < reach) visit(i, 1 - d / reach);
    }
  };
  const sums = new Float64Array(n);
  for (let b = 0; b < joints.length; b++) {
    initial(b, (i, weight) => {
      sums[i] += weight;
    });
  }

  const support = emptySupport(n, influences);
  let column = new Float64Array(n);
  let smoothed = new Float64Array(n);
  for (let b = 0; b < joints.length; b++) {
    column.fill(0);
    initial(b, (i, weight) => {
      column[i] = weight / sums[i];
    });
    // Vertices that no joint of their regions reaches follow the joint of their cluster.
    for (let i = 0; i < n; i++) if (sums[i] === 0 && clusterOf[i] === b) column[i] = 1;
    for (let pass = 0; pass < passes; pass++) {
      meanOverStars(smoothed, column, neighbours);
      [column, smoothed] = [smoothed, column];
    }
    for (let i = 0; i < n; i++) if (column[i] > 0) addInfluence(support, i, b, column[i]);
  }
  normalizeWeights(support);
  return support;
}

/** (3.35), normalised. */
function meanOverStars(out: Float64Array, values: Float64Array, { offsets, items }: VertexNeighbours): void {
  for (let i = 0; i < values.length; i++) {
    let sum = values[i];
    for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += values[items[q]];
    out[i] = sum / (offsets[i + 1] - offsets[i] + 1);
  }
}
