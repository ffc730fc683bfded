import type { LightPoses } from '../../model/light-poses.ts';
import { newFeatures, type PoseFeatures, storedPose } from '../pose-features.ts';
import { SEEN, see } from '../pose-kernel.ts';

/**
 * How far poses are from each other by (5.3): Σ_b ‖R_b − S_b‖²_F over the local transforms of all bones, each as its parent sees
 * it: its rotation, and where its part of the surface is, in diagonals. Where the model stands does not count.
 */
export class LocalPoses {
  /** P. */
  readonly count: number;
  readonly #parents: Int32Array;
  readonly #scale: number;
  readonly #stored: Float64Array[];
  readonly #here: Float64Array;
  readonly #seen = new Float64Array(SEEN);

  /** `parents`: G, group → the group above it. */
  constructor(poses: LightPoses, parents: Int32Array, diagonal: number) {
    this.count = poses.count;
    this.#parents = parents;
    this.#scale = 1 / diagonal;
    this.#here = new Float64Array(SEEN * parents.length);
    const features = newFeatures(parents.length);
    this.#stored = Array.from({ length: poses.count }, (_, p) =>
      this.#locals(storedPose(poses, p, features), new Float64Array(SEEN * parents.length)),
    );
  }

  /** P × P squared distances. */
  matrix(): Float64Array {
    const out = new Float64Array(this.count * this.count);
    this.#stored.forEach((a, p) => {
      this.#stored.forEach((b, q) => void (out[p * this.count + q] = p === q ? 0 : squaredDistance(a, b)));
    });
    return out;
  }

  /** Squared distances of a pose from each stored one, to `out`. Allocates nothing. */
  distances(pose: PoseFeatures, out: Float64Array): void {
    this.#locals(pose, this.#here);
    for (let p = 0; p < this.count; p++) out[p] = squaredDistance(this.#here, this.#stored[p]);
  }

  #locals(pose: PoseFeatures, out: Float64Array): Float64Array {
    for (let g = 0; g < this.#parents.length; g++) {
      if (this.#parents[g] < 0) continue; // the first bone: the others are seen from it
      see(this.#seen, pose, this.#parents[g], g);
      for (let c = 0; c < SEEN; c++) out[SEEN * g + c] = this.#seen[c] * (c < 3 ? this.#scale : 1);
    }
    return out;
  }
}

/** ‖R − S‖² = 8 (1 − (q·r)²) for unit quaternions. */
function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += SEEN) {
    for (let c = at; c < at + 3; c++) sum += (a[c] - b[c]) ** 2;
    let dot = 0;
    let own = 0;
    for (let c = at + 3; c < at + SEEN; c++) {
      dot += a[c] * b[c];
      own += a[c] * a[c];
    }
    if (own > 0) sum += 8 * Math.max(0, 1 - dot * dot);
  }
  return sum;
}

/** G: the group above each, that of the nearest bone on the way to the root that has vertices; else the first one, which has none. */
export function groupParents(bones: Uint16Array, parents: Int32Array): Int32Array {
  const groupOf = new Map(Array.from(bones, (bone, g) => [bone, g]));
  return Int32Array.from(bones, (bone, g) => {
    for (let j = parents[bone]; j >= 0; j = parents[j]) {
      const above = groupOf.get(j);
      if (above !== undefined) return above;
    }
    return g === 0 ? -1 : 0;
  });
}
