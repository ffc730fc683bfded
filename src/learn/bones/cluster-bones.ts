import { boundsOf } from '../../mesh/bounds.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import type { Examples } from '../examples.ts';
import { FaceClusters } from './face-clusters.ts';

/**
 * Proxy bones with rigid transforms (Feng 2010, §2.3): faces that move alike form a bone. A face's error under a bone
 * counts its vertices, |R·v + t − x|², and its edges, whose orientation and length a rotation must explain alone,
 * |R·e − e'|². Clusters are split where the error is largest, in rounds that at most double their number; after each round
 * faces at the borders go to the neighbour that explains them best (Lloyd's iteration).
 */
export interface Bones {
  count: number;
  /** F: face → bone. */
  boneOf: Int32Array;
  /** E·B·12: rest → example e, rigid; row-major 3 × 4 at 12·(e·B + b). */
  transforms: Float64Array;
}

/** Lloyd iterations after each round of splits, and after the last. */
const SETTLE = 3;
const FINISH = 8;

export async function clusterBones(examples: Examples, wanted: number, run: RunOptions = {}): Promise<Bones> {
  const clusters = new FaceClusters(examples, wanted);
  const target = Math.min(wanted, clusters.faceCount);
  while (clusters.count < target) {
    await checkpoint(run, 'learn', clusters.count, target, 'placing bones');
    const before = clusters.count;
    clusters.split(target);
    if (clusters.count === before) break; // every cluster moves rigidly as it is: more bones would move no differently
    for (let pass = 0; pass < SETTLE; pass++) clusters.settle();
  }
  for (let pass = 0; pass < FINISH; pass++) {
    await checkpoint(run, 'learn', pass, FINISH, 'refining bones');
    if (clusters.settle() === 0) break;
  }
  return { count: clusters.count, boneOf: clusters.boneOf, transforms: clusters.transforms() };
}

/** 3B: centroids of the vertices by squared weights; the mesh's own centre for a bone without any. */
export function boneCentroids(positions: Float32Array, skin: SkinWeights, bones: number): Float64Array {
  const centroids = new Float64Array(3 * bones);
  const mass = new Float64Array(bones);
  skin.weights.forEach((w, s) => {
    const i = Math.floor(s / skin.influences);
    mass[skin.joints[s]] += w * w;
    for (let c = 0; c < 3; c++) centroids[3 * skin.joints[s] + c] += w * w * positions[3 * i + c];
  });
  const { min, max } = boundsOf(positions);
  for (let b = 0; b < bones; b++) {
    for (let c = 0; c < 3; c++) {
      centroids[3 * b + c] = mass[b] > 0 ? centroids[3 * b + c] / mass[b] : (min[c] + max[c]) / 2;
    }
  }
  return centroids;
}
