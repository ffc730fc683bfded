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
import { contractProblem } from '../../../src/fit/thesis/decimated.ts';
import { FIT_OPTIONS, type SkinnedModel, Skinner } from '../../../src/index.ts';
import { mergeSequences } from '../../../src/mesh/merge-sequences.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { asSequence, frameOf } from '../core/content/content.ts';
import { COARSEST, type CoarseLevel, type DeformationData, LEVEL_STEP } from '../core/inspect/inspection.ts';
import { COMPONENTS, type Component, scaleEnd, VertexDeformation } from '../core/paint/vertex-deformation.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import type { JobTable } from './protocol.ts';

type PerComponent<T> = Record<Component, T>;

const perComponent = <T>(make: (component: Component) => T): PerComponent<T> =>
  Object.fromEntries(COMPONENTS.map((component) => [component, make(component)])) as PerComponent<T>;

/** Every component of the deformation at every vertex: its mean over the frames, and the end of its scale. */
export const deformationJob: JobTable['deformation'] = async ({ parts, fit }, run) => {
  const { times } = parts[0];
  const frames = perComponent(() => 0);
  const average = perComponent(() => 0);
  const averages: DeformationData['averages'] = [];
  for (const [p, part] of parts.entries()) {
    const deformation = new VertexDeformation(part.rest);
    const poseAt = fit && posesOf(fit.models[p]);
    const means = perComponent(() => new Float32Array(part.rest.positions.length / 3));
    for (let k = 0; k < times.length; k++) {
      await checkpoint(run, 'deformation', p * times.length + k, parts.length * times.length, 'reading all frames');
      deformation.pose(poseAt ? poseAt(times[k] - times[fit.firstFrame]) : frameOf(part, k));
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

/** Positions (3N, the same array each time) of a fitted model at a time. */
function posesOf(model: SkinnedModel): (time: number) => Float32Array {
  const rig = new PosedRig(model);
  const skinner = new Skinner(model, { operator: 'lbs', normals: false });
  return (time) => {
    rig.pose(model.clips[0].name, time);
    return rig.skinned(skinner);
  };
}

/** Number of poses and vertices in which distances are measured. */
const POSES = 4;
const SAMPLES = 3000;

/** Merges vertices as a fit with `decimate` does, and measures a few levels. */
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

/** Mean and maximum distance from vertices of the poses to the surface of a level. */
function distancesTo(poses: readonly Float32Array[], placer: PosePlacer, level: DecimationLevel) {
  const hit = surfacePoint();
  let [sum, looks, most] = [0, 0, 0];
  for (const pose of poses) {
    const surface = buildBvh(Float32Array.from(placer.place(pose, level)), level.triangles);
    const step = 3 * Math.max(1, Math.floor(pose.length / 3 / SAMPLES));
    for (let i = 0; i < pose.length; i += step) {
      // No triangle may be left.
      if (!nearestOnSurface(surface, pose[i], pose[i + 1], pose[i + 2], hit)) continue;
      sum += hit.distance;
      most = Math.max(most, hit.distance);
      looks++;
    }
  }
  return { mean: sum / Math.max(1, looks), most };
}
