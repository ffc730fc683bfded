import { PosedDistance } from '../src/doors/measure.ts';
import { posedBy } from '../src/lod/pose.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { seededRandom } from '../src/math/rng.ts';
import { quantile } from '../src/math/statistics.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';
import { buildBvh } from '../src/mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../src/mesh/nearest.ts';
import { faceArea } from '../src/mesh/triangle.ts';
import type { Mesh } from '../src/model/mesh.ts';
import type { Morph, SkinWeights } from '../src/model/skinned-model.ts';

/** How good a simplified surface is, whoever made it. */

export interface Quality {
  triangles: number;
  vertices: number;
  /** Over the poses of `unseen`, % of the diagonal. */
  rms: number;
  max: number;
  /** Mean angle between normals in the default pose, degrees. */
  normals?: number;
  /** 95 % of the points have less, texels of 1,024. */
  uvs?: number;
  /** How much more or less texture there is per length than on the given surface, mean, %. */
  stretch?: number;
}

/** Points on each surface and in each pose. */
const POINTS = 12_000;
/** The same, to find out which settings are worth a look. */
const FEW_POINTS = 1500;
const TEXELS = 1024;

/** What is judged. */
interface Judged {
  mesh: Mesh;
  weights?: SkinWeights;
  morphs?: readonly Morph[];
}

/** `unseen` has the poses by which surfaces are judged. */
export function qualityOf(unseen: PosedSurface, judged: Judged): Quality {
  const { mesh } = judged;
  return {
    triangles: mesh.triangles.length / 3,
    vertices: mesh.seams?.vertexOf.length ?? mesh.positions.length / 3,
    ...distances(unseen, judged, POINTS),
    ...appearance(unseen.mesh, mesh),
  };
}

/** RMS from few points, %: enough to choose by. */
export const roughRms = (unseen: PosedSurface, judged: Judged): number => distances(unseen, judged, FEW_POINTS).rms;

function distances(
  unseen: PosedSurface,
  { mesh, weights, morphs = [] }: Judged,
  points: number,
): Pick<Quality, 'rms' | 'max'> {
  const diagonal = diagonalOf(unseen.poses[0]);
  const original = unseen.poses;
  const posed = unseen.poses.map((_, p) => Float32Array.from(posedBy(unseen, p, mesh.positions, weights!, morphs)));
  const compare = new PosedDistance(
    { triangles: unseen.mesh.triangles, positions: original[0] },
    { triangles: mesh.triangles, positions: posed[0] },
    { points },
  );
  let [sum, max] = [0, 0];
  for (const [p, positions] of original.entries()) {
    const found = compare.distance(positions, posed[p]);
    sum += found.rms ** 2;
    max = Math.max(max, found.max);
  }
  return { rms: (100 * Math.sqrt(sum / original.length)) / diagonal, max: (100 * max) / diagonal };
}

/** Normals and uvs at points spread by area on either surface, beside those of the nearest point of the other, at rest. */
function appearance(given: Mesh, level: Mesh): Pick<Quality, 'normals' | 'uvs' | 'stretch'> {
  const angles: number[] = [];
  const texels: number[] = [];
  const stretches: number[] = [];
  for (const [from, to] of [
    [given, level],
    [level, given],
  ]) {
    const bvh = buildBvh(to.positions, to.triangles);
    const hit = surfacePoint();
    for (const { face, weights, point } of spread(from, POINTS)) {
      nearestOnSurface(bvh, point[0], point[1], point[2], hit);
      const there = [1 - hit.second - hit.third, hit.second, hit.third];
      if (from.normals && to.normals) {
        const [a, b] = [valueAt(from, from.normals, 3, face, weights), valueAt(to, to.normals, 3, hit.face, there)];
        const dot = a.reduce((sum, x, c) => sum + x * b[c], 0) / (Math.hypot(...a) * Math.hypot(...b) || 1);
        angles.push((180 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, dot))));
      }
      if (from.uvs && to.uvs) {
        const [a, b] = [valueAt(from, from.uvs, 2, face, weights), valueAt(to, to.uvs, 2, hit.face, there)];
        texels.push(TEXELS * Math.hypot(a[0] - b[0], a[1] - b[1]));
        const ratio = density(from, face) / density(to, hit.face);
        if (ratio > 0 && ratio < Infinity) stretches.push(Math.abs(Math.log(ratio)));
      }
    }
  }
  const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  return {
    ...(angles.length > 0 && { normals: mean(angles) }),
    ...(texels.length > 0 && { uvs: quantile(Float64Array.from(texels), 0.95) }),
    ...(stretches.length > 0 && { stretch: 100 * (Math.exp(mean(stretches)) - 1) }),
  };
}

/** Texture per length on a face: the root of its area there over its area here. */
function density(mesh: Mesh, face: number): number {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const [a, b, c] = [0, 1, 2].map((k) => 2 * corners[3 * face + k]);
  const uvs = mesh.uvs!;
  const [ux, uy, vx, vy] = [uvs[b] - uvs[a], uvs[b + 1] - uvs[a + 1], uvs[c] - uvs[a], uvs[c + 1] - uvs[a + 1]];
  return Math.sqrt(Math.abs(ux * vy - uy * vx) / 2 / faceArea(mesh.positions, mesh.triangles, 3 * face));
}

function valueAt(mesh: Mesh, values: Float32Array, size: number, face: number, weights: readonly number[]): number[] {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  return Array.from({ length: size }, (_, c) =>
    weights.reduce((sum, weight, k) => sum + weight * values[size * corners[3 * face + k] + c], 0),
  );
}

function* spread({ positions, triangles }: Mesh, count: number) {
  const random = seededRandom(7);
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) total += faceArea(positions, triangles, t);
  let reached = 0;
  let p = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    reached += faceArea(positions, triangles, t);
    for (; p < count && (p + 0.5) / count <= reached / total; p++) {
      const root = Math.sqrt(random());
      const v = random();
      const weights = [1 - root, root * (1 - v), root * v];
      const point = [0, 1, 2].map((c) =>
        weights.reduce((sum, w, k) => sum + w * positions[3 * triangles[t + k] + c], 0),
      );
      yield { face: t / 3, weights, point };
    }
  }
}
