import { DisjointSets } from '../math/disjoint-sets.ts';
import { gatherRows } from '../math/rows.ts';
import type { Mesh } from '../model/mesh.ts';
import type { LevelMesh } from './level-mesh.ts';
import { ChartSurface, type Joined } from './nearest-samples.ts';
import { chartSides, type Samples } from './samples.ts';

/**
 * Where collapses took a seam off its place, a face of the level lies across two charts: they are then one for the fit of
 * its positions. Values are still those of the face's own chart, wherever it lies.
 */
export interface JoinedCharts extends Joined {
  /** Of points on lines of the level, those that are on no line of the original. */
  leaveOutMovedLines(lines: Samples): void;
  /** Of points with values, those on another chart than their face is of. */
  leaveOutOtherCharts(samples: Samples): void;
}

/** The weight of a corner below which a carried point lies on the other side of a face. */
const ON_LINE = 0.01;

/** The charts that points carried from the level (at `positions`, 3n) say are one; undefined where every face lies on its own. */
export function joinCharts(
  { chartOf, charts, surface: { mesh } }: { chartOf: Uint32Array; charts: ChartSurface; surface: { mesh: Mesh } },
  level: LevelMesh,
  positions: Float32Array,
  carried: Samples,
): JoinedCharts | undefined {
  const own = gatherRows(chartOf, 1, level.faces);
  const isOther = ({ face, triangle }: Samples, s: number): boolean => chartOf[face[s]] !== own[triangle[s]];
  const joined = new DisjointSets(chartOf.reduce((most, chart) => Math.max(most, chart + 1), 0));
  const isAcross = new Uint8Array(own.length);
  for (let s = 0; s < carried.count; s++) {
    if (!isOther(carried, s)) continue;
    joined.join(chartOf[carried.face[s]], own[carried.triangle[s]]);
    isAcross[carried.triangle[s]] = 1;
  }
  if (!isAcross.includes(1)) return undefined;

  const { setOf } = joined.numbered();
  const [ofOriginal, ofLevel] = [chartOf, own].map((list) => list.map((chart) => setOf[chart]));
  const sides = chartSides(mesh.triangles, chartOf);
  const isOnLine = ({ face, u, v }: Samples, s: number): boolean => {
    const across = [1 - u[s] - v[s], u[s], v[s]]; // weights of the corners across from the sides that begin at 0, 1, 2
    return across.some((weight, c) => weight < ON_LINE && sides[3 * face[s] + c] === 1);
  };
  return {
    isAcross,
    original: new ChartSurface(mesh.triangles, charts.positions, ofOriginal, chartSides(mesh.triangles, ofOriginal)),
    coarse: new ChartSurface(level.triangles, positions, ofLevel, chartSides(level.triangles, ofLevel)),
    leaveOutMovedLines(lines) {
      for (let s = 0; s < lines.count; s++) if (!isOnLine(lines, s)) lines.share[s] = 0;
    },
    leaveOutOtherCharts(samples) {
      for (let s = 0; s < samples.count; s++) if (isOther(samples, s)) samples.share[s] = 0;
    },
  };
}
