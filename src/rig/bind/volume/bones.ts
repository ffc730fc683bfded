import type { Vector } from '../../../math/vector.ts';
import type { Skeleton } from '../../../model/skeleton.ts';
import { type BoneSegments, boneSegments, isEndMarker, type LeafLength } from '../bone-segments.ts';
import { inVoxels, type VoxelGrid, voxelOf } from './grid.ts';

/** The bones that heat in the solid starts from. */
export interface VolumeBones {
  /** The bones that vertices may follow; heat starts from the segments, of which eyes have none. */
  segments: BoneSegments;
  /** Columns of bones that are eyes. */
  eyes: number[];
  /** Bones above the body that vertices were kept from. */
  helpers: number[];
}

/** Leaves without a marker go on for this part of the way to the surface, within these multiples of their parent's length. */
const OF_THE_WAY = 0.8;
const SHORTEST_LEAF = 0.25;
const LONGEST_LEAF = 2.5;

/** @param solid one per voxel: 1 in the solid. @param eyes whether bones of that name are treated as such. */
export function volumeBones(
  skeleton: Skeleton,
  operation: string,
  deforms: (bone: number) => boolean,
  { grid, solid, eyes: withEyes }: { grid: VoxelGrid; solid: Uint8Array; eyes: boolean },
): VolumeBones {
  const helpers = helperRoots(skeleton, deforms);
  const leafLength: LeafLength = (joint, along, parentLength) => {
    const length = OF_THE_WAY * wayInside(grid, solid, joint, along, LONGEST_LEAF * parentLength);
    return Math.min(LONGEST_LEAF * parentLength, Math.max(SHORTEST_LEAF * parentLength, length));
  };
  const all = boneSegments(skeleton, operation, (j) => deforms(j) && !helpers.includes(j), leafLength);
  const eyes = withEyes ? eyeColumns(skeleton, all) : [];
  const kept = Array.from(all.columnOf.keys()).filter((s) => !eyes.includes(all.columnOf[s]));
  const segments: BoneSegments = {
    bones: all.bones,
    columnOf: Int32Array.from(kept, (s) => all.columnOf[s]),
    ends: Float64Array.from(kept.flatMap((s) => [...all.ends.subarray(6 * s, 6 * s + 6)])),
  };
  return { segments, eyes, helpers };
}

/** How far one gets from a joint along a direction without leaving the solid, in mesh space; 0 from a joint outside. */
function wayInside(grid: VoxelGrid, solid: Uint8Array, joint: Vector, along: Vector, limit: number): number {
  const [nx, ny] = grid.size;
  const step = grid.cell / 2;
  let way = 0;
  for (; way < limit; way += step) {
    const at = [0, 1, 2].map((c) => inVoxels(grid, c, joint[c] + way * along[c]));
    if (at.some((x, c) => x < 0 || x >= grid.size[c])) break;
    const [x, y, z] = at.map((coordinate, c) => voxelOf(grid, c, coordinate));
    if (!solid[x + nx * (y + ny * z)]) break;
  }
  return way;
}

/** Names of bones that only carry the body: `root`, `b_Root_00`, `_rootJoint`, `Armature`, `Bip001`. */
const HELPER =
  /^(?:\p{L}{1,4}_)?_?(?:root|master|reference|armature|global|world|origin|trajectory|bip)[\s_.-]*(?:joint|jnt|bone|ctrl|node)?[\s_.-]*\d*$/iu;
/** Targets of inverse kinematics stand beside the body. */
const TARGET = /^ik[_\s.-]/i;

/**
 * Bones at the top of the tree that are named as helpers and have one bone with children below them. With two or more it is
 * the hips, whatever its name.
 */
function helperRoots({ names, parents }: Skeleton, deforms: (bone: number) => boolean): number[] {
  const helpers: number[] = [];
  const isTop = (j: number): boolean => parents[j] < 0 || helpers.includes(parents[j]) || !followedAbove(j);
  const followedAbove = (j: number): boolean => {
    for (let up = parents[j]; up >= 0; up = parents[up]) if (deforms(up) && !helpers.includes(up)) return true;
    return false;
  };
  const branches = (j: number): number =>
    parents.reduce((sum, parent, child) => {
      const isBranch = parent === j && parents.includes(child) && !TARGET.test(names[child]);
      return sum + (isBranch ? 1 : 0);
    }, 0);
  names.forEach((name, j) => {
    const isNamed = HELPER.test(name.replace(/^.*[:|]/, ''));
    if (deforms(j) && isNamed && isTop(j) && branches(j) === 1) helpers.push(j);
  });
  return helpers;
}

/** `LeftEye`, `eye.R`, `Eyeball_l`; not brows, lids and lashes. */
const EYE = /(?:^|[^\p{Ll}]|[\p{Ll}](?=E))[Ee]ye(?!\s*[_.-]?(?:brow|lid|lash))/iu;

/** Columns of leaves that are called eyes: all but one bone at most. */
function eyeColumns(skeleton: Skeleton, { bones }: BoneSegments): number[] {
  const { names, parents } = skeleton;
  const isLeaf = (j: number): boolean => parents.every((parent, child) => parent !== j || isEndMarker(skeleton, child));
  const found = Array.from(bones.keys()).filter((c) => EYE.test(names[bones[c]]) && isLeaf(bones[c]));
  return found.length < bones.length ? found : [];
}
