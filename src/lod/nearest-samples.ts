import { type Bvh, buildBvh, refitBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { faceArea, faceNormal } from '../mesh/triangle.ts';
import type { LevelMesh } from './level-mesh.ts';
import {
  DIRECTION,
  evenOut,
  gridFor,
  joinSamples,
  newSamples,
  pointOfFace,
  type Samples,
  spreadAreas,
} from './samples.ts';

/** A surface by its charts: the nearest point is looked for on the same piece of surface, not across a line. */
export class ChartSurface {
  readonly triangles: Uint32Array;
  positions: Float32Array;
  /** Chart → its hierarchy and its faces; none for a chart that has vanished. */
  readonly #charts: ({ bvh: Bvh; faces: Uint32Array } | undefined)[] = [];
  readonly #chartOf: Uint32Array;
  readonly #isLine: Uint8Array;

  /**
   * @param chartOf F: the chart of every triangle.
   * @param isLine 3F: not 0 where the side that begins at a corner is a line.
   */
  constructor(triangles: Uint32Array, positions: Float32Array, chartOf: Uint32Array, isLine: Uint8Array) {
    this.#isLine = isLine;
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

  /** In which direction the distance to `found` counts: off this surface over a face, any beyond a line. */
  directionAtFound(offThis: number): number {
    const c = 3 * found.face;
    const isLine = this.#isLine;
    const beyond =
      (found.third < ON_SIDE && isLine[c] !== 0) ||
      (1 - found.second - found.third < ON_SIDE && isLine[c + 1] !== 0) ||
      (found.second < ON_SIDE && isLine[c + 2] !== 0);
    return beyond ? DIRECTION.all : offThis;
  }
}

/** The weight of a corner below which a point is on the other side. */
const ON_SIDE = 1e-6;

/** What `ChartSurface.nearest` found. */
const found = surfacePoint();

/**
 * Points of both surfaces beside the nearest ones of the other, on the same chart and facing the same way: about `wanted`
 * on each, or what the triangles of the level need.
 */
export function nearestSamples(
  level: LevelMesh,
  coarse: ChartSurface,
  original: ChartSurface,
  wanted: number,
  joined?: Joined,
): Samples {
  return evenOut(
    joinSamples([
      fromLevel(level, coarse, original, wanted, joined),
      fromOriginal(coarse, original, Math.max(wanted, POINTS_PER_TRIANGLE * level.faces.length), joined),
    ]),
  );
}

/** Both surfaces with charts joined across seams that were given up, for the faces of the level (f: 1) that lie across them. */
export interface Joined {
  isAcross: Uint8Array;
  coarse: ChartSurface;
  original: ChartSurface;
}

/** Points of the original for every triangle of the level, at least. */
const POINTS_PER_TRIANGLE = 2;

/** A grid on every triangle of the level. */
function fromLevel(
  level: LevelMesh,
  ownCoarse: ChartSurface,
  ownOriginal: ChartSurface,
  wanted: number,
  joined?: Joined,
): Samples {
  const grid = gridFor(level.faces.length, wanted);
  const per = grid.a.length;
  const out = newSamples(per * level.faces.length);
  const points = new Float64Array(3 * per);
  for (let t = 0; t < level.faces.length; t++) {
    const { coarse, original } = joined?.isAcross[t] === 1 ? joined : { coarse: ownCoarse, original: ownOriginal };
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
        out.direction[s] = original.directionAtFound(DIRECTION.offOriginal);
      } else out.share[s] = 0;
    }
  }
  return evenOut(out);
}

/** How much of the points is dealt out to faces alike, and not by area: bevels of hard parts are narrow, and many. */
const DEALT_ALIKE = 0.5;

/** Points spread on the original, with shares by area. */
function fromOriginal(ownCoarse: ChartSurface, original: ChartSurface, wanted: number, joined?: Joined): Samples {
  const { triangles, positions } = original;
  const out = newSamples(wanted);
  const faces = triangles.length / 3;
  const point = new Float64Array(3);
  const areas = Float64Array.from({ length: faces }, (_, f) => faceArea(positions, triangles, 3 * f));
  const alike = (DEALT_ALIKE * areas.reduce((sum, area) => sum + area, 0)) / faces;
  const dealt = areas.map((area) => (1 - DEALT_ALIKE) * area + alike);
  const step = dealt.reduce((sum, each) => sum + each, 0) / wanted;
  let f = 0;
  let reached = dealt[0];
  for (let s = 0; s < wanted; s++) {
    while (reached < (s + 0.5) * step && f + 1 < faces) reached += dealt[++f];
    out.share[s] = areas[f] / dealt[f] || 0; // by area again; of nothing, nothing
    // Points of a face by the additive recurrence of Roberts 2018, folded over from the square.
    let u = (0.5 + s * 0.7548776662466927) % 1;
    let v = (0.5 + s * 0.5698402909980532) % 1;
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    out.face[s] = f;
    out.u[s] = u;
    out.v[s] = v;
    pointOfFace(point, 0, positions, triangles, f, u, v);
    const [x, y, z] = point;
    const across =
      joined?.coarse.nearest(joined.original.chartOf(f), x, y, z) && joined.isAcross[found.face] === 1
        ? joined.coarse
        : undefined;
    const coarse = across ?? ownCoarse;
    if ((across || coarse.nearest(original.chartOf(f), x, y, z)) && facesAlike(coarse, found.face, original, f)) {
      out.triangle[s] = found.face;
      out.a[s] = 1 - found.second - found.third;
      out.b[s] = found.second;
      out.direction[s] = coarse.directionAtFound(DIRECTION.offLevel);
    } else out.share[s] = 0;
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
