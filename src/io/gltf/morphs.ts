import { PliantError } from '../../error.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { weldVertices } from '../../mesh/seams.ts';
import { transformMesh } from '../../mesh/transform-mesh.ts';
import { firstNonFinite, type Mesh, vertexCount } from '../../model/mesh.ts';
import { frameOutOfRange, type MeshSequence, steadyTimes } from '../../model/sequence.ts';
import type { Budget } from './limits.ts';
import { contractToVertices, type MeshData } from './mesh.ts';
import { type GltfAnimation, keyTimes, morphingTracks, sampleWeights } from './tracks.ts';

/**
 * Morph targets (glTF 2.0 §3.7.2.2) as sequences: frame k = world · (base + Σ_m w_m(t_k) · target_m). Frames are computed
 * when asked for, so that a long animation of few targets stays small. (Where bones move as well, morph targets are part
 * of a skinned model.)
 */

/** A node that stands still, whose mesh has M morph targets. */
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
  /** 12: the node's exact world matrix. */
  world: Float64Array;
}

/** Whether M morph targets are frames, as exporters of caches write them: one animation dials each in turn, alone. */
export function isCache(animations: readonly GltfAnimation[], node: number, rest: Float64Array): boolean {
  const dialling = animations
    .map((animation) => morphingTracks(animation, node, rest))
    .filter(({ length }) => length > 0);
  if (dialling.length !== 1) return false;
  const times = keyTimes(dialling[0]);
  const weights = sampleWeights(dialling[0], times, rest);
  const m = rest.length;
  const isAlone = (_: number, k: number) =>
    weights.subarray(k * m, (k + 1) * m).reduce((count, weight) => count + (weight === 0 ? 0 : 1), 0) <= 1;
  return 2 * m > times.length && times.every(isAlone);
}

/** base + Σ w·target; `base` itself when all weights are 0. */
export function morphed(
  base: Float32Array,
  targets: readonly Float32Array[],
  weights: ArrayLike<number>,
): Float32Array {
  if (targets.every((_, m) => weights[m] === 0)) return base;
  const sum = Float64Array.from(base);
  for (let m = 0; m < targets.length; m++) {
    const w = weights[m];
    const target = targets[m];
    if (w !== 0) for (let c = 0; c < sum.length; c++) sum[c] += w * target[c];
  }
  return Float32Array.from(sum);
}

/** Vertices that all targets move alike are one vertex. */
export function readMorphNode(
  name: string,
  node: number,
  data: MeshData,
  weights: Float64Array,
  world: Float64Array,
): MorphNode {
  const { mesh, vertexOf } = weldVertices(data.mesh, { keys: data.targets });
  const targets = data.targets.map((target) => contractToVertices(target, 3, vertexOf, vertexCount(mesh)));
  const shaped = { ...mesh, name, positions: morphed(mesh.positions, targets, weights) };
  return { name, node, rest: transformMesh(shaped, world), base: mesh.positions, targets, weights, world };
}

/** One sequence for each of the nodes, all with the same times: every key of any track that moves one of them. */
export function animatedSequences(
  nodes: readonly MorphNode[],
  animation: GltfAnimation,
  nameOf: (node: MorphNode) => string,
  budget: Budget,
): MeshSequence[] {
  const weighing = nodes.map(({ node, weights }) => morphingTracks(animation, node, weights));
  const times = keyTimes(weighing.flat());
  const p = times.length;
  return nodes.map((morph, n) => {
    const m = morph.targets.length;
    budget.take(8 * p * m, `animation "${animation.name}"`);
    const weights = sampleWeights(weighing[n], times, morph.weights);
    return { ...morphSequence(nameOf(morph), morph, weights, times), clip: animation.name };
  });
}

/** One frame per target, each at full weight: what a file of shapes without an animation holds. */
export function targetSequence(morph: MorphNode): MeshSequence {
  const p = morph.targets.length;
  const weights = new Float64Array(p * p);
  for (let k = 0; k < p; k++) weights[k * p + k] = 1;
  return morphSequence(morph.name, morph, weights, steadyTimes(p));
}

/** weights: P·M. */
function morphSequence(
  name: string,
  { rest, base, targets, world }: MorphNode,
  weights: Float64Array,
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
      for (let i = 0; i < frame.length; i += 3) transformPoint34(out, i, world, 0, frame, i);
      const bad = firstNonFinite(out);
      if (bad >= 0) {
        const cause = `${name}: frame ${k}, vertex ${Math.floor(bad / 3)} is not finite`;
        throw new PliantError('bad-file', 'readFrame', cause);
      }
      return out;
    },
  };
}
