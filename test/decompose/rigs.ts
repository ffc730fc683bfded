import {
  emptySupport,
  type FitProblem,
  HOMOGENEOUS,
  type Support,
  type VertexNeighbours,
} from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { type Random, seededRandom } from '../../src/math/rng.ts';
import { meshEdges, vertexNeighbours } from '../../src/mesh/adjacency.ts';
import { type Mesh, vertexCount } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { rotationOf } from '../mesh/shapes.ts';

/** Rigs whose transforms and weights are known, baked to sequences. */

export interface BakedRig {
  mesh: Mesh;
  support: Support;
  /** P × B × 12, 3 × 4 row-major, rest → pose. */
  transforms: Float64Array;
  boneCount: number;
  frameCount: number;
  sequence: MeshSequence;
}

/**
 * Smooth weights of a chain of bones along x: two influences per vertex. Not linear in x, or bones could trade translation
 * for shear without any effect.
 */
export function chainWeights(mesh: Mesh, boneCount: number): Support {
  const n = vertexCount(mesh);
  const support = emptySupport(n, 2);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    low = Math.min(low, mesh.positions[3 * i]);
    high = Math.max(high, mesh.positions[3 * i]);
  }
  for (let i = 0; i < n; i++) {
    const at = ((mesh.positions[3 * i] - low) / (high - low)) * (boneCount - 1);
    const first = Math.min(Math.max(0, boneCount - 2), Math.floor(at));
    const linear = boneCount === 1 ? 0 : at - first;
    const t = linear * linear * (3 - 2 * linear);
    support.count[i] = t > 0 && t < 1 ? 2 : 1;
    if (support.count[i] === 2) {
      support.joints.set([first, first + 1], 2 * i);
      support.weights.set([1 - t, t], 2 * i);
    } else {
      support.joints[2 * i] = t === 1 ? first + 1 : first;
      support.weights[2 * i] = 1;
    }
  }
  return support;
}

const range = (random: Random, least: number, most: number) => least + (most - least) * random();

/** Random motions: rotations by up to `angle`, and `shear` added to each entry of the linear part. */
function randomTransforms(seed: number, frames: number, bones: number, angle: number, shear: number): Float64Array {
  const random = seededRandom(seed);
  const out = new Float64Array(12 * frames * bones);
  for (let m = 0; m < frames * bones; m++) {
    const axis = [range(random, -1, 1), range(random, -1, 1), range(random, 0.1, 1)] as const;
    const rotation = rotationOf(axis, range(random, -angle, angle));
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) out[12 * m + 4 * r + c] = rotation[3 * r + c] + range(random, -shear, shear);
      out[12 * m + 4 * r + 3] = range(random, -1, 1);
    }
  }
  return out;
}

/** Linear blend skinning of frame k, plainly. */
export function lbs(
  positions: ArrayLike<number>,
  support: Support,
  transforms: Float64Array,
  bones: number,
  k: number,
): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; 3 * i < positions.length; i++) {
    for (let s = 0; s < support.count[i]; s++) {
      const o = 12 * (k * bones + support.joints[i * support.influences + s]);
      const w = support.weights[i * support.influences + s];
      for (let r = 0; r < 3; r++) {
        let x = transforms[o + 4 * r + 3];
        for (let c = 0; c < 3; c++) x += transforms[o + 4 * r + c] * positions[3 * i + c];
        out[3 * i + r] += w * x;
      }
    }
  }
  return out;
}

export function bake(
  mesh: Mesh,
  options: { bones?: number; frames?: number; angle?: number; shear?: number; seed?: number } = {},
): BakedRig {
  const { bones: boneCount = 3, frames: frameCount = 6, angle = 1, shear = 0, seed = 1 } = options;
  const support = chainWeights(mesh, boneCount);
  const transforms = randomTransforms(seed, frameCount, boneCount, angle, shear);
  const frames = Array.from({ length: frameCount }, (_, k) =>
    Float32Array.from(lbs(mesh.positions, support, transforms, boneCount, k)),
  );
  return { mesh, support, transforms, boneCount, frameCount, sequence: memorySequence('baked', mesh, frames) };
}

export const problemOf = (sequence: MeshSequence, tolerance = 1e-9): Promise<FitProblem> =>
  reduceSequence(sequence, tolerance);

export function neighboursOf(mesh: Mesh): VertexNeighbours {
  const n = vertexCount(mesh);
  return vertexNeighbours(meshEdges(mesh.triangles, n), n);
}

/** Weights ≥ 0, sum 1, joints in range and different: what every support must hold. */
export function checkSupport(support: Support, boneCount: number): void {
  const k = support.influences;
  for (let i = 0; i < support.count.length; i++) {
    const joints = support.joints.slice(i * k, i * k + support.count[i]);
    const weights = support.weights.slice(i * k, i * k + support.count[i]);
    const sum = weights.reduce((a, b) => a + b, 0);
    const ok =
      support.count[i] >= 1 &&
      support.count[i] <= k &&
      weights.every((w) => w >= 0) &&
      Math.abs(sum - 1) < 1e-9 &&
      joints.every((j) => j >= 0 && j < boneCount) &&
      new Set(joints).size === joints.length;
    if (!ok) throw new Error(`support of vertex ${i}: joints ${joints}, weights ${weights}`);
  }
}

/** The transforms of a rig in the problem's coordinates: 4B × 3P. */
export function bonesOf(problem: FitProblem, rig: BakedRig): Float64Array {
  const columns = 3 * rig.frameCount;
  const out = new Float64Array(4 * rig.boneCount * columns);
  for (let k = 0; k < rig.frameCount; k++) {
    for (let b = 0; b < rig.boneCount; b++) {
      const o = 12 * (k * rig.boneCount + b);
      for (let d = 0; d < 3; d++) {
        // x ↦ (A·(D·x + c) + t − c)/D.
        let t = rig.transforms[o + 4 * d + 3] - problem.centre[d];
        for (let c = 0; c < 3; c++) {
          out[(4 * b + c) * columns + 3 * k + d] = rig.transforms[o + 4 * d + c];
          t += rig.transforms[o + 4 * d + c] * problem.centre[c];
        }
        out[(4 * b + 3) * columns + 3 * k + d] = t / problem.diagonal / HOMOGENEOUS;
      }
    }
  }
  return out;
}
