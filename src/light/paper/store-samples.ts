import type { SampledVectors } from '../../model/light-samples.ts';
import type { RowClusters } from './incremental-clusters.ts';
import type { SegmentClusters } from './segment-clusters.ts';
import type { SegmentRows } from './segment-rows.ts';

const LARGEST = 32767;

/** Rows as coefficients of their clusters' bases, in 16 bits, with a scale per cluster and basis vector. */
export function storeClusters(
  rows: SegmentRows,
  { count, clusterOf }: SegmentClusters,
  { clusters, memberOf }: RowClusters,
  bases: number,
): SampledVectors {
  const { size, poses, groupOf } = rows;
  const basis = new Float32Array(clusters.length * bases * size);
  clusters.forEach((cluster, m) => void basis.set(cluster.basis, m * bases * size));
  const vector = new Float64Array(size);
  const own = new Float64Array(bases);
  return inSixteenBits(
    { bases, basis, memberOf: Uint32Array.from(memberOf) },
    groupOf.length,
    poses,
    (vertex, pose) => {
      const cluster = memberOf[vertex * count + clusterOf[groupOf[vertex] * poses + pose]];
      rows.read(vertex, pose, vector);
      clusters[cluster].project(vector, 0, own);
      return { cluster, own };
    },
  );
}

/** Poses (N × D each) as they are: one cluster, whose basis is that of the space. */
export function storeWhole(poses: readonly Float32Array[], vertices: number): SampledVectors {
  const size = poses[0].length / vertices;
  const basis = new Float32Array(size * size);
  for (let c = 0; c < size; c++) basis[c * size + c] = 1;
  const start = { bases: size, basis, memberOf: new Uint32Array(vertices) };
  return inSixteenBits(start, vertices, poses.length, (vertex, pose) => ({
    cluster: 0,
    own: poses[pose].subarray(vertex * size, (vertex + 1) * size),
  }));
}

/** `coefficientsOf` is asked twice, for the scales and for the numbers: they are never all in memory. */
function inSixteenBits(
  start: Pick<SampledVectors, 'bases' | 'basis' | 'memberOf'>,
  vertices: number,
  poses: number,
  coefficientsOf: (vertex: number, pose: number) => { cluster: number; own: ArrayLike<number> },
): SampledVectors {
  const { bases, basis, memberOf } = start;
  const clusters = memberOf.reduce((most, c) => Math.max(most, c), 0) + 1;
  const scales = new Float32Array(clusters * bases);
  const coefficients = new Int16Array(vertices * poses * bases);
  const each = (visit: (at: number, scaleAt: number, own: ArrayLike<number>) => void) => {
    for (let i = 0; i < vertices; i++) {
      for (let p = 0; p < poses; p++) {
        const { cluster, own } = coefficientsOf(i, p);
        visit((i * poses + p) * bases, cluster * bases, own);
      }
    }
  };
  each((_, scaleAt, own) => {
    for (let b = 0; b < bases; b++) scales[scaleAt + b] = Math.max(scales[scaleAt + b], Math.abs(own[b]) / LARGEST);
  });
  each((at, scaleAt, own) => {
    for (let b = 0; b < bases; b++) {
      const scale = scales[scaleAt + b];
      const steps = scale > 0 ? Math.round(own[b] / scale) : 0;
      coefficients[at + b] = Math.max(-LARGEST, Math.min(LARGEST, steps));
    }
  });
  return { bases, basis, memberOf, coefficients, scales };
}
