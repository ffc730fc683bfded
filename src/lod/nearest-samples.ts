import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { faceNormal } from '../mesh/triangle.ts';
import type { LevelMesh } from './level-mesh.ts';
import { evenOut, gridFor, joinSamples, newSamples, pointOfFace, type Samples, spreadAreas } from './samples.ts';

/** A surface by its charts: the nearest point is looked for on the same piece of surface, not across a line. */
export class ChartSurface {
  readonly triangles: Uint32Array;
  positions: Float32Array;
  /** Chart → its hierarchy and its faces; none for a chart that has vanished. */
  readonly #charts: ({ bvh: Bvh; faces: Uint32Array } | undefined)[] = [];
  readonly #chartOf: Uint32Array;

  /** @param chartOf F: the chart of every triangle. */
  constructor(triangles: Uint32Array, positions: Float32Array, chartOf: Uint32Array) {
    this.triangles = triangles;
    this.positions = positions;
    this.#chartOf = chartOf;
    const faces: number[][] = [];
    for (let f = 0; f < chartOf.length; f++) {
      const t = 3 * f;
      if (triangles[t] === triangles[t + 1] || triangles[t + 1] === triangles[t + 2]) continue;
      faces[chartOf[f]] ??= [];
      faces[chartOf[f]].push(f);
    }
    faces.forEach((list, chart) => {
      const corners = new Uint32Array(3 * list.length);
      for (let q = 0; q < corners.length; q++) corners[q] = triangles[3 * list[Math.floor(q / 3)] + (q % 3)];
      this.#charts[chart] = { bvh: buildBvh(positions, corners), faces: Uint32Array.from(list) };
    });
  }

  chartOf(face: number): number {
    return this.#chartOf[face];
  }

  move(positions: Float32Array): void {
    this.positions = positions;
    for (const chart of this.#charts) if (chart) refitBvh(chart.bvh, positions);
  }

  /** The nearest point of a chart to x, y, z, into `found`; false when the chart has no faces. */
  nearest(chart: number, x: number, y: number, z: number): boolean {
    const of = this.#charts[chart];
    if (!of || !nearestOnSurface(of.bvh, x, y, z, found)) return false;
    found.face = of.faces[found.face];
    return true;
  }
}

/** What `ChartSurface.nearest` found. */
export const found = surfacePoint();

/**
 * Points of both surfaces beside the nearest ones of the other, on the same chart and facing the same way: about `wanted`
 * on each.
 */
export function nearestSamples(
  level: LevelMesh,
  coarse: ChartSurface,
  original: ChartSurface,
  wanted: number,
): Samples {
  return evenOut(joinSamples([fromLevel(level, coarse, original, wanted), fromOriginal(coarse, original, wanted)]));
}

/** A grid on every triangle of the level. */
function fromLevel(level: LevelMesh, coarse: ChartSurface, original: ChartSurface, wanted: number): Samples {
  const grid = gridFor(level.faces.length, wanted);
  const per = grid.a.length;
  const out = newSamples(per * level.faces.length);
  const points = new Float64Array(3 * per);
  for (let t = 0; t < level.faces.length; t++) {
    const chart = coarse.chartOf(t);
    for (let q = 0; q < per; q++) {
      pointOfFace(points, 3 * q, coarse.positions, coarse.triangles, t, grid.a[q], grid.b[q]);
    }
    spreadAreas(out.share, per * t, points, grid.pieces);
    for (let q = 0; q < per; q++) {
      const s = per * t + q;
      out.triangle[s] = t;
      out.a[s] = grid.a[q];
      out.b[s] = grid.b[q];
      if (
        original.nearest(chart, points[3 * q], points[3 * q + 1], points[3 * q + 2]) &&
        facesAlike(coarse, t, original, found.face)
      ) {
        out.face[s] = found.face;
        out.u[s] = 1 - found.second - found.third;
        out.v[s] = found.second;
      } else out.share[s] = 0;
    }
  }
  return evenOut(out);
}

/** The middles of small triangles of the original. */
function fromOriginal(coarse: ChartSurface, original: ChartSurface, wanted: number): Samples {
  const { triangles, positions } = original;
  const faces = triangles.length / 3;
  const d = Math.min(8, Math.max(1, Math.round(Math.sqrt(wanted / faces))));
  const out = newSamples(d * d * faces);
  const point = new Float64Array(3);
  let s = 0;
  for (let f = 0; f < faces; f++) {
    const area = faceNormal(normal, positions, triangles, 3 * f);
    const chart = original.chartOf(f);
    for (let i = 0; i < d; i++) {
      for (let j = 0; j < 2 * (d - i) - 1; j++, s++) {
        // Row i has d − i upright triangles and the ones between them, which stand on their heads.
        const upright = j % 2 === 0;
        const u = (i + (upright ? 1 / 3 : 2 / 3)) / d;
        const v = ((j - (j % 2)) / 2 + (upright ? 1 / 3 : 2 / 3)) / d;
        pointOfFace(point, 0, positions, triangles, f, u, v);
        if (area === 0 || !coarse.nearest(chart, point[0], point[1], point[2])) continue;
        if (!facesAlike(coarse, found.face, original, f)) continue;
        out.share[s] = area;
        out.face[s] = f;
        out.u[s] = u;
        out.v[s] = v;
        out.triangle[s] = found.face;
        out.a[s] = 1 - found.second - found.third;
        out.b[s] = found.second;
      }
    }
  }
  return evenOut(out);
}

const normal = new Float64Array(3);
const otherNormal = new Float64Array(3);

/** Whether two faces look the same way: not the two sides of something thin. */
function facesAlike(a: ChartSurface, f: number, b: ChartSurface, g: number): boolean {
  if (faceNormal(normal, a.positions, a.triangles, 3 * f) === 0) return true;
  if (faceNormal(otherNormal, b.positions, b.triangles, 3 * g) === 0) return true;
  return normal[0] * otherNormal[0] + normal[1] * otherNormal[1] + normal[2] * otherNormal[2] > 0;
}
