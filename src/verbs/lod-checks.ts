import { PliantError } from '../error.ts';
import { type FacesInPoses, facesInPoses, poseToMeasureIn } from '../lod/faces-in-poses.ts';
import type { Asset } from '../model/asset.ts';
import { type Mesh, triangleCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { Pose } from '../skin/choose-poses.ts';
import { Skinner } from '../skin/skinner.ts';

/** Whether there is anything that levels can be made of, and what a user should know about it. */

/** Throws for a mesh without faces. */
export function requireFaces(
  verb: string,
  asset: Asset,
  meshes: readonly Mesh[],
  advice = ': points need a surface first',
): void {
  const empty = meshes.find((mesh) => triangleCount(mesh) === 0);
  if (!empty) return;
  const points = empty.positions.length / 3;
  const cause = `has no faces (got ${points} points${empty.name ? ` of ${empty.name}` : ''}, expected a mesh with faces${advice})`;
  throw new PliantError('bad-input', verb, cause, { file: asset.name });
}

/** Throws where no face has an area, and notes how many have none. */
export function requireArea(verb: string, asset: Asset, bare: number, faces: number, notes: Note[]): void {
  if (bare === faces) {
    const cause = `no face has an area (got ${faces} whose points are in a line or in one place: export it again, at its full size)`;
    throw new PliantError('bad-input', verb, cause, { file: asset.name });
  }
  if (bare > 0) notes.push(note('faces-without-area', { faces: bare, of: faces }));
}

/** Length from which on a model is more likely in centimetres than that large, in metres. */
const LARGE = 50;

/** Says what distances are in where a model seems to be in another unit than its file says. */
export function noteSize(diagonal: number, notes: Note[]): void {
  if (diagonal > LARGE) notes.push(note('large-for-metres', { metres: diagonal }));
}

/** The poses, from the one that lengths are measured in on: things may be scaled to a point in the default pose. */
export function posesFromShown(
  verb: string,
  asset: Asset,
  models: readonly SkinnedModel[],
  poses: readonly Pose[],
  notes: Note[],
): Pose[] {
  const found = models.map((model, m) => facesInPoses(model.mesh.triangles, posed(model, m, poses)));
  const sum = (of: (each: FacesInPoses) => number): number => found.reduce((all, each) => all + of(each), 0);
  const faces = models.reduce((all, { mesh }) => all + triangleCount(mesh), 0);
  requireArea(
    verb,
    asset,
    sum(({ bare }) => bare),
    faces,
    notes,
  );
  const first = poseToMeasureIn(poses.map((_, p) => sum(({ areas }) => areas[p])));
  if (first === 0) return [...poses];
  notes.push(note('measured-in', { pose: poses[first].name, seconds: poses[first].time }));
  return [poses[first], ...poses.filter((_, p) => p !== first)];
}

function* posed(model: SkinnedModel, m: number, poses: readonly Pose[]): Generator<Float32Array> {
  const skinner = new Skinner(model, { operator: 'lbs', normals: false });
  for (const { parts } of poses) yield skinner.pose(parts[m].transforms, undefined, parts[m].morphWeights).positions;
}
