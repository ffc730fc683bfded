import { expandToFrames } from '../../decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../decompose/bones/normal-equations.ts';
import { solveAffine } from '../../decompose/bones/transforms-affine.ts';
import { squaredError } from '../../decompose/bones/transforms-per-frame.ts';
import { pCenters } from '../../decompose/clustering/p-center.ts';
import { spectralClustering } from '../../decompose/clustering/spectral.ts';
import type { FitProblem, Support, VertexNeighbours } from '../../decompose/problem.ts';
import { throwIfCancelled } from '../../error.ts';
import { analyseDeformation, type FacetDeformation } from '../../measure/facet-deformation.ts';
import { type Mesh, triangleCount } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { defaultsOf, type RunOptions } from '../../model/options.ts';
import type { MeshSequence } from '../../model/sequence.ts';
import { type Facets, facetsOf } from './clustering/facets.ts';
import { hierarchicalKMeansClustering, kMeansClustering } from './clustering/k-means.ts';
import { regionGrowing } from './clustering/region-growing.ts';
import { completeFlatBones } from './corrections/flat-bones.ts';
import { decimateProblem } from './decimated.ts';
import { deformationProxyJoints, type ProxyJoints, uniformProxyJoints } from './proxy-joints.ts';
import { THESIS_OPTIONS, type ThesisOptions } from './thesis-options.ts';
import { solveDualQuaternions } from './transforms-dual-quaternion.ts';
import { solveAffineLsqr } from './transforms-lsqr.ts';
import { distanceWeights } from './weights-distance.ts';
import { propagatedWeights } from './weights-propagated.ts';

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

/**
 * Antonopoulos 2010, chapters 3 and 4, stage by stage: proxy joints, weights, decimation, transforms. Nothing is iterated:
 * joints and weights come from the rest pose and its deformation, transforms are solved once for them.
 */
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
