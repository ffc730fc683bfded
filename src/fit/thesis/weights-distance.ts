import { emptySupport, type Support } from '../../decompose/problem.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { ProxyJoints } from './proxy-joints.ts';

/**
 * Weights by distance, Antonopoulos 2010 (3.15)–(3.16): joint b reaches as far as the farthest vertex of its cluster,
 * times the P-factor; within that radius the weight falls linearly, w = 1 − d/r, and the weights of a vertex are
 * divided by their sum. The print sets no limit on the influences; here each vertex keeps its `influences` largest. A
 * vertex that no joint reaches follows that of its cluster.
 */
export function distanceWeights(rest: Mesh, proxies: ProxyJoints, influences: number, pFactor = P_FACTOR): Support {
  const n = vertexCount(rest);
  const { joints, clusterOf } = proxies;
  const radius = new Float64Array(joints.length);
  for (let i = 0; i < n; i++) {
    const b = clusterOf[i];
    radius[b] = Math.max(radius[b], straightDistance(rest.positions, i, joints[b]));
  }
  const support = emptySupport(n, influences);
  for (let b = 0; b < joints.length; b++) {
    const reach = radius[b] * pFactor;
    for (let i = 0; i < n; i++) {
      const d = straightDistance(rest.positions, i, joints[b]);
      if (d < reach) addInfluence(support, i, b, 1 - d / reach);
      else if (i === joints[b]) addInfluence(support, i, b, 1); // a cluster of one vertex has no extent
    }
  }
  for (let i = 0; i < n; i++) if (support.count[i] === 0) addInfluence(support, i, clusterOf[i], 1);
  normalizeWeights(support);
  return support;
}

/** How far influence reaches beyond the cluster: the value of figures 3.3 and 3.11. */
export const P_FACTOR = 1.6;

/** Gives vertex i a weight > 0 of bone b; when all slots are full the smallest weight has to go. */
export function addInfluence(support: Support, i: number, b: number, weight: number): void {
  const k = support.influences;
  const o = i * k;
  let slot = support.count[i];
  if (slot < k) support.count[i]++;
  else {
    slot = 0;
    for (let s = 1; s < k; s++) if (support.weights[o + s] < support.weights[o + slot]) slot = s;
    if (weight <= support.weights[o + slot]) return;
  }
  support.joints[o + slot] = b;
  support.weights[o + slot] = weight;
}

/** Divides the weights of every vertex by their sum. */
export function normalizeWeights(support: Support): void {
  const k = support.influences;
  for (let i = 0; i < support.count.length; i++) {
    let sum = 0;
    for (let s = 0; s < support.count[i]; s++) sum += support.weights[i * k + s];
    for (let s = 0; s < support.count[i]; s++) support.weights[i * k + s] /= sum;
  }
}
