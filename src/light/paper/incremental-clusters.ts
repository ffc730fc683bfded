import { clusteredPca, type VectorRows } from './clustered-pca.ts';
import { mergeClusters } from './merge-clusters.ts';
import type { PcaCluster } from './pca-cluster.ts';
import { clusterMembers, type SegmentClusters } from './segment-clusters.ts';
import type { SegmentRows } from './segment-rows.ts';

/**
 * Revised clustered PCA (§5.4), Figure 5.2 (d). A row is a vertex over the poses of one of its segment's groups, and goes to one
 * cluster as a whole: interpolation between these poses then needs their coefficients alone (5.7). Poses are looked at one
 * after the other, and none may use more than `budget` clusters, m_cpf.
 */
export interface RowClusters {
  clusters: PcaCluster[];
  /** N × S: row → cluster. */
  memberOf: Int32Array;
  /** How often each kind of step was taken; clusters that were merged at last. */
  steps: { incremental: number; reclustered: number; merged: number };
}

export interface ClusterBudget {
  /** m_cpf. */
  budget: number;
  /** b, basis vectors of a cluster. */
  bases: number;
  seed: number;
}

/** r: new clusters may be so many times scarcer than vertices without one. */
const RATIO = 2;
/** Clusters whose members grew by this part get a new basis. */
const SIGNIFICANT = 0.25;

export function incrementalClusters(
  rows: SegmentRows,
  { count: s, clusterOf }: SegmentClusters,
  { budget, bases, seed }: ClusterBudget,
): RowClusters {
  const p = rows.poses;
  const n = rows.groupOf.length;
  const members = rows.vertices.map((_, g) => clusterMembers(clusterOf.subarray(g * p, (g + 1) * p), s));
  const memberOf = new Int32Array(n * s).fill(-1);
  const clusters: PcaCluster[] = [];
  const steps = { incremental: 0, reclustered: 0, merged: 0 };
  const basedOn: number[] = []; // members at the last update of each cluster

  const load = (list: readonly Row[]): VectorRows => loadRows(rows, list, members);
  const place = (list: readonly Row[], data: VectorRows, used: readonly number[], fresh: number): void => {
    const given = used.map((c) => clusters[c]);
    const found = clusteredPca(data, given, fresh, { bases, seed });
    const placeOf = [...used, ...found.clusters.map((_, c) => clusters.length + c)];
    for (const cluster of found.clusters) {
      clusters.push(cluster);
      basedOn.push(cluster.count);
    }
    found.clusterOf.forEach((c, r) => {
      memberOf[list[r].at] = placeOf[c];
      if (c < used.length)
        given[c].add(data.values, data.offsets[r] * data.size, data.offsets[r + 1] - data.offsets[r]);
    });
    for (const c of used) {
      if (clusters[c].count < (1 + SIGNIFICANT) * basedOn[c]) continue;
      clusters[c].update();
      basedOn[c] = clusters[c].count;
    }
  };

  for (let pose = 0; pose < p; pose++) {
    const all = rows.vertices.flatMap((own, g) => {
      const cluster = clusterOf[g * p + pose];
      return Array.from(own, (vertex): Row => ({ vertex, segment: g, cluster, at: vertex * s + cluster }));
    });
    const active = all.filter(({ at }) => memberOf[at] < 0);
    if (active.length === 0) continue;
    const used = [...new Set(all.map(({ at }) => memberOf[at]))].filter((c) => c >= 0).sort((a, b) => a - b);
    if (active.length / n <= (RATIO * (budget - used.length)) / budget) {
      steps.incremental++;
      place(active, load(active), used, budget - used.length);
      continue;
    }
    // Too few new clusters for so many vertices: all anew.
    steps.reclustered++;
    const assigned = all.filter(({ at }) => memberOf[at] >= 0);
    const left = load(assigned);
    assigned.forEach(({ at }, r) => {
      clusters[memberOf[at]].add(left.values, left.offsets[r] * left.size, left.offsets[r + 1] - left.offsets[r], -1);
    });
    place(all, load(all), [], budget);
  }
  const usedBy = Array.from(
    { length: p },
    (_, pose) => new Set(Array.from(rows.groupOf, (g, vertex) => memberOf[vertex * s + clusterOf[g * p + pose]])),
  );
  const goesTo = mergeClusters(clusters, usedBy, budget);
  steps.merged = goesTo.filter((to, c) => to !== c).length;
  memberOf.forEach((c, at) => void (memberOf[at] = goesTo[c]));
  return { ...withoutEmpty(clusters, memberOf), steps };
}

/** A vertex in a group of poses of its segment. */
interface Row {
  vertex: number;
  segment: number;
  cluster: number;
  /** vertex · S + cluster. */
  at: number;
}

function loadRows(rows: SegmentRows, list: readonly Row[], members: readonly Uint32Array[][]): VectorRows {
  const offsets = new Uint32Array(list.length + 1);
  list.forEach(({ segment, cluster }, r) => void (offsets[r + 1] = offsets[r] + members[segment][cluster].length));
  const { size } = rows;
  const values = new Float64Array(offsets[list.length] * size);
  list.forEach(({ vertex, segment, cluster }, r) => {
    members[segment][cluster].forEach((pose, k) => void rows.read(vertex, pose, values, (offsets[r] + k) * size));
  });
  return { size, offsets, values };
}

/** Clusters that have members, with the best bases for them. */
function withoutEmpty(
  clusters: readonly PcaCluster[],
  memberOf: Int32Array,
): Pick<RowClusters, 'clusters' | 'memberOf'> {
  const used = [...new Set(memberOf)].sort((a, b) => a - b);
  const placeOf = new Map(used.map((c, k) => [c, k]));
  for (const c of used) clusters[c].update();
  return { clusters: used.map((c) => clusters[c]), memberOf: memberOf.map((c) => placeOf.get(c)!) };
}
