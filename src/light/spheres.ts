/**
 * Spheres that stand for a character where it throws shadows on itself: a few of its medial balls, which follow the bones as
 * the surface around them does. Inscribed balls lie below the tangent plane of what they touch, so that no part has to be
 * left out where it shades itself. Every connected part has balls of its own: cloth, hair and props too.
 */
import { PliantError } from '../error.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { vertexNormals } from '../mesh/normals.ts';
import { meshParts } from '../mesh/parts.ts';
import type { LightSpheres } from '../model/light.ts';
import { integerOption, type OptionsOf, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { coverBalls } from './cover-balls.ts';
import { medialRadii } from './medial-balls.ts';
import { carriedMorphs, followSkin, nearVertices } from './sphere-skin.ts';
import { joinSurfaces, type SphereSurface } from './sphere-surface.ts';
import { surfaceReach } from './widen-balls.ts';

/** Options of `makeSpheres`. */
export const SPHERE_OPTIONS = {
  spheres: integerOption(64, { min: 1, max: 1024 }, 'spheres that throw shadows'),
} as const;

/** Settings of `makeSpheres`. */
export type SphereOptions = OptionsOf<typeof SPHERE_OPTIONS>;

/** Spheres, and how morphs move them. */
export interface MadeSpheres {
  spheres: LightSpheres;
  /** Per morph 4S: what it adds to x y z and radius. */
  morphs: Float32Array[];
  report: Report;
}

/** Radii are multiplied by this, and by the mean distance of their share of the surface, in radii, to that power (docs/notes/light.md). */
const SWELL = 0.94;
const WIDEN = 0.75;
/** No ball of an open surface is larger than this share of the root of its part's area: nothing lies opposite. */
const OPEN_RADIUS = 0.2;

/** Spheres of a surface, or of several that make up one character and follow the same bones. */
export function makeSpheres(
  surfaces: SphereSurface | readonly SphereSurface[],
  options: Partial<SphereOptions> = {},
): MadeSpheres {
  const { spheres: wanted } = resolveOptions(SPHERE_OPTIONS, options, 'makeSpheres');
  const report = emptyReport('makeSpheres');
  const lap = lapTimer(report.seconds);
  const surface = joinSurfaces('positions' in surfaces ? [surfaces] : surfaces);
  const diagonal = diagonalOf(surface.positions);
  if (surface.triangles.length === 0 || !(diagonal > 0)) {
    const cause = `no surface (got ${surface.triangles.length / 3} triangles, a size of ${diagonal})`;
    throw new PliantError('bad-input', 'makeSpheres', cause);
  }

  const balls = medialBalls(surface, diagonal);
  lap('balls');
  const chosen = coverBalls(balls, wanted, diagonal);
  lap('cover');

  const count = chosen.length;
  const centres = new Float32Array(3 * count);
  const radii = new Float32Array(count);
  const reach = surfaceReach(surface, balls, chosen);
  chosen.forEach((ball, s) => {
    for (let c = 0; c < 3; c++) centres[3 * s + c] = balls.centres[3 * ball + c];
    radii[s] = SWELL * reach[s] ** WIDEN * balls.radii[ball];
  });
  const near = nearVertices(surface, balls, chosen);
  const { joints, weights } = followSkin(surface, near);
  const morphs = carriedMorphs(surface, near, centres, radii);
  lap('skin');
  report.figures = { spheres: count, parts: new Set(balls.parts).size };
  const spheres = { count, centres, radii, opacities: new Float32Array(count).fill(1), joints, weights };
  return { spheres, morphs, report };
}

/** The balls below all vertices, part by part: a part is no obstacle to another's. */
function medialBalls({ positions, triangles }: SphereSurface, diagonal: number) {
  const parts = meshParts(positions, triangles);
  const normals = vertexNormals({ positions, triangles });
  const centres: number[] = [];
  const radii: number[] = [];
  const partOf: number[] = [];
  const vertices: number[] = [];
  const facesOf = groupBy(parts.count, triangles.length / 3, (f) => parts.partOf[triangles[3 * f]]);
  const verticesOf = groupBy(parts.count, positions.length / 3, (i) => parts.partOf[i]);
  const local = new Uint32Array(positions.length / 3);
  for (let part = 0; part < parts.count; part++) {
    if (facesOf[part].length === 0 || !(parts.areas[part] > 0)) continue;
    const own = verticesOf[part];
    const inwards = parts.outside[part] < 0 ? -1 : 1;
    const rows = new Float32Array(3 * own.length);
    const directions = new Float32Array(3 * own.length);
    own.forEach((i, q) => {
      local[i] = q;
      for (let c = 0; c < 3; c++) {
        rows[3 * q + c] = positions[3 * i + c];
        directions[3 * q + c] = inwards * normals[3 * i + c];
      }
    });
    const faces = Uint32Array.from({ length: 3 * facesOf[part].length }, (_, c) => {
      return local[triangles[3 * facesOf[part][Math.floor(c / 3)] + (c % 3)]];
    });
    const most = parts.open[part] ? OPEN_RADIUS * Math.sqrt(parts.areas[part]) : diagonal / 2;
    const all = Uint32Array.from({ length: own.length }, (_, q) => q);
    const found = medialRadii({ positions: rows, triangles: faces, normals: directions }, all, most);
    own.forEach((i, q) => {
      // A ball of no size throws no shadow: two sheets that touch.
      if (!(found[q] > 1e-6 * diagonal)) return;
      for (let c = 0; c < 3; c++) centres.push(rows[3 * q + c] - found[q] * directions[3 * q + c]);
      radii.push(found[q]);
      partOf.push(part);
      vertices.push(i);
    });
  }
  return {
    centres: Float64Array.from(centres),
    radii: Float64Array.from(radii),
    parts: Uint32Array.from(partOf),
    /** Ball → the vertex that it touches. */
    vertices: Uint32Array.from(vertices),
    /** N: vertex → part. */
    partOf: parts.partOf,
  };
}

/** Group → the items of it, rising. */
function groupBy(groups: number, items: number, groupOf: (item: number) => number): number[][] {
  const lists: number[][] = Array.from({ length: groups }, () => []);
  for (let item = 0; item < items; item++) lists[groupOf(item)].push(item);
  return lists;
}
