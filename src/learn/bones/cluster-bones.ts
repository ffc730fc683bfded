import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
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
