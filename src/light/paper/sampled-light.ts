import type { LightSamples, SampledVectors } from '../../model/light-samples.ts';
import { featuresOf, newFeatures, storedPose } from '../pose-features.ts';
import { NearestPoses } from '../pose-space.ts';
import { groupParents, LocalPoses } from './local-poses.ts';
import { nrbfVariance, nrbfWeights } from './nrbf.ts';
import { clusterMembers } from './segment-clusters.ts';

/** Traced poses of a segment that are blended. */
export interface SampleBlend {
  poses: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** Which traced poses each segment is blended from in a pose, and how. */
type FindBlends = (transforms: Float32Array) => readonly SampleBlend[];

/** Sampled light in any pose (§5.5). */
export class SampledLight {
  readonly #samples: LightSamples;
  readonly #find: FindBlends;
  #blends: readonly SampleBlend[] = [];

  /** `parents`: those of the skeleton. */
  constructor(samples: LightSamples, parents: Int32Array, method = samples.method) {
    this.#samples = samples;
    this.#find = method === 'paper' ? groupBlends(samples, parents) : nearestBlends(samples);
  }

  /** 12B transforms of the model. */
  set(transforms: Float32Array): void {
    this.#blends = this.#find(transforms);
  }

  /** The traced poses that a segment is blended from in the pose that was set. */
  blendOf(segment: number): SampleBlend {
    return this.#blends[segment];
  }

  /** N × D: the vectors in the pose that was set, to `out`. */
  read({ bases, basis, memberOf, coefficients, scales }: SampledVectors, out: Float32Array): void {
    const { groupOf, clusterOf, groups, poses } = this.#samples;
    const n = groupOf.length;
    const size = out.length / n;
    const sums = new Float64Array(bases); // λ of (5.7)
    out.fill(0);
    for (let i = 0; i < n; i++) {
      const { poses: near, weights } = this.#blends[groupOf[i]];
      for (let l = 0; l < near.length; ) {
        const cluster = memberOf[i * groups + clusterOf[groupOf[i] * poses.count + near[l]]];
        // Poses of one group share a basis: their coefficients are blended first.
        sums.fill(0);
        for (; l < near.length; l++) {
          if (memberOf[i * groups + clusterOf[groupOf[i] * poses.count + near[l]]] !== cluster) break;
          const at = (i * poses.count + near[l]) * bases;
          for (let b = 0; b < bases; b++) sums[b] += weights[l] * coefficients[at + b];
        }
        for (let b = 0; b < bases; b++) {
          const sum = sums[b] * scales[cluster * bases + b];
          if (sum === 0) continue;
          for (let c = 0, at = (cluster * bases + b) * size; c < size; c++, at++) out[i * size + c] += sum * basis[at];
        }
      }
    }
  }
}

/** As printed: the most similar pose says which group of poses each segment takes; these are weighed by NRBFs. */
function groupBlends(samples: LightSamples, parents: Int32Array): FindBlends {
  const { bones, poses, diagonal, clusterOf, groups } = samples;
  const local = new LocalPoses(poses, groupParents(bones, parents), diagonal);
  const between = local.matrix();
  const members = Array.from(bones, (_, g) =>
    clusterMembers(clusterOf.subarray(g * poses.count, (g + 1) * poses.count), groups),
  );
  const variances = members.map((own) => own.map((each) => nrbfVariance(between, each)));
  const here = newFeatures(bones.length);
  const far = new Float64Array(poses.count);
  return (transforms) => {
    local.distances(featuresOf(samples, transforms, here), far);
    let nearest = 0;
    for (let p = 1; p < far.length; p++) if (far[p] < far[nearest]) nearest = p;
    return members.map((own, g) => {
      const group = clusterOf[g * poses.count + nearest];
      const near = own[group];
      return { poses: near, weights: nrbfWeights(far, near, variances[g][group], new Float64Array(near.length)) };
    });
  };
}

/** The same four poses for all segments. */
function nearestBlends(samples: LightSamples): FindBlends {
  const { bones, poses } = samples;
  const nearest = new NearestPoses(samples);
  for (let p = 0; p < poses.count; p++) nearest.add(storedPose(poses, p, newFeatures(bones.length)));
  const here = newFeatures(bones.length);
  return (transforms) => {
    const blend = nearest.find(featuresOf(samples, transforms, here));
    return Array.from(bones, () => blend);
  };
}
