import { expandToFrames } from '../../decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../decompose/bones/normal-equations.ts';
import { solveAffine } from '../../decompose/bones/transforms-affine.ts';
import { squaredError } from '../../decompose/bones/transforms-per-frame.ts';
import type { FitProblem, Support, VertexNeighbours } from '../../decompose/problem.ts';
import { throwIfCancelled } from '../../error.ts';
import { analyseDeformation, type FacetDeformation } from '../../measure/facet-deformation.ts';
import { DECIMATE_OPTIONS } from '../../mesh/decimation/decimate.ts';
import { type Mesh, triangleCount } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { defaultsOf, type OptionSpecs, type OptionsOf, type RunOptions } from '../../model/options.ts';
import type { MeshSequence } from '../../model/sequence.ts';
import { type Facets, facetsOf } from './clustering/facets.ts';
import { hierarchicalKMeansClustering, kMeansClustering } from './clustering/k-means.ts';
import { pCenters } from './clustering/p-center.ts';
import { regionGrowing } from './clustering/region-growing.ts';
import { spectralClustering } from './clustering/spectral.ts';
import { completeFlatBones } from './corrections/flat-bones.ts';
import { contractProblem, type DecimatedProblem, type DecimationGuide, decimatedProblem } from './decimated.ts';
import { deformationProxyJoints, type ProxyJoints, uniformProxyJoints } from './proxy-joints.ts';
import { solveDualQuaternions } from './transforms-dual-quaternion.ts';
import { solveAffineLsqr } from './transforms-lsqr.ts';
import { distanceWeights, P_FACTOR } from './weights-distance.ts';
import { propagatedWeights } from './weights-propagated.ts';

/**
 * Antonopoulos 2010, chapters 3 and 4, stage by stage: proxy joints, weights, decimation, transforms. Nothing is iterated:
 * joints and weights come from the rest pose and its deformation, transforms are solved once for them.
 */
export const THESIS_OPTIONS = {
  start: {
    type: 'choice',
    choices: ['deformation', 'uniform'],
    default: 'deformation',
    description: 'where proxy joints go: where the surface deforms, or evenly by p-center',
  },
  clustering: {
    type: 'choice',
    choices: ['region-growing', 'p-center', 'k-means', 'hierarchical-k-means', 'spectral'],
    default: 'region-growing',
    description: 'how facets are clustered into regions of similar deformation',
  },
  regions: {
    type: 'number',
    default: 0,
    min: 0,
    integer: true,
    description: 'number of regions; 0: one for every eight joints',
  },
  startWeights: {
    type: 'choice',
    choices: ['auto', 'distance', 'propagated'],
    default: 'auto',
    description:
      'weights by distance from the joint, or confined to regions and then smoothed; auto: by distance for uniform joints',
  },
  pFactor: {
    type: 'number',
    default: P_FACTOR,
    min: 1,
    description: 'how far the influence of a joint reaches, in radii of its cluster',
  },
  smoothing: {
    type: 'number',
    default: 5,
    min: 0,
    integer: true,
    description: 'smoothing passes of propagated weights',
  },
  solver: {
    type: 'choice',
    choices: ['direct', 'lsqr', 'dual-quaternion'],
    default: 'direct',
    description:
      'how the first transforms are solved: affine by one factorisation, affine by LSQR for every pose, or rigid by dual quaternions',
  },
  lsqrTolerance: { type: 'number', default: 5e-5, min: 0, max: 1, description: 'tolerance of LSQR' },
  lsqrIterations: { type: 'number', default: 1000, min: 1, integer: true, description: 'maximum iterations of LSQR' },
  decimate: {
    type: 'number',
    default: 0,
    min: 0,
    max: 0.95,
    description: 'fraction of the vertices to merge before solving; the result is for the full mesh',
  },
  placement: DECIMATE_OPTIONS.placement,
  queues: {
    type: 'choice',
    default: 'global',
    choices: ['global', 'regions'],
    description: 'one queue of contractions for the whole mesh, or one per region that merges more where less deforms',
  },
  seed: { type: 'number', default: 1, integer: true, description: 'seed of everything random' },
} as const satisfies OptionSpecs;
export type ThesisOptions = OptionsOf<typeof THESIS_OPTIONS>;

export interface ThesisFit {
  /** 4B × 3P. */
  frames: Float64Array;
  support: Support;
  boneCount: number;
  proxies: ProxyJoints;
  /** F: averages over the frames, where joints or clusters needed them. */
  deformation?: FacetDeformation;
  /** Sum of squared errors of the result in squared diagonals, what the reduction discarded included. */
  error: number;
  /** Whether every LSQR solve reached its tolerance. */
  converged: boolean;
  notes: Note[];
}

export async function decomposeThesis(
  sequence: MeshSequence,
  problem: FitProblem,
  neighbours: VertexNeighbours,
  settings: Partial<ThesisOptions> & { bones: number; influences: number },
  run: RunOptions = {},
): Promise<ThesisFit> {
  const options = { ...defaultsOf(THESIS_OPTIONS), ...settings };
  const { rest } = sequence;

  // (1) Joints. Without facets there is no deformation to go by.
  let deformation: FacetDeformation | undefined;
  let regions: Int32Array | undefined;
  let proxies: ProxyJoints;
  if (options.start === 'deformation' && triangleCount(rest) > 0) {
    deformation = await analyseDeformation(sequence, run);
    const facets = facetsOf(rest, deformation.total);
    regions = await clusterFacets(sequence, facets, options, run);
    proxies = deformationProxyJoints(rest, facets, regions, options.bones, options.seed);
  } else {
    proxies = uniformProxyJoints(rest, options.bones, options.seed);
  }
  throwIfCancelled(run.signal, 'fit');

  // (2) Weights, (3) transforms, perhaps of fewer vertices.
  const support = weightsOf(rest, proxies, neighbours, options);
  const boneCount = proxies.joints.length;
  const guide = { support, regionOf: regions, deformation: deformation?.total };
  const coarse =
    options.decimate > 0 ? await decimateProblem(problem, rest.triangles, neighbours, guide, options, run) : undefined;
  const solved = transformsOf(coarse?.problem ?? problem, coarse?.support ?? support, boneCount, options, run);
  const bones = completeFlatBones(problem, support, solved.bones);
  return {
    frames: bones,
    support,
    boneCount,
    proxies,
    deformation,
    error: squaredError(problem, assembleNormalEquations(problem, support, boneCount), bones) + problem.discarded,
    converged: solved.converged,
    notes: [...(coarse?.notes ?? []), ...solved.notes],
  };
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
  const { decimate, placement } = options;
  const queues = guide.regionOf ? options.queues : 'global';
  const validity = guide.support ? 'same' : 'enough';
  const { signal, onProgress } = run;
  const settings = { keep: 1 - decimate, placement, queues, validity, signal, onProgress } as const;
  const { decimation, report } = await contractProblem(problem, triangles, guide, settings);
  const count = Math.max(1, Math.round((1 - decimate) * problem.vertexCount));
  const { support } = guide;
  const coarse = await decimatedProblem(problem, neighbours, decimation, count, { support, signal, onProgress });
  return { ...coarse, notes: report.notes };
}

/** F: facet → region. */
async function clusterFacets(
  sequence: MeshSequence,
  facets: Facets,
  options: ThesisOptions & { bones: number },
  run: RunOptions,
): Promise<Int32Array> {
  const { seed } = options;
  const count = Math.max(1, Math.min(options.bones, options.regions || Math.round(options.bones / 8)));
  switch (options.clustering) {
    case 'region-growing':
      return regionGrowing(facets, count, seed);
    case 'p-center':
      return pCenters({ ...facets, positions: facets.centroids }, count, seed).clusterOf;
    case 'k-means':
      return kMeansClustering(facets, count, seed);
    case 'hierarchical-k-means':
      return hierarchicalKMeansClustering(facets, count, seed);
    case 'spectral':
      return await spectralClustering(sequence, facets, count, { seed }, run);
  }
}

function weightsOf(
  rest: Mesh,
  proxies: ProxyJoints,
  neighbours: VertexNeighbours,
  options: ThesisOptions & { influences: number },
): Support {
  const { influences, pFactor, smoothing } = options;
  const byDistance =
    options.startWeights === 'distance' || (options.startWeights === 'auto' && options.start === 'uniform');
  return byDistance
    ? distanceWeights(rest, proxies, influences, pFactor)
    : propagatedWeights(rest, proxies, neighbours, influences, { pFactor, passes: smoothing });
}

/** Weak pull towards matrices of zeros: decides what the data leave open. */
const PULL_TO_ZERO = 1e-9;

function transformsOf(
  problem: FitProblem,
  support: Support,
  boneCount: number,
  options: ThesisOptions,
  run: RunOptions,
): { bones: Float64Array; converged: boolean; notes: Note[] } {
  const accuracy = { tolerance: options.lsqrTolerance, maxIterations: options.lsqrIterations };
  if (options.solver === 'lsqr') {
    const { bones, converged } = solveAffineLsqr(problem, support, boneCount, accuracy, run);
    return { bones, converged, notes: [] };
  }
  if (options.solver === 'dual-quaternion') {
    const { bones, converged, halfTurns } = solveDualQuaternions(problem, support, boneCount, accuracy, run);
    const notes = halfTurns.length > 0 ? [note('half-turns', { turns: halfTurns })] : [];
    return { bones, converged, notes };
  }
  const zeros = new Float64Array(4 * boneCount * problem.rank);
  const reduced = solveAffine(assembleNormalEquations(problem, support, boneCount), zeros, PULL_TO_ZERO);
  return { bones: expandToFrames(problem, reduced), converged: true, notes: [] };
}
