import { reduceSequence } from '../../../src/decompose/reduce.ts';
import {
  buildBvh,
  type DecimationLevel,
  diagonalOf,
  levelOf,
  nearestOnSurface,
  PosePlacer,
  surfacePoint,
} from '../../../src/doors/mesh.ts';
import { ClipSampler } from '../../../src/doors/skin.ts';
import { contractProblem } from '../../../src/fit/thesis/decimated.ts';
import { boneCount, FIT_OPTIONS, MATRIX_STRIDE, type SkinnedModel, Skinner } from '../../../src/index.ts';
import { mergeSequences } from '../../../src/mesh/merge-sequences.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { asSequence, frameOf } from '../core/content/content.ts';
import { COARSEST, type CoarseLevel, type DeformationData, LEVEL_STEP } from '../core/inspect/inspection.ts';
import { COMPONENTS, type Component, scaleEnd, VertexDeformation } from '../core/paint/vertex-deformation.ts';
import type { JobTable } from './protocol.ts';

type PerComponent<T> = Record<Component, T>;

const perComponent = <T>(make: (component: Component) => T): PerComponent<T> =>
  Object.fromEntries(COMPONENTS.map((component) => [component, make(component)])) as PerComponent<T>;

/** Every component at every vertex, averaged over the frames, and where its scale ends. */
export const deformationJob: JobTable['deformation'] = async ({ parts, fit }, run) => {
  const { times } = parts[0];
  const frames = perComponent(() => 0);
  const average = perComponent(() => 0);
  const averages: DeformationData['averages'] = [];
  for (const [p, part] of parts.entries()) {
    const deformation = new VertexDeformation(part.rest);
    const place = fit ? posesOf(fit.models[p], (k) => times[k] - times[fit.firstFrame]) : undefined;
    const means = perComponent(() => new Float32Array(part.rest.positions.length / 3));
    for (let k = 0; k < times.length; k++) {
      await checkpoint(run, 'deformation', p * times.length + k, parts.length * times.length, 'looking at all frames');
      deformation.pose(place ? place(k) : frameOf(part, k));
      for (const component of COMPONENTS) {
        const values = deformation.values(component);
        frames[component] = Math.max(frames[component], scaleEnd(values));
        const mean = means[component];
        for (let i = 0; i < mean.length; i++) mean[i] += values[i] / times.length;
      }
    }
    for (const component of COMPONENTS) average[component] = Math.max(average[component], scaleEnd(means[component]));
    averages.push(means);
  }
  return { averages, tops: { frames, average } };
};

/** Positions (3N, the same array each time) of a model at the times of frames. */
function posesOf(model: SkinnedModel, timeOf: (k: number) => number): (k: number) => Float32Array {
  const sampler = new ClipSampler(model.skeleton, model.clips[0]);
  const skinner = new Skinner(model, { operator: 'lbs', normals: false });
  const transforms = new Float32Array(MATRIX_STRIDE * boneCount(model.skeleton));
  const morphWeights = new Float32Array(model.morphs?.length ?? 0);
  return (k) => {
    sampler.poseAt(timeOf(k), transforms);
    sampler.morphWeightsAt(timeOf(k), morphWeights);
    return skinner.pose(transforms, undefined, morphWeights).positions;
  };
}

/** Poses and vertices that distances are measured in: enough to see what a level costs. */
const POSES = 4;
const SAMPLES = 3000;

/** Merges vertices as a fit does that was asked to decimate, and measures a few levels. */
export const coarseJob: JobTable['coarse'] = async ({ parts, placement }, run) => {
  const { sequence } = mergeSequences(parts.map(asSequence));
  const problem = await reduceSequence(sequence, FIT_OPTIONS.precision.default, run);
  const { triangles, positions } = sequence.rest;
  const { decimation } = await contractProblem(problem, triangles, {}, { ...run, keep: 1 - COARSEST, placement });

  const lookCount = Math.min(POSES, sequence.frameCount);
  const looks = Array.from({ length: lookCount }, (_, l) =>
    Math.round(((l + 1) * (sequence.frameCount - 1)) / lookCount),
  );
  const poses = await Promise.all(looks.map((k) => sequence.readFrame(k)));
  const placer = new PosePlacer(decimation);
  const diagonal = diagonalOf(positions);
  const levels: CoarseLevel[] = [];
  const count = Math.round(COARSEST / LEVEL_STEP);
  for (let l = 0; l <= count; l++) {
    await checkpoint(run, 'coarse', l, count, 'measuring levels');
    const merged = l * LEVEL_STEP;
    const level = levelOf(decimation, Math.round((1 - merged) * decimation.vertexCount));
    const { mean, most } = distancesTo(poses, placer, level);
    levels.push({
      merged,
      vertices: level.vertices.length,
      triangles: level.triangles.length / 3,
      mean: (100 * mean) / diagonal,
      most: (100 * most) / diagonal,
    });
  }
  return { decimation, levels };
};

/** From vertices of the poses to the surface of a level: the mean, and the most. */
function distancesTo(poses: readonly Float32Array[], placer: PosePlacer, level: DecimationLevel) {
  const hit = surfacePoint();
  let [sum, looks, most] = [0, 0, 0];
  for (const pose of poses) {
    const surface = buildBvh(Float32Array.from(placer.place(pose, level)), level.triangles);
    const step = 3 * Math.max(1, Math.floor(pose.length / 3 / SAMPLES));
    for (let i = 0; i < pose.length; i += step) {
      // Nothing is near where no triangle is left.
      if (!nearestOnSurface(surface, pose[i], pose[i + 1], pose[i + 2], hit)) continue;
      sum += hit.distance;
      most = Math.max(most, hit.distance);
      looks++;
    }
  }
  return { mean: sum / Math.max(1, looks), most };
}
