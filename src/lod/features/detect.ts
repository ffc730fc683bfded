import { spectralClustering } from '../../decompose/clustering/spectral.ts';
import { deformationGradients, facetFrames } from '../../measure/facet-deformation.ts';
import { edgeCount } from '../../mesh/adjacency.ts';
import { type DualGraph, dualGraph } from '../../mesh/dual-graph.ts';
import { straightDistance } from '../../mesh/graph-distance.ts';
import {
  booleanOption,
  integerOption,
  numberOption,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
  seedOption,
} from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { memorySequence } from '../../model/sequence.ts';
import type { PosedSurface } from '../surface.ts';
import { type Bends, surfaceBends } from './bends.ts';
import { CREST, curvatureClusters } from './curvature-clusters.ts';
import { cornerVertices, creaseEdges, curvedSegments } from './lines.ts';
import { borderEdges, facetsOfEdge, refineBorders } from './refine-borders.ts';

/**
 * Lines and points of a surface that patches should not cross or lose, Feng 2010, §4.4. Each kind can be had by itself. What
 * pays is measured in docs/notes/lod-images.md: creases on hard surfaces; the others little.
 */
export const FEATURE_OPTIONS = {
  creaseAngle: numberOption(
    0,
    { min: 0, max: 180, unit: 'degrees', zero: 'off' },
    'edges that are sharper than this are features',
  ),
  curvatureClusters: integerOption(
    0,
    { min: 0, max: 1000, zero: 'off' },
    'borders of this many clusters by curvature are features',
  ),
  deformationClusters: integerOption(
    0,
    { min: 0, max: 1000, zero: 'off' },
    'borders of this many clusters that move alike are features',
  ),
  corners: booleanOption(false, 'tips that bend most are features'),
  landmarks: integerOption(200, { min: 2, max: 5000 }, 'facets that all others are compared with, in large parts'),
  seed: seedOption('random seed of clusters'),
} as const;

export type FeatureOptions = OptionsOf<typeof FEATURE_OPTIONS>;

/** What patches keep to. */
export interface Features {
  /** 2L: pairs of vertices joined by an edge that is part of a feature line; each edge once. */
  lines: Uint32Array;
  /** Vertices that stay, rising. */
  points: Uint32Array;
}

/** Features of a surface (its N vertices), by curvature in the default pose and by how it moves. */
export async function detectFeatures(
  surface: PosedSurface,
  options: Partial<FeatureOptions> = {},
  run: RunOptions = {},
): Promise<Features> {
  const settings = resolveOptions(FEATURE_OPTIONS, options, 'detectFeatures');
  const { triangles } = surface.mesh;
  const bends = surfaceBends(surface.poses[0], triangles);
  const kept = new Set<number>();
  const keep = (edges: readonly number[]): void => {
    for (const e of edges) kept.add(e);
  };
  const spectral = { landmarks: settings.landmarks, exactBelow: 6 * settings.landmarks, seed: settings.seed };

  if (settings.creaseAngle > 0) keep(creaseEdges(bends, (settings.creaseAngle * Math.PI) / 180));
  if (settings.curvatureClusters > 0 || settings.deformationClusters > 0) {
    const dual = dualGraph({ positions: Float32Array.from(surface.poses[0]), triangles }, bends.edges);
    if (settings.curvatureClusters > 0) {
      await checkpoint(run, 'detectFeatures', 0, 2, 'clusters by curvature');
      const clusters = curvatureClusters(bends, dual, settings.curvatureClusters, spectral);
      const refined = refineBorders(clusters, dual, bends.edges, curvatureWeights(bends));
      keep(curvedSegments(borderEdges(refined, bends.edges), bends));
    }
    if (settings.deformationClusters > 0) {
      await checkpoint(run, 'detectFeatures', 1, 2, 'clusters by motion');
      keep(await deformationBorders(surface, bends, dual, settings.deformationClusters, spectral, run));
    }
  }
  const lines = [...kept].sort((a, b) => a - b).flatMap((e) => [...bends.edges.vertices.subarray(2 * e, 2 * e + 2)]);
  return {
    lines: Uint32Array.from(lines),
    points: Uint32Array.from(settings.corners ? cornerVertices(bends) : []),
  };
}

/** E: g of (4.4), length × exp(−(|κ_f| + |κ_g|)/σ_κ), a tenth of it along crests. */
function curvatureWeights(bends: Bends): Float64Array {
  const { edges, positions, facetMean, deviation, crests } = bends;
  return Float64Array.from({ length: edgeCount(edges) }, (_, e) => {
    const [f, g] = facetsOfEdge(edges, e);
    if (g < 0) return 0;
    const length = straightDistance(positions, edges.vertices[2 * e], edges.vertices[2 * e + 1]);
    const bend = deviation > 0 ? (facetMean[f] + facetMean[g]) / deviation : 0;
    return (crests[e] ? CREST : 1) * length * Math.exp(-bend);
  });
}

/**
 * Borders of clusters that move alike, (4.5), all of them (§4.4.3). The cut that smooths them has the first factor of (4.5) in
 * the place of curvature.
 */
async function deformationBorders(
  { mesh, poses }: PosedSurface,
  { edges, positions }: Bends,
  dual: DualGraph,
  count: number,
  spectral: { landmarks: number; exactBelow: number; seed: number },
  run: RunOptions,
): Promise<number[]> {
  const rest = { positions: Float32Array.from(poses[0]), triangles: mesh.triangles };
  const frames = poses.slice(1).map((pose) => Float32Array.from(pose));
  // A surface that does not move has no such borders.
  if (frames.length === 0) return [];
  const clusters = await spectralClustering(memorySequence('poses', rest, frames), dual, count, spectral, run);

  const differences = new Float64Array(edgeCount(edges));
  const gradients = new Float64Array(9 * dual.count);
  const facets = facetFrames(rest);
  for (const frame of frames) {
    deformationGradients(facets, frame, gradients);
    for (let e = 0; e < differences.length; e++) {
      const [f, g] = facetsOfEdge(edges, e);
      if (g < 0) continue;
      let sum = 0;
      for (let c = 0; c < 9; c++) sum += (gradients[9 * f + c] - gradients[9 * g + c]) ** 2;
      differences[e] += Math.sqrt(sum) / frames.length;
    }
  }
  let scale = 0;
  for (const d of differences) scale += (d * d) / differences.length;
  scale = Math.sqrt(scale);
  const weights = differences.map(
    (d, e) =>
      straightDistance(positions, edges.vertices[2 * e], edges.vertices[2 * e + 1]) *
      Math.exp(scale > 0 ? -d / scale : 0),
  );
  return borderEdges(refineBorders(clusters, dual, edges, weights), edges);
}
