import type { GLTF } from '@gltf-transform/core';
import { invert34, multiply34 } from '../../math/matrix34.ts';
import { composeTrs, skinTransforms } from '../../math/trs.ts';
import { type Note, note } from '../../model/note.ts';
import { type Clip, END_MARKER, LOCAL_STRIDE, MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type Bones, bonesOf, withAncestors } from '../bones.ts';
import { framesOfNote } from '../glb/frames.ts';
import { type Budget, STEP_BYTES } from './limits.ts';
import type { NodeTree } from './nodes.ts';
import { type GltfAnimation, keyTimes, morphingTracks, sampleTrack, sampleWeights, type Track } from './tracks.ts';

/** Numbers per bone and frame of a clip: local pose and matrix. */
const CLIP_STRIDE = LOCAL_STRIDE + MATRIX_STRIDE;

/** The given nodes and all above them, but for `transparent` ones: containers that Pliant's writer added. */
export function readBones(
  tree: NodeTree,
  wanted: Iterable<number>,
  transparent: ReadonlySet<number>,
  budget: Budget,
  notes: Note[],
): Bones {
  const parent = (node: number): number => tree.parents[node];
  const members = [...withAncestors(wanted, parent)].filter((node) => !transparent.has(node));
  budget.take(members.length * 4 * (2 * CLIP_STRIDE + MATRIX_STRIDE), 'a skeleton');
  return bonesOf(
    Int32Array.from(members).sort((a, b) => tree.rank[a] - tree.rank[b]),
    {
      name: (node) => tree.names[node],
      parent,
      pose: (node, local) => {
        local.set(tree.locals.subarray(LOCAL_STRIDE * node, LOCAL_STRIDE * (node + 1)));
        if (tree.sheared[node]) notes.push(note('shear', {}, tree.names[node]));
      },
    },
  );
}

/** Leaves that show nothing and end a chain of joints without being one: the only child of a joint, or named as an end. */
export function chainEnds(nodes: readonly GLTF.INode[], joints: readonly number[]): number[] {
  const known = new Set(joints);
  const isEmpty = ({ children = [], mesh, camera, extensions }: GLTF.INode): boolean =>
    children.length === 0 && mesh === undefined && camera === undefined && extensions === undefined;
  return joints.flatMap((joint) => {
    const { children = [] } = nodes[joint];
    const leaves = children.filter((node) => !known.has(node) && isEmpty(nodes[node]));
    return leaves.filter((node) => children.length === 1 || END_MARKER.test(nodes[node].name ?? ''));
  });
}

/** In place: the ends of chains stand in the bind pose as they stand at rest, seen from their joints. */
export function bindEnds({ skeleton, boneOf }: Bones, ends: readonly number[]): void {
  const { inverseBind, parents, restLocals } = skeleton;
  const local = new Float64Array(MATRIX_STRIDE);
  for (const j of ends.map((node) => boneOf.get(node)!)) {
    composeTrs(local, 0, restLocals, LOCAL_STRIDE * j);
    if (!invert34(local, 0, local, 0)) continue;
    multiply34(inverseBind, MATRIX_STRIDE * j, local, 0, inverseBind, MATRIX_STRIDE * parents[j]);
  }
  if (ends.length > 0) skeleton.ends = ends.map((node) => boneOf.get(node)!);
}

const OFFSET = { translation: 0, rotation: 3, scale: 7 } as const;

/** The tracks that pose one of the bones. */
function posingTracks(bones: Bones, { poses }: GltfAnimation, budget: Budget): Track[] {
  budget.take(STEP_BYTES * (1 + Math.min(bones.nodes.length, poses.size)), 'an animation');
  if (poses.size < bones.nodes.length) {
    return [...poses].flatMap(([node, tracks]) => (bones.boneOf.has(node) ? tracks : []));
  }
  return Array.from(bones.nodes).flatMap((node) => poses.get(node) ?? []);
}

/** 10·B·P local poses at the given times; bones without a track stay at rest. */
function samplePoses(
  { skeleton, boneOf }: Bones,
  tracks: readonly Track[],
  times: Float64Array,
  budget: Budget,
): Float32Array {
  const stride = LOCAL_STRIDE * skeleton.parents.length;
  budget.take(times.length * skeleton.parents.length * 4 * CLIP_STRIDE, 'an animation');
  const locals = new Float32Array(stride * times.length);
  for (let k = 0; k < times.length; k++) locals.set(skeleton.restLocals, k * stride);
  const value = new Float64Array(4);
  for (const track of tracks) {
    const at = LOCAL_STRIDE * boneOf.get(track.node)! + OFFSET[track.path as keyof typeof OFFSET];
    for (let k = 0; k < times.length; k++) {
      sampleTrack(track, times[k], value);
      for (let c = 0; c < track.stride; c++) locals[k * stride + at + c] = value[c];
    }
  }
  return locals;
}

/** A node with M morphs, and their weights (M) in its rest pose. */
export interface Morphing {
  node: number;
  rest: Float64Array;
}

/**
 * Every animation that moves one of the bones or morphs, at the keys of all its tracks that do; with its frames.
 * `animations`: clip → animation.
 */
export function readClips(
  bones: Bones,
  animations: readonly GltfAnimation[],
  budget: Budget,
  morphing?: Morphing,
): { clips: Clip[]; animations: number[] } {
  const { parents, inverseBind } = bones.skeleton;
  const clips: Clip[] = [];
  const used: number[] = [];
  for (const [a, animation] of animations.entries()) {
    const posing = posingTracks(bones, animation, budget);
    const weighing = morphing ? morphingTracks(animation, morphing.node, morphing.rest) : [];
    if (posing.length + weighing.length === 0) continue;
    const times = keyTimes([...posing, ...weighing]);
    const locals = samplePoses(bones, posing, times, budget);
    const clip: Clip = {
      name: animation.name,
      times,
      transforms: skinTransforms(parents, inverseBind, locals),
      locals,
    };
    const frames = framesOfNote(animation.between, times.length);
    if (frames) clip.frames = frames;
    if (morphing && weighing.length > 0) {
      budget.take(8 * times.length * morphing.rest.length, `animation "${animation.name}"`);
      const { rest } = morphing;
      clip.morphWeights = Float32Array.from(sampleWeights(weighing, times, rest), (w, c) => w - rest[c % rest.length]);
    }
    clips.push(clip);
    used.push(a);
  }
  return { clips, animations: used };
}
