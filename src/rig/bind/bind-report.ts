import { followedBones } from '../../model/influences.ts';
import { note } from '../../model/note.ts';
import type { Report } from '../../model/report.ts';
import { boneCount, type Skeleton } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Assignment } from './assign-bones.ts';

/** What could not be decided by looking for bones inside the mesh. */
export function describeAssignment({ notes, figures }: Report, { parts, nearest, carried, held }: Assignment): void {
  const solid = parts.triangles.filter((triangles) => triangles > 0).length;
  const open = parts.outside.filter((outside, part) => outside === 0 && parts.triangles[part] > 0).length;
  if (open > 0) notes.push(note('surface-open', { open, parts: solid }));
  const without = carried.reduce((sum, is) => sum + is, 0);
  if (without > 0) notes.push(note('parts-without-bones', { without, parts: parts.count, points: held.length }));
  if (nearest.blind === parts.partOf.length) notes.push(note('no-visible-bones', {}));
  else if (nearest.blind > held.length) figures.blindVertices = nearest.blind - held.length;
}

/** @param bones how many vertices may follow. */
export function describeWeights(report: Report, skin: SkinWeights, skeleton: Skeleton, bones: number): void {
  const followed = followedBones(skin).size;
  if (followed < bones / 2) report.notes.push(note('bones-unfollowed', { followed, bones }));
  Object.assign(report.figures, {
    vertices: skin.weights.length / skin.influences,
    bones: boneCount(skeleton),
    followedBones: followed,
    influences: skin.influences,
  });
}
