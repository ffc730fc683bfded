import { pCenters } from '../../decompose/clustering/p-center.ts';
import { kMeans } from '../../math/kmeans.ts';
import { gatherRows } from '../../math/rows.ts';
import { meshEdges, partsOf, vertexNeighbours } from '../../mesh/adjacency.ts';
import { membersOf } from '../../mesh/dual-graph.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { type Facets, largestDeformation } from './clustering/facets.ts';

/**
 * Proxy joints: vertices of the rest pose that act as bones, Antonopoulos 2010, §3.4.1. Spread evenly by p-center
 * (§3.4.3), or by deformation (§3.4.4): regions that deform more and are larger get more joints, spread by k-means
 * within the region.
 */
export interface ProxyJoints {
  /** B different vertices. */
  joints: Int32Array;
  /** N: vertex → the joint (0 … B − 1) whose cluster it is in. */
  clusterOf: Int32Array;
  /** B: joint → its region; all 0 for uniform joints. */
  regionOf: Int32Array;
  /** F: facet → region; all 0 for uniform joints. */
  facetRegions: Int32Array;
}

/**
 * N: the region of each vertex. Regions are sets of facets: a vertex on a border goes with the last of its facets. Where all
 * facets are one region (joints that were spread evenly, or too few for a second one) it is the joint's cluster.
 */
export function vertexRegions({ facetRegions, clusterOf }: ProxyJoints, triangles: Uint32Array): Int32Array {
  if (facetRegions.every((region) => region === 0)) return clusterOf;
  const out = new Int32Array(clusterOf.length);
  triangles.forEach((i, corner) => {
    out[i] = facetRegions[Math.floor(corner / 3)];
  });
  return out;
}

/** Every vertex's share of the surface alike: `count` joints, or as many as there are vertices. */
export function uniformProxyJoints(rest: Mesh, count: number, seed = 1): ProxyJoints {
  const n = vertexCount(rest);
  // Vertices of no facet are no parts of their own: they follow the joint nearest to them.
  const onSurface = new Uint8Array(n);
  for (const i of rest.triangles) onSurface[i] = 1;
  const all = Int32Array.from(onSurface.keys());
  const surface = all.filter((i) => onSurface[i]);
  const vertices = surface.length < Math.min(count, n) ? all : surface;
  const { partOf } = partsOf(vertexNeighbours(meshEdges(rest.triangles, n), n));
  const parts = vertices.map((i) => partOf[i]);
  const points = { positions: gatherRows(rest.positions, 3, vertices), partOf: parts, partCount: new Set(parts).size };
  const { centres, clusterOf } = pCenters(points, count, seed);
  const joints = centres.map((point) => vertices[point]);
  const clusters = all.map((i) => (onSurface[i] ? -1 : nearestTo(rest, gatherRows(rest.positions, 3, [i]), joints)));
  vertices.forEach((i, point) => {
    clusters[i] = clusterOf[point];
  });
  return {
    joints,
    clusterOf: clusters,
    regionOf: new Int32Array(joints.length),
    facetRegions: new Int32Array(rest.triangles.length / 3),
  };
}

/** @param facetRegions F: facet → region, as from `regionGrowing`. */
export function deformationProxyJoints(
  rest: Mesh,
  facets: Facets,
  facetRegions: Int32Array,
  count: number,
  seed = 1,
): ProxyJoints {
  const n = vertexCount(rest);
  const vertices = verticesOfRegions(rest, facetRegions);
  const limited = Math.min(Math.max(count, vertices.length), new Set(rest.triangles).size);
  const shares = jointShares(
    facets,
    facetRegions,
    vertices.map((region) => region.length),
    limited,
  );

  // Joints: the vertices nearest to the means of k-means over the region's vertices, each taken once.
  const taken = new Uint8Array(n);
  const joints: number[] = [];
  const regionOf: number[] = [];
  vertices.forEach((region, j) => {
    const { centres } = kMeans(Float64Array.from(gatherRows(rest.positions, 3, region)), 3, shares[j], {
      start: 'random',
      seed,
    });
    for (let c = 0; c < shares[j]; c++) {
      const free = region.filter((i) => !taken[i]);
      if (free.length === 0) break; // a region whose every vertex is a joint of its neighbours needs none of its own
      const joint = free[nearestTo(rest, centres.subarray(3 * c, 3 * c + 3), free)];
      taken[joint] = 1;
      joints.push(joint);
      regionOf.push(j);
    }
  });

  // Vertices follow the nearest joint among those of the regions they touch, or of all where these have none.
  const regionsOfVertex: number[][] = Array.from({ length: n }, () => []);
  vertices.forEach((region, j) => {
    for (const i of region) regionsOfVertex[i].push(j);
  });
  const all = Int32Array.from(joints);
  const clusterOf = Int32Array.from({ length: n }, (_, i) => {
    const near = all.filter((_, b) => regionsOfVertex[i].includes(regionOf[b]));
    const place = gatherRows(rest.positions, 3, [i]);
    return near.length > 0 ? joints.indexOf(near[nearestTo(rest, place, near)]) : nearestTo(rest, place, all);
  });
  return { joints: all, clusterOf, regionOf: Int32Array.from(regionOf), facetRegions };
}

/**
 * How many joints each region gets: one each, the others in proportion to the participation factor (3.31), deformation
 * indicator × share of the area, rounded down (3.32); what is left goes one by one to the regions of largest indicator.
 * The print interpolates the indicator between the extremes of region means in (3.30) and of facets in its text: facets
 * are meant, or it would leave [0, 1]. No region gets more than `limits`, the number of its vertices.
 */
export function jointShares(
  facets: Facets,
  facetRegions: Int32Array,
  limits: readonly number[],
  count: number,
): Int32Array {
  const regions = limits.length;
  const members = membersOf(facetRegions);
  const indicator = deformationIndicators(facets, members);
  const total = facets.areas.reduce((a, b) => a + b, 0);
  const participation = members.map((region, j) => {
    const area = region.reduce((sum, f) => sum + facets.areas[f], 0);
    return indicator[j] * (total > 0 ? area / total : region.length / facets.count);
  });
  const whole = participation.reduce((a, b) => a + b, 0);

  const shares = new Int32Array(regions);
  const spare = count - regions;
  for (let j = 0; j < regions; j++) {
    const due = whole > 0 ? Math.floor((spare * participation[j]) / whole) : 0;
    shares[j] = Math.min(limits[j], 1 + Math.max(0, due));
  }
  const priority = Array.from({ length: regions }, (_, j) => j).sort((a, b) => indicator[b] - indicator[a] || a - b);
  let left = Math.min(
    count,
    limits.reduce((a, b) => a + b, 0),
  );
  for (const share of shares) left -= share;
  for (let turn = 0; left > 0; turn++) {
    const j = priority[turn % regions];
    if (shares[j] >= limits[j]) continue;
    shares[j]++;
    left--;
  }
  return shares;
}

/** (3.29): the mean of the largest deformations of each region, as a place between the least and the largest of all. */
export function deformationIndicators(facets: Facets, members: readonly (readonly number[])[]): Float64Array {
  const { deformation } = facets;
  let least = Infinity;
  let largest = -Infinity;
  for (let f = 0; f < facets.count; f++) {
    least = Math.min(least, deformation[f]);
    largest = Math.max(largest, deformation[f]);
  }
  return Float64Array.from(members, (region) => {
    // All alike: only the area decides.
    if (!(largest > least)) return 1;
    return (largestDeformation(deformation, region) - least) / (largest - least);
  });
}

/** Region → the vertices of its facets, rising; those on borders appear in several. */
export function verticesOfRegions(rest: Mesh, facetRegions: Int32Array): number[][] {
  let regions = 0;
  for (const region of facetRegions) regions = Math.max(regions, region + 1);
  const sets: Set<number>[] = Array.from({ length: regions }, () => new Set());
  for (let c = 0; c < rest.triangles.length; c++) sets[facetRegions[Math.floor(c / 3)]].add(rest.triangles[c]);
  return sets.map((set) => [...set].sort((a, b) => a - b));
}

/** Index into `vertices`, which are not none, of the one nearest to a point. */
function nearestTo({ positions }: Mesh, [x, y, z]: Float32Array | Float64Array, vertices: ArrayLike<number>): number {
  let best = 0;
  let least = Infinity;
  for (let q = 0; q < vertices.length; q++) {
    const o = 3 * vertices[q];
    const d = Math.hypot(x - positions[o], y - positions[o + 1], z - positions[o + 2]);
    if (d < least) [best, least] = [q, d];
  }
  return best;
}
