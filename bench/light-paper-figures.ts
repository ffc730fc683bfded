import { LightErrors } from '../src/light/light-errors.ts';
import { clusteredPca } from '../src/light/paper/clustered-pca.ts';
import { SampledLight } from '../src/light/paper/sampled-light.ts';
import type { LightScene } from '../src/light/scene.ts';
import type { TracedPose } from '../src/light/traced-pose.ts';
import { type LightSamples, type SampledVectors, sampleClusters } from '../src/model/light-samples.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { type PartPose, type Pose, poseOfClip } from '../src/skin/choose-poses.ts';
import { type Baked, SIZE } from './light-paper-cases.ts';

/** The figures of light-paper.ts: errors, flicker, what compression loses, bytes that a motion needs. */

/** Frames of a motion, at 30 a second, whose second differences are taken. */
export const FLICKER = 14;

/** N × 25 in a pose, by each way. */
export type Ways = [string, (pose: Pose) => Float32Array][];

export function errorsOf(
  scene: LightScene,
  ways: Ways,
  poses: readonly Pose[],
  truth: readonly TracedPose[],
  sky: Float64Array[],
) {
  const sums = ways.map(() => new LightErrors(sky, 5));
  poses.forEach((pose, p) => {
    ways.forEach(([, lightIn], w) => {
      const values = lightIn(pose);
      const at = { groupOf: scene.groupOf, frames: scene.pose(pose.parts).frames, inside: truth[p].inside };
      sums[w].add(values, truth[p].transfer, at);
    });
  });
  return sums.map(({ transfer, shading }) => `${transfer.toFixed(1)} / ${shading.toFixed(1)}`);
}

/** RMS of second differences over frames in % of RMS; vertices that are inside in any frame do not count. */
export function flicker(values: readonly Float32Array[], inside: readonly Uint8Array[]): number {
  let [change, all] = [0, 0];
  for (let k = 1; k + 1 < values.length; k++) {
    for (let c = 0; c < values[k].length; c++) {
      if (inside.some((each) => each[Math.floor(c / SIZE)] === 1)) continue;
      change += (values[k - 1][c] - 2 * values[k][c] + values[k + 1][c]) ** 2;
      all += values[k][c] ** 2;
    }
  }
  return 100 * Math.sqrt(change / all);
}

/** The frames of a clip in which bones move most. */
export function liveliest(model: SkinnedModel, clip: string): Pose[] {
  const { times } = model.clips.find(({ name }) => name === clip)!;
  const count = Math.max(FLICKER, Math.floor(30 * (times[times.length - 1] - times[0])));
  const all = Array.from({ length: count }, (_, k) => poseOfClip([model], clip, times[0] + k / 30));
  const steps = all.map(({ parts }, k) => {
    const before = all[Math.max(0, k - 1)].parts[0].transforms;
    return parts[0].transforms.reduce((sum, x, c) => sum + (c % 4 < 3 ? (x - before[c]) ** 2 : 0), 0);
  });
  const moved = (k: number) => steps.slice(k + 1, k + FLICKER).reduce((sum, x) => sum + x, 0);
  const starts = Array.from({ length: count - FLICKER + 1 }, (_, k) => k);
  const best = starts.reduce((a, b) => (moved(b) > moved(a) ? b : a));
  return all.slice(best, best + FLICKER);
}

/** A sampled vector of one traced pose, without any blending. */
function decoded(samples: LightSamples, of: SampledVectors, vertex: number, pose: number, size: number): Float64Array {
  const { groupOf, clusterOf, groups, poses } = samples;
  const cluster = of.memberOf[vertex * groups + clusterOf[groupOf[vertex] * poses.count + pose]];
  const out = new Float64Array(size);
  for (let b = 0; b < of.bases; b++) {
    const c = of.coefficients[(vertex * poses.count + pose) * of.bases + b] * of.scales[cluster * of.bases + b];
    for (let k = 0; k < size; k++) out[k] += c * of.basis[(cluster * of.bases + b) * size + k];
  }
  return out;
}

/** Mean squared error of a pose: of the stored samples, and of as many clusters of each pose on its own. */
export function compression({ model, kept }: Baked): { ours: number; independent: number; relative: number } {
  const samples = model.light!.samples!;
  const n = samples.groupOf.length;
  const count = Math.max(1, Math.round(sampleClusters(samples.diffuse) / kept.length));
  let [ours, independent, all] = [0, 0, 0];
  kept.forEach((values, p) => {
    for (let i = 0; i < n; i++) {
      const got = decoded(samples, samples.diffuse, i, p, SIZE);
      for (let c = 0; c < SIZE; c++) {
        ours += (got[c] - values[i * SIZE + c]) ** 2 / kept.length;
        all += values[i * SIZE + c] ** 2 / kept.length;
      }
    }
    const offsets = Uint32Array.from({ length: n + 1 }, (_, i) => i);
    const rows = { size: SIZE, offsets, values: Float64Array.from(values) };
    independent +=
      clusteredPca(rows, [], count, { bases: samples.diffuse.bases, seed: 1 }).errors.at(-1)! / kept.length;
  });
  return { ours, independent, relative: 100 * Math.sqrt(ours / all) };
}

/** Bytes of samples that a motion needs: rows of the groups that it comes by, and their bases. */
export function bytesUsed(model: SkinnedModel, poses: readonly Pose[]): number {
  const samples = model.light!.samples!;
  const { groupOf, clusterOf, groups, poses: stored, diffuse } = samples;
  const rows = new Set<number>();
  const clusters = new Set<number>();
  const light = new SampledLight(samples, model.skeleton.parents);
  for (const { parts } of poses) {
    light.set(parts[0].transforms);
    groupOf.forEach((g, i) => {
      for (const p of Array.from(light.blendOf(g).poses)) {
        rows.add(i * stored.count + p);
        clusters.add(diffuse.memberOf[i * groups + clusterOf[g * stored.count + p]]);
      }
    });
  }
  return 2 * diffuse.bases * rows.size + 4 * diffuse.bases * SIZE * clusters.size;
}

/** Σ over vertices of ‖T − T̃‖. */
export function summedError(light: SampledLight, samples: LightSamples, pose: PartPose, truth: TracedPose): number {
  light.set(pose.transforms);
  const found = new Float32Array(truth.transfer.length);
  light.read(samples.diffuse, found);
  let sum = 0;
  for (let i = 0; i < samples.groupOf.length; i++) {
    if (truth.inside[i]) continue;
    let square = 0;
    for (let c = i * SIZE; c < (i + 1) * SIZE; c++) square += (found[c] - truth.transfer[c]) ** 2;
    sum += Math.sqrt(square);
  }
  return sum;
}
