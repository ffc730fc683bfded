import { readFile } from 'node:fs/promises';
import { PliantError } from '../../src/error.ts';
import { modelInGltfSpace } from '../../src/io/glb/space.ts';
import type { Asset, Motion } from '../../src/model/asset.ts';
import type { Notes } from '../../src/model/note.ts';
import type { Clip, Skeleton } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { fileError } from '../../src/platform/node/index.ts';
import { digits } from '../../src/report/format.ts';
import { matchBones } from '../../src/rig/bind/bone-names.ts';
import { isEndMarker } from '../../src/rig/bind/bone-segments.ts';
import { retargetClip } from '../../src/rig/bind/retarget.ts';
import { closeAsset, openAsset } from './open-input.ts';

/** Skeletons and clips from files of their own: BVH, or a rig. */

/** A skeleton with its clips. */
export interface SkeletonInput extends Motion {
  /** Whether vertices may follow a bone; known where the file is a rig whose vertices do. */
  deforms?: (bone: number) => boolean;
  /** True where the file is motion capture: its clips stand at their own place and in their own unit. */
  captured: boolean;
}

/** Bones that a vertex of the models follows, and all below them. Nodes above the joints are no bones to bind to. */
export function deformingBones(skeleton: Skeleton, models: readonly SkinnedModel[]): (bone: number) => boolean {
  const follows = new Uint8Array(skeleton.parents.length);
  for (const { weights } of models) {
    for (let s = 0; s < weights.joints.length; s++) if (weights.weights[s] > 0) follows[weights.joints[s]] = 1;
  }
  for (let j = 0; j < follows.length; j++) if (skeleton.parents[j] >= 0 && follows[skeleton.parents[j]]) follows[j] = 1;
  return (bone) => follows[bone] === 1;
}

/** The largest skeleton of a file. */
export async function openSkeleton(operation: string, file: string, notes: Notes): Promise<SkeletonInput> {
  const asset = await openAsset(operation, file);
  await closeAsset(asset);
  const found = skeletonsOf(asset);
  if (found.length === 0) {
    throw new PliantError('not-found', operation, 'holds no skeleton (expected a BVH file or a rig)', { file });
  }
  const largest = found.reduce((a, b) => (b.skeleton.names.length > a.skeleton.names.length ? b : a));
  if (found.length > 1) {
    notes.push(`${file} has ${found.length} skeletons: that of ${largest.name}, the largest, is taken.`);
  }
  return largest;
}

/** One per distinct skeleton. */
function skeletonsOf({ motions, models }: Asset): SkeletonInput[] {
  const out: SkeletonInput[] = motions.map((motion) => ({ ...motion, captured: true }));
  const bySkeleton = new Map<Skeleton, SkinnedModel[]>();
  for (const model of models) bySkeleton.set(model.skeleton, [...(bySkeleton.get(model.skeleton) ?? []), model]);
  for (const group of bySkeleton.values()) {
    const { name, skeleton, clips } = modelInGltfSpace(group[0]);
    out.push({ name, skeleton, clips, captured: false, deforms: deformingBones(skeleton, group) });
  }
  return out;
}

/** A JSON file `{ "joint of the clip": "bone of the rig", … }`. */
export async function readNameMap(operation: string, file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fileError(error, operation, file);
  });
  const fail = (cause: string): never => {
    throw new PliantError('bad-file', operation, `${cause} (expected {"joint of the clip": "bone of the rig", …})`, {
      file,
    });
  };
  let map: unknown;
  try {
    map = JSON.parse(text);
  } catch {
    return fail('is not JSON');
  }
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return fail('is not an object');
  for (const [name, value] of Object.entries(map)) if (typeof value !== 'string') fail(`"${name}" is not a text`);
  return map as Record<string, string>;
}

/** How many names a note lists. */
const LISTED = 8;

/** Clips of another skeleton, on this one; `notes` tells what moved and what did not. */
export function playOn(
  operation: string,
  target: Skeleton,
  source: Motion,
  map: Readonly<Record<string, string>>,
  notes: Notes,
): Clip[] {
  const sourceOf = matchBones(source.skeleton.names, target.names, map, operation);
  const moved = new Set(sourceOf);
  const joints = source.skeleton.names.filter((_, j) => !isEndMarker(source.skeleton, j));
  const missing = joints.filter((name) => !moved.has(source.skeleton.names.indexOf(name)));
  if (missing.length === joints.length) {
    const names = `${joints.slice(0, LISTED).join(', ')}… and ${target.names.slice(0, LISTED).join(', ')}…`;
    const cause = `no joint of clip "${source.name}" has the name of a bone (got ${names}): map them with --map`;
    throw new PliantError('bad-input', operation, cause);
  }
  return source.clips.map((clip) => {
    const { clip: played, scale } = retargetClip(source.skeleton, clip, target, sourceOf);
    const list = missing.length > LISTED ? `${missing.slice(0, LISTED).join(', ')} …` : missing.join(', ');
    const left = missing.length > 0 ? ` Without a bone: ${list}.` : '';
    notes.push(
      `Clip ${clip.name}: ${joints.length - missing.length} of ${joints.length} joints move bones; the way of the root is ` +
        `scaled by ${digits(scale)}.${left}`,
    );
    return played;
  });
}

/** The motions of a file of clips: motion capture, or the clips of a rig. */
export async function openMotions(operation: string, file: string): Promise<Motion[]> {
  const asset = await openAsset(operation, file);
  await closeAsset(asset);
  const found = skeletonsOf(asset).filter(({ clips }) => clips.length > 0);
  if (found.length === 0) throw new PliantError('not-found', operation, 'holds no clips of a skeleton', { file });
  return found;
}
