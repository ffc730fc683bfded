import { boneCentroids } from '../../decompose/bones/bone-centroids.ts';
import { reduceSequence } from '../../decompose/reduce.ts';
import { edgeWeights } from '../../decompose/translations/edge-weights.ts';
import { poissonSolve } from '../../decompose/translations/translation-solves.ts';
import { nearBones, vertexWeights } from '../../decompose/weights/patch-weights.ts';
import { PliantError } from '../../error.ts';
import { meshEdges } from '../../mesh/adjacency.ts';
import { type RunOptions, resolveOptions } from '../../model/options.ts';
import type { PaperModel } from '../../model/paper-cloth.ts';
import type { Kernel, TranslationSolve } from '../../model/predictor.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { memorySequence } from '../../model/sequence.ts';
import { trainKernel } from '../../regress/kernel.ts';
import { regress } from '../../regress/regress.ts';
import { ridgeInverse } from '../../regress/ridge.ts';
import { CoarsePoints } from './coarse-points.ts';
import { detailClusters } from './detail-clusters.ts';
import { detailShapes } from './eigenskin.ts';
import { fitFirstOrder } from './first-order.ts';
import { type PaperExamples, readExamples, type TrainingPair } from './paper-examples.ts';
import { PAPER_OPTIONS, type PaperOptions } from './paper-options.ts';
import { residualVectors } from './patch-motion.ts';
import { patchResiduals } from './patch-residuals.ts';
import { anchorsOf, PatchTranslations } from './patch-translations.ts';
import { fitPatches } from './patches.ts';

/** How hard anchors pull and how firmly a patch keeps to the coarse mesh, against agreement of edges: (2.11). */
const STRENGTH = { pull: 0.1, hold: 1e-6 };
/** What the fine examples may lose before weights are fitted, RMS in diagonals. */
const PRECISION = 1e-5;

/**
 * The map (Feng 2010, chapter 3): pairs of coarse and fine cloth become a deformation transformer.
 *
 *   examples ─▶ angles Θ, Θ̇ ─────────────────────────────────▶ kernel ─┐
 *      ├─▶ patches R ─▶ weights ─▶ edge weights ─▶ Poisson translations   │
 *      └─▶ coarse triangles G ─▶ first order R̄ ─▶ ω = log R̄⁻¹R ─────────┼─▶ kernel CCA
 *             displacements u ─▶ clusters ─▶ shapes, coefficients ─────────┘
 */
export async function trainPaper(
  pairs: readonly TrainingPair[],
  options: Partial<PaperOptions> & RunOptions = {},
): Promise<{ paper: PaperModel; report: Report }> {
  const settings = resolveOptions(PAPER_OPTIONS, options, 'cloth');
  const report = emptyReport('cloth');
  const lap = lapTimer(report.seconds);

  // (1) Examples by k-means on the dihedral angles; the kernel on them; and what is known of places.
  const examples = await readExamples(pairs, settings, options);
  const { coarse, fine, poses } = examples;
  const e = poses.length;
  const { kernel, matrix } = trainKernel('cubic', examples.inputs, examples.inputs.length / e, 'cloth');
  const inverse = ridgeInverse(matrix, e, settings.ridge, 'cloth');
  const anchors = anchorsOf(coarse, fine, settings.anchors === 'pins' ? coarsePins(pairs) : undefined);
  lap('examples');

  // (2) Patches as proxy bones, their weights, and the translations that follow from rotations.
  const patches = await fitPatches(fine, poses, settings.bones, options);
  lap('patches');
  const problem = await reduceSequence(memorySequence('examples', fine, poses), PRECISION, options);
  const weights = await vertexWeights(problem, patches, nearBones({ rest: fine }, patches), options);
  const edges = meshEdges(fine.triangles, fine.positions.length / 3);
  const edgeSkin = await edgeWeights({ rest: fine, poses }, patches, weights, edges, options);
  lap('weights');
  const { positions } = fine;
  const bones = patches.count;
  const translations = poissonSolve({ positions, edges, skin: weights, edgeSkin, points: anchors, bones }, STRENGTH);
  lap('translations');

  // (3) Rotations: first order from the coarse triangles, and what that leaves.
  const nearest = new CoarsePoints(coarse, boneCentroids(positions, weights, bones)).faces;
  const turning = fitFirstOrder(coarse, nearest, examples.rotations, patches.transforms);
  lap('first order');

  // (4) Displacements that patches leave, in clusters of few shapes.
  const transforms = patches.transforms.slice();
  const translate = new PatchTranslations(coarse, fine, weights, anchors, translations, bones);
  forEachExample(examples, transforms, (own, k) =>
    translate.solve(own, examples.coarsePoses[k], examples.rotations[k]),
  );
  const residuals = patchResiduals(fine, poses, weights, transforms);
  const { clusterOf, count } = await detailClusters(fine, residuals, settings.clusters, options);
  const { mean: detailMean, basis, coefficients } = detailShapes(residuals, clusterOf, count, settings.eigPca);
  lap('detail');

  // (5) Both mappings: kernel CCA from angles and velocities.
  const omega = new Float64Array(e * 3 * bones);
  forEachExample(examples, patches.transforms, (own, k) =>
    residualVectors(omega, k * 3 * bones, turning, examples.rotations[k], own),
  );
  const rotationMap = await regress({ matrix, inverse }, omega, 3, settings.rotCca, options);
  const q = coefficients.length / (e * count);
  const detailMap = await regress({ matrix, inverse }, coefficients, q, 0, options);
  lap('regression');

  const paper: PaperModel = {
    weights,
    turning,
    velocityScale: examples.velocityScale,
    kernel: storedKernel(kernel),
    mean: beside(rotationMap.mean, detailMap.mean, 1),
    operator: beside(rotationMap.operator, detailMap.operator, e),
    anchors,
    translations: storedSolve(translations),
    clusterOf,
    detail: { mean: detailMean, basis },
  };
  report.figures = { bones, examples: e };
  return { paper, report };
}

function forEachExample(
  { poses }: PaperExamples,
  transforms: Float64Array,
  visit: (own: Float64Array, k: number) => void,
): void {
  const size = transforms.length / poses.length;
  poses.forEach((_, k) => {
    visit(transforms.subarray(k * size, (k + 1) * size), k);
  });
}

function coarsePins(pairs: readonly TrainingPair[]): Uint32Array {
  const pins = pairs[0].pinned?.coarse;
  if (pins?.length) return pins;
  throw new PliantError('bad-option', 'cloth', '(got pins, but the pairs have none)', { option: 'anchors' });
}

const storedKernel = ({ mean, scale, points, rowMeans, grandMean, diagonal }: Kernel): PaperModel['kernel'] => ({
  mean: Float32Array.from(mean),
  scale,
  points: Float32Array.from(points),
  rowMeans: Float32Array.from(rowMeans),
  grandMean,
  diagonal,
});

function storedSolve({ pull, hold, turn }: TranslationSolve): PaperModel['translations'] {
  const at = Uint32Array.from(turn!.keys()).filter((c) => turn![c] !== 0);
  return {
    pull: Float32Array.from(pull),
    hold: Float32Array.from(hold!),
    turn: { at, values: Float32Array.from(at, (c) => turn![c]) },
  };
}

/** [a | b], of n rows. */
function beside(a: Float64Array, b: Float64Array, n: number): Float32Array {
  const [p, q] = [a.length / n, b.length / n];
  const out = new Float32Array(a.length + b.length);
  for (let row = 0; row < n; row++) {
    out.set(a.subarray(row * p, (row + 1) * p), row * (p + q));
    out.set(b.subarray(row * q, (row + 1) * q), row * (p + q) + p);
  }
  return out;
}
