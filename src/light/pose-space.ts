import type { BoneGroups } from './bone-groups.ts';
import { featuresOf, newFeatures, type PoseFeatures } from './pose-features.ts';

/** The four nearest of some poses, weighted by how far they are (Shepard 1968). */
export class NearestPoses {
  readonly #diagonal: number;
  readonly #poses: PoseFeatures[] = [];

  constructor({ diagonal }: Pick<BoneGroups, 'diagonal'>) {
    this.#diagonal = diagonal;
  }

  add(pose: PoseFeatures): void {
    this.#poses.push(pose);
  }

  find(pose: PoseFeatures): { poses: number[]; weights: number[] } {
    const far = this.#poses.map((features) => distance(features, pose, this.#diagonal));
    const poses = [...far.keys()].sort((a, b) => far[a] - far[b] || a - b).slice(0, NEAREST);
    const weights = poses.map((p) => 1 / (far[p] + 1e-9));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return { poses, weights: weights.map((weight) => weight / total) };
  }
}

/**
 * What a data-driven method gives without compression: a blend of the nearest of the traced poses. P poses of N vertices are
 * kept whole, some hundred times the bytes of modes; on motions that were not traced it is far worse than spheres. Here for
 * comparison.
 */
export class PoseSpace {
  readonly #groups: BoneGroups;
  readonly #nearest: NearestPoses;
  readonly #values: Float32Array[] = [];
  readonly #here: PoseFeatures;

  constructor(groups: BoneGroups) {
    this.#groups = groups;
    this.#nearest = new NearestPoses(groups);
    this.#here = newFeatures(groups.bones.length);
  }

  /** The values of a traced pose are kept, not copied. */
  add(transforms: Float32Array, values: Float32Array): void {
    this.#nearest.add(featuresOf(this.#groups, transforms, newFeatures(this.#groups.bones.length)));
    this.#values.push(values);
  }

  /** Writes the blend of the nearest poses to `out`. */
  run(transforms: Float32Array, out: Float32Array): void {
    const { poses, weights } = this.#nearest.find(featuresOf(this.#groups, transforms, this.#here));
    out.fill(0);
    poses.forEach((p, k) => {
      const values = this.#values[p];
      for (let c = 0; c < out.length; c++) out[c] += weights[k] * values[c];
    });
  }
}

const NEAREST = 4;

/** Squared, of all bones seen from each other: where the model stands does not count. */
function distance(a: PoseFeatures, b: PoseFeatures, diagonal: number): number {
  const groups = a.rotations.length / 4;
  let sum = 0;
  for (let g = 0; g < groups; g++) {
    for (let h = 0; h < g; h++) {
      // Distances between centroids, and the angle of one rotation against the other.
      const [da, db] = [apart(a.centroids, g, h), apart(b.centroids, g, h)];
      sum += (16 * (da - db) ** 2) / diagonal ** 2;
      sum += 2 * (1 - relativeDot(a.rotations, b.rotations, g, h) ** 2);
    }
  }
  return sum;
}

const apart = (points: Float64Array, g: number, h: number): number =>
  Math.hypot(
    points[3 * g] - points[3 * h],
    points[3 * g + 1] - points[3 * h + 1],
    points[3 * g + 2] - points[3 * h + 2],
  );

const product = [new Float64Array(4), new Float64Array(4)] as const;

/** (R_gᵀR_h of a) · (the same of b), as quaternions. */
function relativeDot(a: Float64Array, b: Float64Array, g: number, h: number): number {
  [a, b].forEach((q, k) => {
    const out = product[k];
    const [x, y, z, w] = [-q[4 * g], -q[4 * g + 1], -q[4 * g + 2], q[4 * g + 3]];
    const [bx, by, bz, bw] = [q[4 * h], q[4 * h + 1], q[4 * h + 2], q[4 * h + 3]];
    out[0] = w * bx + x * bw + y * bz - z * by;
    out[1] = w * by - x * bz + y * bw + z * bx;
    out[2] = w * bz + x * by - y * bx + z * bw;
    out[3] = w * bw - x * bx - y * by - z * bz;
  });
  const [p, q] = product;
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
}
