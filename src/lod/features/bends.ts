import { deviationOf } from '../../math/statistics.ts';
import { type Edges, edgeCount, meshEdges, vertexFaces } from '../../mesh/adjacency.ts';
import { type Curvature, meshCurvature } from '../../mesh/curvature.ts';

/** What a surface in its default pose looks like to the detectors of features. */
export interface Bends {
  /** 3N. */
  positions: ArrayLike<number>;
  /** 3F. */
  triangles: Uint32Array;
  edges: Edges;
  curvature: Curvature;
  /** F: |κ| of (4.3), the mean over a facet's vertices. */
  facetMean: Float64Array;
  /** σ_κ of (4.3): the deviation of |κ| over the facets. 0 where the surface bends alike everywhere. */
  deviation: number;
  /** E: 1 where an edge runs along a crest line. */
  crests: Uint8Array;
}

/**
 * Curvature per vertex, facet and edge, Feng 2010, §4.4.2. Curvature is that of Rusinkiewicz 2004 (Feng 2010 takes the
 * costlier robust estimate of Kalogerakis 2007).
 */
export function surfaceBends(positions: ArrayLike<number>, triangles: Uint32Array): Bends {
  const edges = meshEdges(triangles, positions.length / 3);
  const curvature = meshCurvature(positions, triangles);
  const facetMean = Float64Array.from({ length: triangles.length / 3 }, (_, f) => {
    const [a, b, c] = triangles.subarray(3 * f, 3 * f + 3);
    return (Math.abs(curvature.mean[a]) + Math.abs(curvature.mean[b]) + Math.abs(curvature.mean[c])) / 3;
  });
  const crests = crestEdges(positions, triangles, edges, curvature);
  return { positions, triangles, edges, curvature, facetMean, deviation: deviationOf(facetMean), crests };
}

/** Crests bend more than this many times the mean: on smooth surfaces every vertex is an extremum of something. */
const SHARP = 2;

/**
 * E: 1 along crest lines, after Stylianou & Farin 2004. A vertex is on a crest when its larger principal curvature is greater
 * than on both sides of it, in its direction; an edge, when both its ends are, bend the same way, and it runs along the crest
 * rather than across.
 */
function crestEdges(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  edges: Edges,
  { major, direction }: Curvature,
): Uint8Array {
  const onCrest = crestVertices(positions, triangles, { major, direction });
  const out = new Uint8Array(edgeCount(edges));
  for (let e = 0; e < out.length; e++) {
    const i = edges.vertices[2 * e];
    const j = edges.vertices[2 * e + 1];
    if (!onCrest[i] || !onCrest[j] || major[i] * major[j] < 0) continue;
    let length2 = 0;
    let acrossI = 0;
    let acrossJ = 0;
    for (let d = 0; d < 3; d++) {
      const x = positions[3 * j + d] - positions[3 * i + d];
      length2 += x * x;
      acrossI += x * direction[3 * i + d];
      acrossJ += x * direction[3 * j + d];
    }
    if (2 * acrossI ** 2 < length2 && 2 * acrossJ ** 2 < length2) out[e] = 1;
  }
  return out;
}

function crestVertices(
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  { major, direction }: Pick<Curvature, 'major' | 'direction'>,
): Uint8Array {
  const n = major.length;
  const { offsets, items } = vertexFaces(triangles, n);
  let mean = 0;
  for (const k of major) mean += Math.abs(k) / n;
  return Uint8Array.from({ length: n }, (_, i) => {
    const own = Math.abs(major[i]);
    if (!(own > SHARP * mean)) return 0;
    // Where the direction and its opposite leave the ring of faces: curvature there, between the ends of the edge.
    let ahead = -1;
    let behind = -1;
    for (let q = offsets[i]; q < offsets[i + 1]; q++) {
      const t = 3 * items[q];
      const c = triangles[t] === i ? 0 : triangles[t + 1] === i ? 1 : 2;
      const a = triangles[t + ((c + 1) % 3)];
      const b = triangles[t + ((c + 2) % 3)];
      const [x, y] = inBasis(positions, i, a, b, direction);
      if (x * y < 0 || x + y === 0) continue;
      const there = Math.abs((x * major[a] + y * major[b]) / (x + y));
      if (x + y > 0) ahead = Math.max(ahead, there);
      else behind = Math.max(behind, there);
    }
    return ahead >= 0 && behind >= 0 && own >= ahead && own >= behind ? 1 : 0;
  });
}

/** The direction at vertex i as x·(a − i) + y·(b − i), in the plane of the face. */
function inBasis(p: ArrayLike<number>, i: number, a: number, b: number, direction: Float64Array): [number, number] {
  let aa = 0;
  let ab = 0;
  let bb = 0;
  let da = 0;
  let db = 0;
  for (let d = 0; d < 3; d++) {
    const u = p[3 * a + d] - p[3 * i + d];
    const v = p[3 * b + d] - p[3 * i + d];
    aa += u * u;
    ab += u * v;
    bb += v * v;
    da += u * direction[3 * i + d];
    db += v * direction[3 * i + d];
  }
  const det = aa * bb - ab * ab;
  return det > 0 ? [(da * bb - db * ab) / det, (db * aa - da * ab) / det] : [0, 0];
}
