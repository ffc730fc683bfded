import { IDENTITY34, invert34 } from '../../math/matrix34.ts';
import { forwardKinematics, skinTransforms } from '../../math/trs.ts';
import { type Notes, note } from '../../model/note.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { framesOfNote } from '../glb/frames.ts';
import { type Budget, STEP_BYTES } from './limits.ts';
import type { NodeTree } from './nodes.ts';
import { type GltfAnimation, keyTimes, morphingTracks, sampleTrack, sampleWeights, type Track } from './tracks.ts';

/** Nodes that became bones. */
export interface Bones {
  skeleton: Skeleton;
  /** B: bone → node of the file. */
  nodes: Int32Array;
  /** Node of the file → bone. */
  boneOf: Map<number, number>;
  /** 12B rest world matrices, as the skeleton has them. */
  worlds: Float64Array;
}

/** Numbers per bone and frame of a clip: local pose and matrix. */
const CLIP_STRIDE = LOCAL_STRIDE + MATRIX_STRIDE;

/**
 * The given nodes and all that stand above them, as a skeleton, parents first. Each bone's inverse bind matrix is the
 * inverse of its rest world matrix, so that at rest nothing moves; a skin then puts in its own. Nodes in `transparent`
 * (containers that Pliant's writer added) are left out.
 */
export function readBones(
  tree: NodeTree,
  wanted: Iterable<number>,
  transparent: ReadonlySet<number>,
  budget: Budget,
  notes: Notes,
): Bones {
  const members = new Set<number>();
  for (const start of wanted) {
    for (let j = start; j >= 0 && !members.has(j); j = tree.parents[j]) if (!transparent.has(j)) members.add(j);
  }
  budget.take(members.size * 4 * (2 * CLIP_STRIDE + MATRIX_STRIDE), 'a skeleton');

  const nodes = Int32Array.from(members).sort((a, b) => tree.rank[a] - tree.rank[b]);
  const boneOf = new Map(Array.from(nodes, (node, bone) => [node, bone]));
  const b = nodes.length;
  const parents = Int32Array.from(nodes, (node) => boneOf.get(tree.parents[node]) ?? -1);
  const restLocals = new Float32Array(LOCAL_STRIDE * b);
  for (let j = 0; j < b; j++) {
    restLocals.set(tree.locals.subarray(LOCAL_STRIDE * nodes[j], LOCAL_STRIDE * (nodes[j] + 1)), LOCAL_STRIDE * j);
    if (tree.sheared[nodes[j]]) notes.push(note('shear', {}, tree.names[nodes[j]]));
  }
  const worlds = new Float64Array(MATRIX_STRIDE * b);
  forwardKinematics(worlds, parents, restLocals);
  const inverseBind = new Float32Array(MATRIX_STRIDE * b);
  for (let j = 0; j < b; j++) {
    // A bone of scale 0 has no inverse; what follows it is a point anyway.
    if (!invert34(inverseBind, MATRIX_STRIDE * j, worlds, MATRIX_STRIDE * j)) {
      inverseBind.set(IDENTITY34, MATRIX_STRIDE * j);
    }
  }
  const names = Array.from(nodes, (node) => tree.names[node]);
  return { skeleton: { names, parents, restLocals, inverseBind }, nodes, boneOf, worlds };
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

/** Every animation that moves one of the bones or morphs, at the keys of all its tracks that do; with its frames. */
export function readClips(
  bones: Bones,
  animations: readonly GltfAnimation[],
  budget: Budget,
  morphing?: Morphing,
): Clip[] {
  const { parents, inverseBind } = bones.skeleton;
  const clips: Clip[] = [];
  for (const animation of animations) {
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
  }
  return clips;
}
