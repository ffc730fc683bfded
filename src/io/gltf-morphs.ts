import { PliantError } from '../error.ts';
import { transformPoint34 } from '../math/matrix34.ts';
import { forwardKinematics } from '../math/trs.ts';
import { weldVertices } from '../mesh/seams.ts';
import { transformMesh } from '../mesh/transform-mesh.ts';
import { firstNonFinite, type Mesh, vertexCount } from '../model/mesh.ts';
import { frameOutOfRange, type MeshSequence, steadyTimes } from '../model/sequence.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import { type Bones, posingTracks, samplePoses } from './gltf-bones.ts';
import { type Budget, GltfFault } from './gltf-limits.ts';
import { contractToVertices, type MeshData } from './gltf-mesh.ts';
import { type GltfAnimation, keyTimes, sampleTrack, type Track } from './gltf-tracks.ts';

/**
 * Morph targets (glTF 2.0 §3.7.2.2) as sequences: frame k = world(t_k) · (base + Σ_m w_m(t_k) · target_m). Frames are
 * computed when asked for, so that a long animation of few targets stays small.
 */

/** A node whose mesh has M morph targets. */
export interface MorphNode {
  name: string;
  node: number;
  /** At rest, in the world. */
  rest: Mesh;
  /** 3N, in the mesh's own space. */
  base: Float32Array;
  /** M arrays of 3N offsets. */
  targets: Float32Array[];
  /** M weights at rest. */
  weights: Float64Array;
  /** 12: the node's exact world matrix at rest. */
  world: Float64Array;
  /** The node and all above it. */
  bones: Bones;
}

/** base + Σ w·target. */
export function morphed(
  base: Float32Array,
  targets: readonly Float32Array[],
  weights: ArrayLike<number>,
): Float32Array {
  const sum = Float64Array.from(base);
  for (let m = 0; m < targets.length; m++) {
    const w = weights[m];
    const target = targets[m];
    if (w !== 0) for (let c = 0; c < sum.length; c++) sum[c] += w * target[c];
  }
  return Float32Array.from(sum);
}

/** Whether one of a node's weight tracks ever leaves its weights at rest. */
export function morphs(tracks: readonly Track[] | undefined, node: number, rest: Float64Array): boolean {
  return tracks?.some((track) => leaves(track, node, rest)) ?? false;
}

function leaves(track: Track, node: number, rest: Float64Array): boolean {
  if (track.stride !== rest.length) {
    throw new GltfFault(`a track of nodes[${node}] has ${track.stride} weights per key (expected ${rest.length})`);
  }
  const perKey = track.interpolation === 'CUBICSPLINE' ? 3 * track.stride : track.stride;
  return track.values.some((value, c) => {
    const isTangent = perKey > track.stride && Math.floor((c % perKey) / track.stride) !== 1;
    return isTangent ? value !== 0 : value !== Math.fround(rest[c % track.stride]);
  });
}

/** Vertices that all targets move alike are one vertex. */
export function readMorphNode(
  name: string,
  node: number,
  data: MeshData,
  weights: Float64Array,
  world: Float64Array,
  bones: Bones,
): MorphNode {
  const { mesh, vertexOf } = weldVertices(data.mesh, { keys: data.targets });
  const targets = data.targets.map((target) => contractToVertices(target, 3, vertexOf, vertexCount(mesh)));
  const shaped = { ...mesh, name, positions: morphed(mesh.positions, targets, weights) };
  return { name, node, rest: transformMesh(shaped, world), base: mesh.positions, targets, weights, world, bones };
}

/** One sequence for each of the nodes, all with the same times: every key of any track that moves one of them. */
export function animatedSequences(
  nodes: readonly MorphNode[],
  animation: GltfAnimation,
  nameOf: (node: MorphNode) => string,
  budget: Budget,
): MeshSequence[] {
  const posing = nodes.map(({ bones }) => posingTracks(bones, animation, budget));
  const weighing = nodes.map(({ node }) => animation.weights.get(node) ?? []);
  const times = keyTimes([...posing, ...weighing].flat());
  const p = times.length;
  return nodes.map((morph, n) => {
    const m = morph.targets.length;
    budget.take(8 * p * (m + MATRIX_STRIDE), `animation "${animation.name}"`);
    const weights = new Float64Array(m * p);
    for (let k = 0; k < p; k++) {
      weights.set(morph.weights, k * m);
      for (const track of weighing[n]) sampleTrack(track, times[k], weights, k * m);
    }
    const worlds = posing[n].length > 0 ? worldsAt(morph, posing[n], times, budget) : repeated(morph.world, p);
    return morphSequence(nameOf(morph), morph, weights, worlds, times);
  });
}

/** One frame per target, each at full weight: what a file of shapes without an animation holds. */
export function targetSequence(morph: MorphNode): MeshSequence {
  const p = morph.targets.length;
  const weights = new Float64Array(p * p);
  for (let k = 0; k < p; k++) weights[k * p + k] = 1;
  return morphSequence(morph.name, morph, weights, repeated(morph.world, p), steadyTimes(p));
}

/** 12P: the node's world matrices while the nodes above it move. */
function worldsAt({ bones, node }: MorphNode, tracks: Track[], times: Float64Array, budget: Budget): Float64Array {
  const { parents } = bones.skeleton;
  const locals = samplePoses(bones, tracks, times, budget);
  const bone = MATRIX_STRIDE * bones.boneOf.get(node)!;
  const all = new Float64Array(MATRIX_STRIDE * parents.length);
  const out = new Float64Array(MATRIX_STRIDE * times.length);
  for (let k = 0; k < times.length; k++) {
    forwardKinematics(all, parents, locals, k * LOCAL_STRIDE * parents.length);
    out.set(all.subarray(bone, bone + MATRIX_STRIDE), MATRIX_STRIDE * k);
  }
  return out;
}

function repeated(matrix: Float64Array, times: number): Float64Array {
  const out = new Float64Array(matrix.length * times);
  for (let k = 0; k < times; k++) out.set(matrix, matrix.length * k);
  return out;
}

/** weights: M·P; worlds: 12P. */
function morphSequence(
  name: string,
  { rest, base, targets }: MorphNode,
  weights: Float64Array,
  worlds: Float64Array,
  times: Float64Array,
): MeshSequence {
  const m = targets.length;
  return {
    name,
    rest,
    frameCount: times.length,
    times,
    async readFrame(k, out = new Float32Array(base.length)) {
      if (!Number.isInteger(k) || k < 0 || k >= times.length) throw frameOutOfRange(name, k, times.length);
      const frame = morphed(base, targets, weights.subarray(k * m, (k + 1) * m));
      for (let i = 0; i < frame.length; i += 3) transformPoint34(out, i, worlds, MATRIX_STRIDE * k, frame, i);
      const bad = firstNonFinite(out);
      if (bad >= 0) {
        const cause = `${name}: frame ${k}, vertex ${Math.floor(bad / 3)} is not finite`;
        throw new PliantError('bad-file', 'readFrame', cause);
      }
      return out;
    },
  };
}
