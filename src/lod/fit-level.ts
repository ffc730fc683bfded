import { gatherRows } from '../math/rows.ts';
import { type Edges, meshEdges } from '../mesh/adjacency.ts';
import type { Bvh } from '../mesh/bvh.ts';
import type { Morph, SkinWeights } from '../model/skinned-model.ts';
import { gatherCandidates } from './candidates.ts';
import { fitFrame } from './fit-frames.ts';
import { type FitSettings, SkinFit } from './fit-skin.ts';
import { joinCharts } from './join-charts.ts';
import type { LevelMesh } from './level-mesh.ts';
import { gatherMoments, type PosePair } from './moments.ts';
import { ChartSurface, nearestSamples } from './nearest-samples.ts';
import { posedBy, trimmedWeights } from './pose.ts';
import { projectValues } from './project-values.ts';
import type { CollapseRecords } from './records.ts';
import { carriedSamples, joinSamples, lineSamples, lineSides, type Samples } from './samples.ts';
import { type Guarded, type GuardedFrames, guardFrames, guardVertices, unfittedLevel } from './step-back.ts';
import type { PosedSurface } from './surface.ts';

/** Settings that were chosen by trying; see docs/notes/lod.md. */
export interface LevelFitSettings extends FitSettings {
  /** How much distances along the surface count, in the fit to carried points and to the nearest ones. */
  epsilon: number;
  nearestEpsilon: number;
  /** How much lines are held in place, relative to a face as wide as they are long. */
  lineWeight: number;
  /** Fits to the nearest points. */
  nearestFits: number;
  /** Points on the level and on the original, about: so many for each face of the original, as faces of hard parts differ much in size. */
  samplesPerFace: number;
  /** Of those at least and, unless that is more, at most so many in all. */
  leastSamples: number;
  mostSamples: number;
  /** Whether vertices that the fit throws off go back. */
  guard: boolean;
}

export const FIT_SETTINGS: LevelFitSettings = {
  epsilon: 0.05,
  nearestEpsilon: 0.005,
  lineWeight: 0.03,
  nearestFits: 3,
  samplesPerFace: 5,
  leastSamples: 20_000,
  mostSamples: 60_000,
  guard: true,
  damping: 1e-4,
  weightPull: 1e-3,
  rounds: 1,
  sweeps: 1,
};

/** Points on the level and on an original of so many faces. */
export const sampleCount = (faces: number, settings: LevelFitSettings): number =>
  Math.max(settings.leastSamples, Math.min(settings.mostSamples, settings.samplesPerFace * faces));

/** The original, ready to be fitted to. */
export interface Original {
  surface: PosedSurface;
  /** K × 3N: as linear blending poses it, which is what levels are fitted by. */
  poses: readonly Float32Array[];
  /** In the default pose. */
  charts: ChartSurface;
  /** The same without regard to charts. */
  bvh: Bvh;
  /** F. */
  chartOf: Uint32Array;
  records: CollapseRecords;
  /** N: 1 for vertices that stay as they are. */
  kept: Uint8Array;
}

/** Where a level's vertices are. */
export interface FittedLevel {
  /** 3n. */
  rest: Float64Array;
  weights?: SkinWeights;
  morphs?: Morph[];
  /** K × 3n. */
  poses: Float64Array[];
  /** Points of the level beside those of the original that the records carry them to, and that are nearest at rest. */
  carried: Samples;
  nearest: Samples;
  /** n: 1 for vertices that stayed as they were. */
  frozen: Uint8Array;
}

/**
 * A level as the collapses leave it, then fitted to points carried by the records, then to the nearest ones. `pause` is called
 * between steps: it may throw to end a fit that is no longer wanted.
 */
export async function fitLevel(
  original: Original,
  level: LevelMesh,
  settings: LevelFitSettings,
  pause: () => Promise<void>,
): Promise<FittedLevel> {
  const { surface } = original;
  const n = level.vertexOf.length;
  const edges = meshEdges(level.triangles, n);
  const points = sampleCount(surface.mesh.triangles.length / 3, settings);
  const carried = carriedSamples(level, original.records, surface.mesh.triangles, original.poses[0], points);
  const morphs = surface.morphs?.map((morph) => carriedMorph(morph, surface, level, carried));
  const frozen = gatherRows(original.kept, 1, level.vertexOf);
  const lines = lineSamples(level, original.records, surface.mesh.triangles, original.poses[0], settings.lineWeight);
  const coarseCharts = gatherRows(original.chartOf, 1, level.faces);
  const moving = surface.skin
    ? skinFitter(original, level, edges, carried, morphs ?? [], frozen, settings)
    : frameFitter(original, level, edges, frozen, settings);

  const coarse = new ChartSurface(level.triangles, moving.positions(), coarseCharts, lineSides(level));
  const joined = joinCharts(original, level, moving.positions(), carried);
  joined?.leaveOutMovedLines(lines);
  const nearest = async (): Promise<Samples> => {
    await pause();
    for (const surface of [coarse, joined?.coarse]) surface?.move(moving.positions());
    return nearestSamples(level, coarse, original.charts, points, joined);
  };
  const others = { level: moving.poses().slice(1), original: original.poses.slice(1) };
  await pause();
  const unfitted = settings.guard && unfittedLevel(level.triangles, moving.positions(), original.bvh, others);

  await pause();
  moving.fit(joinSamples([carried, lines]), settings.epsilon);
  let samples = await nearest();
  for (let round = 0; round < settings.nearestFits; round++) {
    await pause();
    moving.fit(joinSamples([samples, lines]), settings.nearestEpsilon);
    samples = await nearest();
  }
  await pause();
  const steppedBack = unfitted ? guardVertices(level.triangles, original.bvh, unfitted, moving) : 0;
  if (unfitted && moving.frames) {
    const frames = { triangles: surface.mesh.triangles, poses: original.poses };
    guardFrames(level.triangles, frames, unfitted, moving.frames);
  }
  if (steppedBack > 0) samples = await nearest();
  for (const each of [carried, samples]) joined?.leaveOutOtherCharts(each);
  return {
    rest: moving.rest(),
    ...(moving.weights && { weights: moving.weights }),
    ...(morphs && { morphs }),
    poses: moving.poses(),
    carried,
    nearest: samples,
    frozen,
  };
}

/** What is fitted: rest positions and weights, or frames. */
interface Fitter extends Guarded {
  fit(samples: Samples, epsilon: number): void;
  rest(): Float64Array;
  /** K × 3n. */
  poses(): Float64Array[];
  weights?: SkinWeights;
  /** Without bones, which move what follows them in every pose. */
  frames?: GuardedFrames;
}

function skinFitter(
  { surface, poses: originalPoses }: Original,
  level: LevelMesh,
  edges: Edges,
  carried: Samples,
  morphs: readonly Morph[],
  frozen: Uint8Array,
  settings: LevelFitSettings,
): Fitter {
  const { triangles } = level;
  const skin = surface.skin!;
  const n = level.vertexOf.length;
  const weights = trimmedWeights(skin.weights, level.vertexOf);
  const candidates = gatherCandidates(carried, triangles, n, surface.mesh.triangles, skin.weights, weights);
  const morphed = morphs.length > 0 ? originalPoses.map((_, p) => morphedBy(surface, p, morphs, 3 * n)) : undefined;
  const rest = gatherRows(surface.mesh.positions, 3, level.vertexOf);
  const fit = new SkinFit(rest, weights, edges, { skin, candidates, ...(morphed && { morphed }) }, settings);
  const poses = (): Float64Array[] => originalPoses.map((_, p) => posedBy(surface, p, fit.x, fit.weights, morphs));
  const startWeights = { joints: weights.joints.slice(), weights: weights.weights.slice() };
  return {
    weights,
    rest: () => fit.x,
    poses,
    positions: () => Float32Array.from(posedBy(surface, 0, fit.x, fit.weights, morphs)),
    stepBack(i, share) {
      for (let c = 3 * i; c < 3 * i + 3; c++) fit.x[c] = rest[c] + share * (fit.x[c] - rest[c]);
      if (share > 0) return;
      for (let s = weights.influences * i; s < weights.influences * (i + 1); s++) {
        weights.joints[s] = startWeights.joints[s];
        weights.weights[s] = startWeights.weights[s];
      }
    },
    fit(samples, epsilon) {
      const start = poses();
      const pairs = start.map((pose, p): PosePair => ({ level: pose, original: originalPoses[p] }));
      fit.fit(gatherMoments(samples, triangles, edges, surface.mesh.triangles, pairs, epsilon), start, frozen);
    },
  };
}

function frameFitter(
  { surface, poses: originalPoses }: Original,
  level: LevelMesh,
  edges: Edges,
  frozen: Uint8Array,
  settings: LevelFitSettings,
): Fitter {
  const { triangles, vertexOf } = level;
  let poses: Float64Array[] = originalPoses.map((pose) => Float64Array.from(gatherRows(pose, 3, vertexOf)));
  let rest: Float64Array = Float64Array.from(gatherRows(surface.mesh.positions, 3, vertexOf));
  const fitPose = (samples: Samples, epsilon: number, level: Float64Array, original: Float32Array): Float64Array =>
    fitFrame(samples, triangles, edges, surface.mesh.triangles, { level, original }, { ...settings, epsilon }, frozen);
  return {
    rest: () => rest,
    poses: () => poses,
    positions: () => Float32Array.from(poses[0]),
    stepBack(i, share) {
      for (let c = 0; c < 3; c++) {
        poses.forEach((pose, p) => {
          const start = originalPoses[p][3 * vertexOf[i] + c];
          pose[3 * i + c] = start + share * (pose[3 * i + c] - start);
        });
        const start = surface.mesh.positions[3 * vertexOf[i] + c];
        rest[3 * i + c] = start + share * (rest[3 * i + c] - start);
      }
    },
    frames: {
      poses: () => poses,
      movedIn: (p, i) =>
        Math.hypot(...[0, 1, 2].map((c) => poses[p][3 * i + c] - originalPoses[p][3 * vertexOf[i] + c])),
      stepBackIn(p, i, share) {
        for (let c = 0; c < 3; c++) {
          const start = originalPoses[p][3 * vertexOf[i] + c];
          poses[p][3 * i + c] = start + share * (poses[p][3 * i + c] - start);
        }
      },
    },
    fit(samples, epsilon) {
      poses = poses.map((pose, p) => fitPose(samples, epsilon, pose, originalPoses[p]));
      rest = fitPose(samples, epsilon, rest, surface.mesh.positions);
    },
  };
}

/** What the morphs add in pose p. */
function morphedBy({ morphWeights }: PosedSurface, p: number, morphs: readonly Morph[], length: number): Float64Array {
  const out = new Float64Array(length);
  morphs.forEach(({ positions }, m) => {
    const share = morphWeights?.[p][m] ?? 0;
    if (share !== 0) for (let c = 0; c < length; c++) out[c] += share * positions[c];
  });
  return out;
}

/** A morph's displacements as the level can best show them. */
function carriedMorph(morph: Morph, { mesh }: PosedSurface, level: LevelMesh, samples: Samples): Morph {
  const start = gatherRows(morph.positions, 3, level.vertexOf);
  const values = { size: 3, corners: mesh.triangles, values: morph.positions };
  return { name: morph.name, positions: Float32Array.from(projectValues(samples, level.triangles, start, values)) };
}
