import { poseOfFrame } from '../../decompose/frames.ts';
import {
  emptySupport,
  type FitProblem,
  HOMOGENEOUS,
  type Support,
  type VertexNeighbours,
} from '../../decompose/problem.ts';
import {
  cellMasses,
  cellNeighbours,
  selectSupport,
  selectVertices,
  withVertices,
} from '../../decompose/sampling/select-vertices.ts';
import { PliantError } from '../../error.ts';
import type { ContractionRules } from '../../mesh/decimation/contractor.ts';
import { contractTo, type DecimateOptions, decimateBy } from '../../mesh/decimation/decimate.ts';
import { type Decimation, type DecimationLevel, levelOf, PosePlacer } from '../../mesh/decimation/levels.ts';
import type { PosedMesh } from '../../mesh/decimation/posed-quadrics.ts';
import { type Note, note } from '../../model/note.ts';
import type { RunOptions } from '../../model/options.ts';
import type { Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import { keyPoses, posesOfFrames, restPoseOf } from './key-poses.ts';
import { interiorRegions, type JointValidity, proxyJointRules } from './proxy-joint-validity.ts';
import { contractByRegions, inverseDeformationIndicators } from './region-queues.ts';
import type { ThesisOptions } from './thesis-options.ts';

/**
 * Decimated fitting, Antonopoulos 2010, chapter 4: fewer vertices, in the same basis, whose bones are the full model's as well.
 *
 * The cost of a contraction is a sum over all poses of quadrics that each pose keeps for each vertex, 10·N·P numbers. Here
 * it is a sum over at most `poses` key poses, each counting as often as there are frames like it, and the rest pose: 10·N·K.
 * With as many key poses as frames it is (4.3). Optimal positions are per frame as in (4.12) all the same: the contractions
 * are repeated for one frame after the other. No frame is read again; all come out of the reduced coordinates.
 */
export interface DecimatedOptions extends DecimateOptions {
  /** Maximum poses, besides the rest pose, whose quadrics decide the order of contractions. */
  poses: number;
  /** Which vertices may be merged: those that follow exactly the same joints, or any. */
  validity: JointValidity;
  /** Vertices that every joint keeps. */
  minVertices: number;
  /** One queue of contractions for all, or one per region. */
  queues: 'global' | 'regions';
}

const DEFAULTS = {
  keep: 0.4,
  // Vertices should stay the points of the surface that they were: sliding along it costs more than where only shape counts.
  pointWeight: 0.1,
  poses: 4,
  validity: 'enough',
  minVertices: 16,
  queues: 'global',
} as const;

/** What is known of the model before its transforms. */
export interface DecimationGuide {
  /** Weights, when there are some: contractions then respect the joints. */
  support?: Support;
  /** F: facet → region, for one queue per region. Vertices on the border of two regions stay. */
  regionOf?: Int32Array;
  /** F: mean deformation of each facet; without it all regions are contracted alike. */
  deformation?: ArrayLike<number>;
}

/** The problem with a share of its vertices merged away. */
export async function decimateProblem(
  problem: FitProblem,
  triangles: Uint32Array,
  neighbours: VertexNeighbours,
  guide: DecimationGuide,
  options: Pick<ThesisOptions, 'decimate' | 'placement' | 'queues'>,
  run: RunOptions,
): Promise<DecimatedProblem & { notes: Note[] }> {
  const keep = 1 - options.decimate;
  const queues = guide.regionOf ? options.queues : 'global';
  const validity = guide.support ? 'same' : 'enough';
  const { signal, onProgress } = run;
  const settings = { keep, placement: options.placement, queues, validity, signal, onProgress } as const;
  const { decimation, report } = await contractProblem(problem, triangles, guide, settings);
  const count = Math.max(1, Math.round(keep * problem.vertexCount));
  const { support } = guide;
  const coarse = await decimatedProblem(problem, neighbours, decimation, count, { support, signal, onProgress });
  return { ...coarse, notes: report.notes };
}

/** Finds the contractions. Any level of them serves `decimatedProblem`. */
export async function contractProblem(
  problem: FitProblem,
  triangles: Uint32Array,
  guide: DecimationGuide = {},
  options: Partial<DecimatedOptions> & RunOptions = {},
): Promise<{ decimation: Decimation; report: Report }> {
  const all = { ...DEFAULTS, ...options };
  const { support, regionOf, deformation } = guide;
  const started = performance.now();
  const n = problem.vertexCount;
  const keys = keyPoses(problem, all.poses);
  const mesh: PosedMesh = {
    triangles,
    poses: [restPoseOf(problem), ...posesOfFrames(problem, keys.frames)],
    poseWeights: [1, ...keys.weights],
  };
  const joints = support ? proxyJointRules(support, all.validity, all.minVertices) : {};
  const regions = regionOf && interiorRegions(triangles, regionOf, n);
  const seconds = (performance.now() - started) / 1000;
  const byRegion = all.queues === 'regions';
  if (byRegion && !regionOf) {
    throw new PliantError('bad-option', 'decimate', 'one queue per region needs regions (expected regionOf)');
  }
  const indicators =
    regionOf && inverseDeformationIndicators(regionOf, deformation ?? new Float64Array(regionOf.length));
  const contract: typeof contractTo =
    byRegion && indicators ? (c, amount, run) => contractByRegions(c, amount, indicators, run) : contractTo;
  const rules = withinRegions(joints, regions, byRegion);
  const { report, ...decimation } = await decimateBy(contract, mesh, { ...all, rules });

  report.seconds.poses = seconds;
  report.given.push(...Object.keys(guide));
  report.figures.keyPoses = mesh.poses.length;
  const [vertices, asked] = [n - decimation.removed.length, Math.round(n * all.keep)];
  if (vertices > asked) report.notes.push(note('fewer-contractions', { vertices, asked }));
  return { decimation, report };
}

/** Adds to the rules that vertices on the border of regions take no part, and gives each region its queue if asked. */
function withinRegions(rules: ContractionRules, regions: Int32Array | undefined, byRegion: boolean): ContractionRules {
  if (!regions) return rules;
  return {
    ...rules,
    queueOf: byRegion ? regions : regions.map((region) => Math.min(region, 0)),
    mayContract: (i, j) => regions[i] === regions[j] && (rules.mayContract?.(i, j) ?? true),
  };
}

/** A coarser problem whose bones are those of the full one. */
export interface DecimatedProblem {
  problem: FitProblem;
  neighbours: VertexNeighbours;
  level: DecimationLevel;
  /** Weights of the decimated vertices, when there were some. */
  support?: Support;
}

/** The problem at the level of `vertexCount` vertices, with the weights it inherits (Antonopoulos 2010, §4.5). */
export async function decimatedProblem(
  problem: FitProblem,
  neighbours: VertexNeighbours,
  decimation: Decimation,
  vertexCount: number,
  options: { support?: Support } & RunOptions = {},
): Promise<DecimatedProblem> {
  const { support } = options;
  const level = levelOf(decimation, vertexCount);
  const n = level.vertices.length;
  const masses = cellMasses(problem.mass, level.vertexOf, n);
  const optimal = decimation.options.placement === 'optimal';
  return {
    problem: optimal
      ? await placedProblem(problem, decimation, level, masses, options)
      : selectVertices(problem, level.vertices, masses),
    neighbours: cellNeighbours(neighbours, level.vertexOf, n),
    level,
    support: support && (optimal ? meanSupport(support, level) : selectSupport(support, level.vertices)),
  };
}

/** Every frame's own optimal positions, as coordinates in the basis: z = Uᵀ·a, frame by frame. */
async function placedProblem(
  problem: FitProblem,
  decimation: Decimation,
  level: DecimationLevel,
  mass: Float64Array,
  run: RunOptions,
): Promise<FitProblem> {
  const { rank, basis, frameCount } = problem;
  const n = level.vertices.length;
  const placer = new PosePlacer(decimation);
  const z = new Float64Array(n * rank);
  const pose = new Float64Array(3 * problem.vertexCount);
  for (let k = 0; k < frameCount; k++) {
    await checkpoint(run, 'decimate', k, frameCount, 'placing vertices');
    const placed = placer.place(poseOfFrame(problem, k, pose), level);
    for (let i = 0; i < n; i++) {
      for (let d = 0; d < 3; d++) {
        const x = placed[3 * i + d];
        const row = (3 * k + d) * rank;
        for (let c = 0; c < rank; c++) z[i * rank + c] += x * basis[row + c];
      }
    }
  }
  const placed = placer.place(restPoseOf(problem), level);
  const rest = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    rest.set(placed.subarray(3 * i, 3 * i + 3), 4 * i);
    rest[4 * i + 3] = HOMOGENEOUS;
  }
  return withVertices(problem, z, rest, mass);
}

/** A moved vertex gets the mean weights of all that were merged into it, of its strongest joints. */
function meanSupport(support: Support, level: DecimationLevel): Support {
  const { influences: k } = support;
  const n = level.vertices.length;
  const sums: Map<number, number>[] = Array.from({ length: n }, () => new Map());
  level.vertexOf.forEach((to, i) => {
    for (let s = i * k; s < i * k + support.count[i]; s++) {
      sums[to].set(support.joints[s], (sums[to].get(support.joints[s]) ?? 0) + support.weights[s]);
    }
  });
  const out = emptySupport(n, k);
  sums.forEach((weights, to) => {
    const strongest = [...weights].sort(([a, wa], [b, wb]) => wb - wa || a - b).slice(0, k);
    const total = strongest.reduce((sum, [, w]) => sum + w, 0);
    out.count[to] = strongest.length;
    strongest.forEach(([joint, w], s) => {
      out.joints[to * k + s] = joint;
      out.weights[to * k + s] = w / total;
    });
  });
  return out;
}
