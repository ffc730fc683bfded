import { surfaceArea } from '../measure/area.ts';
import { PosedDistance } from '../measure/posed-distance.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { splitVertexCount, triangleCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { keepsShape, type Pose } from '../skin/choose-poses.ts';
import { Skinner } from '../skin/skinner.ts';
import { poseToMeasureIn } from './faces-in-poses.ts';

/** How far levels of models are from the models, over poses that they were fitted to and others. */

/** Of a part, or of all. */
export interface MeasuredLevel {
  triangles: number;
  /** Split vertices: what renderers draw. */
  vertices: number;
  /** In units of the models. */
  rms: number;
  max: number;
  /** The pose of the largest distance. */
  worst: number;
}

/** Points on all parts of a file together; 24 poses see 24 times as many. */
const POINTS = 4000;
/** Points on a part at least. */
const LEAST_POINTS = 200;

/** A model that levels are compared with. */
export interface MeasuredPart {
  model: SkinnedModel;
  /** Square units, in the default pose. */
  area: number;
  /** Per pose, 3N; only the first of a part that never changes its shape. */
  posed: Float32Array[];
}

export function measuredParts(models: readonly SkinnedModel[], poses: readonly Pose[]): MeasuredPart[] {
  return models.map((model, m) => {
    const posed = posedIn(model, m, keepsShape(model) && !model.morphs ? poses.slice(0, 1) : poses);
    return { model, area: surfaceArea(posed[0], model.mesh.triangles), posed };
  });
}

function posedIn(model: SkinnedModel, m: number, poses: readonly Pose[]): Float32Array[] {
  const skinner = new Skinner(model, { operator: 'lbs', normals: false });
  return poses.map(({ parts }) =>
    skinner.pose(parts[m].transforms, undefined, parts[m].morphWeights).positions.slice(),
  );
}

/** Figures of one level of each part. */
export async function measureLevel(
  parts: readonly MeasuredPart[],
  level: readonly SkinnedModel[],
  poses: readonly Pose[],
  run: RunOptions,
  done: number,
  total: number,
): Promise<MeasuredLevel[]> {
  const area = parts.reduce((sum, part) => sum + part.area, 0);
  const figures: MeasuredLevel[] = [];
  for (const [m, { model, area: own, posed }] of parts.entries()) {
    await checkpoint(run, 'lod', done, total, 'measuring levels');
    const points = Math.max(LEAST_POINTS, Math.round(area > 0 ? (POINTS * own) / area : POINTS));
    figures.push(distances(model, posed, level[m], posedIn(level[m], m, poses.slice(0, posed.length)), points));
  }
  return figures;
}

function distances(
  { mesh: given }: SkinnedModel,
  before: readonly Float32Array[],
  { mesh }: SkinnedModel,
  after: readonly Float32Array[],
  points: number,
): MeasuredLevel {
  const compare = new PosedDistance(
    { triangles: given.triangles, positions: before[0] },
    { triangles: mesh.triangles, positions: after[0] },
    { points },
  );
  let [sum, max, worst] = [0, -1, 0];
  for (const [k, positions] of before.entries()) {
    const found = compare.distance(positions, after[k]);
    sum += found.rms ** 2;
    if (found.max > max) [max, worst] = [found.max, k];
  }
  const rms = Math.sqrt(sum / before.length);
  return { triangles: triangleCount(mesh), vertices: splitVertexCount(mesh), rms, max, worst };
}

/** Figures of all parts together: means by area. */
export function overall(parts: readonly MeasuredPart[], figures: readonly MeasuredLevel[]): MeasuredLevel {
  const area = parts.reduce((sum, part) => sum + part.area, 0) || 1;
  const sum = (of: (each: MeasuredLevel, m: number) => number) =>
    figures.reduce((all, each, m) => all + of(each, m), 0);
  const worst = figures.reduce((a, b) => (b.max > a.max ? b : a));
  return {
    triangles: sum(({ triangles }) => triangles),
    vertices: sum(({ vertices }) => vertices),
    rms: Math.sqrt(sum(({ rms }, m) => (rms ** 2 * parts[m].area) / area)),
    max: worst.max,
    worst: worst.worst,
  };
}

/** The diagonal of everything in the default pose. */
export const wholeDiagonal = (parts: readonly MeasuredPart[]): number => {
  const corners = parts.flatMap(({ posed: [first] }) => boxOf(first));
  return diagonalOf(corners) || 1;
};

/** The diagonal of a part in the default pose, or in the one where it is largest if next to nothing is seen of it in that. */
export function partDiagonal({ posed }: MeasuredPart): number {
  const diagonals = posed.map((positions) => diagonalOf(positions));
  return diagonals[poseToMeasureIn(diagonals.map((length) => length ** 2))];
}

/** 6: least and largest coordinates. */
function boxOf(positions: Float32Array): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let c = 0; c < positions.length; c++) {
    box[c % 3] = Math.min(box[c % 3], positions[c]);
    box[3 + (c % 3)] = Math.max(box[3 + (c % 3)], positions[c]);
  }
  return box;
}
