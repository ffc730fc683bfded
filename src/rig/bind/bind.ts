import { PliantError } from '../../error.ts';
import { gatherRows } from '../../math/rows.ts';
import { countingWeights } from '../../model/influences.ts';
import { firstNonFinite, type Mesh, validateMesh, vertexCount } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import { type Skeleton, validateSkeleton } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { assignBones, carryWeights } from './assign-bones.ts';
import { BIND_OPTIONS, type BindOptions } from './bind-options.ts';
import { describeAssignment, describeWeights } from './bind-report.ts';
import { type BoneSegments, boneSegments } from './bone-segments.ts';
import { inverseDistanceWeights, rigidWeights } from './distance-weights.ts';
import { geodesicDistances } from './geodesic.ts';
import { heatWeights } from './heat.ts';
import { boneDistances } from './segment-distance.ts';
import { smoothWeights } from './smooth.ts';
import { type Surface, weldedSurface } from './surface.ts';
import { volumeWeights } from './volume/volume-weights.ts';

/**
 * Weights for a mesh and a skeleton (the lecture on geometric surface deformation; Baran & Popović 2007).
 * docs/notes/bind.md has the derivations.
 */

const OPERATION = 'bind';

/** Numbers of a dense table of weights at most: half a gigabyte, several times over. */
const MOST_ENTRIES = 2 ** 26;

/** Weights, and how they came about. */
export interface BindResult {
  /** As many influences as the method found, before any are left out: see `trimInfluences`. */
  weights: SkinWeights;
  report: Report;
}

/**
 * Computes skin weights. The skeleton stands in its bind pose (`inverseBind`), in the coordinates of the mesh.
 *
 * @param options.deforms which bones vertices may follow, all but end markers by default.
 */
export async function bind(
  mesh: Mesh,
  skeleton: Skeleton,
  options: Partial<BindOptions> & RunOptions & { deforms?: (bone: number) => boolean } = {},
): Promise<BindResult> {
  const settings = resolveOptions(BIND_OPTIONS, options, OPERATION);
  validateMesh(mesh, OPERATION);
  validateSkeleton(skeleton, OPERATION);
  const n = vertexCount(mesh);
  if (n === 0) throw new PliantError('bad-input', OPERATION, 'the mesh has no vertices (expected at least one)');
  const report = emptyReport(OPERATION);
  const clock = lapTimer(report.seconds);

  // (1) Bones as segments, the mesh as points.
  const segments = boneSegments(skeleton, OPERATION, options.deforms);
  if (n * segments.bones.length > MOST_ENTRIES) {
    const cause = `${n} vertices × ${segments.bones.length} bones (expected at most ${MOST_ENTRIES} weights in all)`;
    throw new PliantError('too-large', OPERATION, cause);
  }
  const surface = weldedSurface(mesh);
  // (2) The weights of points.
  const found =
    settings.method === 'volume'
      ? await volumeWeights(surface, skeleton, options.deforms, settings, report, clock, options)
      : { weights: await pointWeights({ surface, segments }, settings, report, clock, options), bones: segments.bones };
  const { bones } = found;
  const columns = bones.length;
  clock(settings.method);

  // (3) Smoothing, and back to vertices and bones.
  const weights = smoothWeights(found.weights, columns, surface.neighbours, settings.smoothing);
  if (firstNonFinite(weights) >= 0) throw new PliantError('internal', OPERATION, 'a weight is not finite');
  const { influences, ...counting } = countingWeights(weights, columns);
  const skin: SkinWeights = {
    influences,
    joints: gatherRows(counting.joints, influences, surface.pointOf),
    weights: gatherRows(counting.weights, influences, surface.pointOf),
  };
  for (let s = 0; s < skin.joints.length; s++) if (skin.weights[s] > 0) skin.joints[s] = bones[skin.joints[s]];
  clock('influences');
  describeWeights(report, skin, skeleton, columns);
  return { weights: skin, report };
}

/** What weights are computed from. */
interface Bound {
  surface: Surface;
  segments: BoneSegments;
}

/** Points × bones: the weights of points, by the method asked for. */
async function pointWeights(
  { surface, segments }: Bound,
  { method, exponent, cutoff, heat }: BindOptions,
  report: Report,
  clock: (stage: string) => void,
  run: RunOptions,
): Promise<Float64Array> {
  const columns = segments.bones.length;
  // Points × bones.
  const distances = boneDistances(surface.positions, segments);
  clock('distances');
  await checkpoint(run, OPERATION, 0, 1, 'weighing');
  if (method === 'rigid') return rigidWeights(distances, columns);
  if (method === 'inverse-distance') return inverseDistanceWeights(distances, columns, exponent, cutoff);
  const assignment = await assignBones(surface, segments, distances, run);
  const { nearest } = assignment;
  describeAssignment(report, assignment);
  clock('nearest bones');
  let weights: Float64Array;
  if (method === 'heat') {
    const found = await heatWeights(surface, nearest, distances, heat, run);
    weights = found.weights;
    if (found.cold > 0) report.notes.push(note('flat-triangles', { points: found.cold }));
  } else {
    const reach = cutoff > 0 ? cutoff ** (-1 / exponent) : Infinity;
    const along = await geodesicDistances(surface, nearest, columns, reach, run);
    weights = inverseDistanceWeights(along, columns, exponent, cutoff);
  }
  carryWeights(surface, assignment, weights, columns);
  return weights;
}
