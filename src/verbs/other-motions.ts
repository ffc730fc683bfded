import { PliantError } from '../error.ts';
import { modelInGltfSpace } from '../io/glb/space.ts';
import type { Asset, Motion } from '../model/asset.ts';
import { followedBones } from '../model/influences.ts';
import { type Note, note } from '../model/note.ts';
import type { Clip, Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { matchBones } from '../rig/bind/bone-names.ts';
import { isEndMarker } from '../rig/bind/bone-segments.ts';
import { retargetClip } from '../rig/bind/retarget.ts';

/** Skeletons and clips of other assets: motion capture, or another rig. They are y up. */

/** Names of joints in the clips of another asset → names of bones in the rig. */
export type NameMap = Readonly<Record<string, string>>;

/** A skeleton with its clips. */
export interface SkeletonSource extends Motion {
  /** Bones that vertices may follow. Known where the asset is a rig. */
  deforms?: (bone: number) => boolean;
  /** Motion capture: its clips have an origin and a unit of their own. */
  captured: boolean;
}

/** One per distinct skeleton. */
function skeletonsOf({ motions, models }: Asset): SkeletonSource[] {
  const captured = motions.map((motion) => ({ ...motion, captured: true }));
  const rigs = [...new Set(models.map((model) => model.skeleton))].map((own) => {
    const group = models.filter((model) => model.skeleton === own);
    const { name, skeleton, clips } = modelInGltfSpace(group[0]);
    return { name, skeleton, clips, captured: false, deforms: deformingBones(skeleton, group) };
  });
  return [...captured, ...rigs];
}

/** The largest skeleton of an asset. */
export function largestSkeleton(verb: string, asset: Asset, notes: Note[]): SkeletonSource {
  const found = skeletonsOf(asset);
  if (found.length === 0) {
    const cause = 'contains no skeleton (expected a BVH file or a rig)';
    throw new PliantError('not-found', verb, cause, { file: asset.name });
  }
  const largest = found.reduce((a, b) => (b.skeleton.names.length > a.skeleton.names.length ? b : a));
  if (found.length > 1) {
    notes.push(note('largest-skeleton', { skeletons: found.length, taken: largest.name }, asset.name));
  }
  return largest;
}

/** The skeletons of an asset that have clips. */
export function motionsOf(verb: string, asset: Asset): SkeletonSource[] {
  const found = skeletonsOf(asset).filter(({ clips }) => clips.length > 0);
  if (found.length > 0) return found;
  throw new PliantError('not-found', verb, 'contains no skeletal clips', { file: asset.name });
}

/** Bones that vertices of the models follow, and all below them. Nodes above the joints are no bones to bind to. */
export function deformingBones(skeleton: Skeleton, models: readonly SkinnedModel[]): (bone: number) => boolean {
  const follow = new Set(models.flatMap(({ weights }) => [...followedBones(weights)]));
  skeleton.parents.forEach((parent, j) => {
    if (follow.has(parent)) follow.add(j);
  });
  return (bone) => follow.has(bone);
}

/** How many names an error lists. */
const LISTED = 8;

/** Of the joints of a clip, or of the bones that vertices follow if these are fewer: fewer matches are no match. */
const LEAST_MATCHES = 1 / 4;

/** A skeleton, and which of its bones vertices follow [default all]. */
export interface MovedSkeleton {
  skeleton: Skeleton;
  deforms?: (bone: number) => boolean;
}

/** The clips of another skeleton, retargeted to this one. */
export function playOn(
  verb: string,
  { skeleton: target, deforms = () => true }: MovedSkeleton,
  source: SkeletonSource,
  map: NameMap,
  notes: Note[],
): Clip[] {
  const sourceOf = matchBones(source.skeleton.names, target.names, map, verb);
  const moved = new Set(sourceOf);
  const joints = source.skeleton.names.filter((_, j) => !isEndMarker(source.skeleton, j));
  const unmatched = joints.filter((name) => !moved.has(source.skeleton.names.indexOf(name)));
  const followed = [...target.names.keys()].filter((j) => deforms(j) && !isEndMarker(target, j));
  const unmoved = followed.filter((j) => sourceOf[j] < 0).map((j) => target.names[j]);
  const matches = followed.length - unmoved.length;
  // Who maps names knows which ones are meant.
  const enough = Object.keys(map).length > 0 ? 0 : LEAST_MATCHES * Math.min(joints.length, followed.length);
  if (matches < enough || unmatched.length === joints.length) {
    const names = `${unmatched.slice(0, LISTED).join(', ')}… and ${unmoved.slice(0, LISTED).join(', ')}…`;
    const cause =
      `${matches} of ${followed.length} bones that vertices follow match a joint of clip "${source.name}" by name ` +
      `(got ${names})`;
    throw new PliantError('bad-input', verb, cause, { reason: 'no-common-joints' });
  }
  return source.clips.map((clip) => {
    const { clip: played, scale } = retargetClip(
      source.skeleton,
      clip,
      target,
      sourceOf,
      source.captured && !source.fromRest,
    );
    notes.push(note('clip-retargeted', { joints: joints.length, scale, unmatched }, clip.name));
    return played;
  });
}
