import { RowBlend } from '../../kernels/pose-products.ts';
import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { PaperModel } from '../../model/paper-cloth.ts';
import type { Kernel, TranslationSolve } from '../../model/predictor.ts';
import { KernelVector } from '../../regress/kernel.ts';
import type { Stage } from '../stage.ts';
import { DihedralAngles, PoseInput } from './dihedral-angles.ts';
import { PatchCollisions } from './patch-collisions.ts';
import { turnPatches } from './patch-motion.ts';
import { skinWithDetail } from './patch-skin.ts';
import { PatchTranslations } from './patch-translations.ts';
import { TriangleRotations } from './triangle-rotations.ts';

/**
 * How far from the examples' mean an input may be, as a multiple of the farthest example. Beyond it a polynomial of degree
 * 3 takes patches anywhere; the input is drawn back along its direction. Not in the chapter.
 */
const LIMIT = 1;

/**
 * Runs the deformation transformer (Feng 2010, §3.5): angles of the coarse cloth → residual rotations and coefficients →
 * rotations → translations → collisions of patches → skinning with detail → collisions of vertices.
 */
export class PaperUpsampler {
  readonly model: PaperModel;
  readonly #input: PoseInput;
  readonly #kernel: Kernel;
  readonly #vector: KernelVector;
  readonly #reach: number;
  readonly #targets: RowBlend;
  readonly #rotations: TriangleRotations;
  readonly #transforms: Float64Array;
  readonly #translations: PatchTranslations;
  /** 3N: v + ū. */
  readonly #start: Float32Array;
  readonly #collisions?: PatchCollisions;

  /** @param stage the body that the cloth meets, at its rest pose. */
  constructor(model: PaperModel, meshes: { coarse: Mesh; fine: Mesh }, stage?: Stage) {
    const { coarse, fine } = meshes;
    const bones = patchCount(model);
    this.model = model;
    this.#input = new PoseInput(new DihedralAngles(coarse), model.velocityScale);
    this.#targets = new RowBlend(Float64Array.from(model.operator), Float64Array.from(model.mean));
    this.#kernel = kernelOf(model);
    this.#vector = new KernelVector(this.#kernel, this.#targets.weights);
    this.#reach = LIMIT * reachOf(this.#kernel);
    this.#rotations = new TriangleRotations(coarse);
    this.#transforms = new Float64Array(MATRIX_STRIDE * bones);
    this.#translations = new PatchTranslations(
      coarse,
      fine,
      model.weights,
      model.anchors,
      solveOf(model, bones),
      bones,
    );
    this.#start = fine.positions.map((v, c) => v + model.detail.mean[c]);
    if (stage) this.#collisions = new PatchCollisions(fine, model.weights, bones, stage);
  }

  /**
   * The fine vertices (3N) of a coarse pose (3V), into `out`, for the pose `seconds` before. Allocates nothing. The body is
   * where the stage is.
   */
  apply(coarse: Float64Array, previous: Float64Array, seconds: number, out: Float64Array): void {
    const { weights, turning, detail, clusterOf } = this.model;
    this.#input.set(coarse, previous, seconds);
    limitInput(this.#input.values, this.#kernel, this.#reach);
    this.#vector.set(this.#input.values);
    this.#targets.run();
    this.#rotations.measure(coarse);
    const targets = this.#targets.out;
    const transforms = this.#transforms;
    turnPatches(transforms, turning, this.#rotations.rotations, targets);
    this.#translations.solve(transforms, coarse, this.#rotations.rotations);
    this.#collisions?.pushPatches(transforms);
    const from = (3 * transforms.length) / MATRIX_STRIDE;
    skinWithDetail(out, weights, transforms, this.#start, detail.basis, clusterOf, targets, from);
    this.#collisions?.pushVertices(transforms, out);
  }
}

/** B. */
const patchCount = ({ translations }: PaperModel): number => Math.sqrt(translations.hold.length);

const kernelOf = ({ kernel }: PaperModel): Kernel => ({
  ...kernel,
  name: 'cubic',
  mean: Float64Array.from(kernel.mean),
  points: Float64Array.from(kernel.points),
  rowMeans: Float64Array.from(kernel.rowMeans),
});

function solveOf({ translations: { pull, hold, turn } }: PaperModel, bones: number): TranslationSolve {
  const dense = new Float64Array(3 * bones * bones);
  turn.at.forEach((at, e) => {
    dense[at] = turn.values[e];
  });
  return { mode: 'poisson', pull: Float64Array.from(pull), hold: Float64Array.from(hold), turn: dense };
}

/** How far the farthest example is from the mean, in the units of the inputs. */
function reachOf({ points, mean, scale }: Kernel): number {
  let most = 0;
  for (let o = 0; o < points.length; o += mean.length) {
    let sum = 0;
    for (let c = o; c < o + mean.length; c++) sum += points[c] * points[c];
    most = Math.max(most, sum);
  }
  return scale * Math.sqrt(most);
}

/** Brings inputs within `reach` of the mean, in place. */
function limitInput(values: Float64Array, { mean }: Kernel, reach: number): void {
  let sum = 0;
  for (let c = 0; c < values.length; c++) sum += (values[c] - mean[c]) ** 2;
  if (sum <= reach * reach) return;
  const s = reach / Math.sqrt(sum);
  for (let c = 0; c < values.length; c++) values[c] = mean[c] + s * (values[c] - mean[c]);
}
