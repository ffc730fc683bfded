import { releaseFree, Translator } from '../decompose/translations/translator.ts';
import { PliantError } from '../error.ts';
import type { ParallelPool } from '../kernels/parallel.ts';
import { RowBlend } from '../kernels/pose-products.ts';
import { IDENTITY34, transformPoint34 } from '../math/matrix34.ts';
import { firstNonFinite, vertexCount } from '../model/mesh.ts';
import type { Predictor } from '../model/predictor.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { KernelVector } from '../regress/kernel.ts';
import { Skinner } from '../skin/skinner.ts';
import { BoneBlend } from './bone-blend.ts';
import { predictorModel } from './predictor-model.ts';
import { directionsOf, Experience } from './regression/experience.ts';
import { InputLimit } from './regression/input-limit.ts';
import { decodeTargets } from './regression/targets.ts';

/** What control points did. Views of the driver's memory: the next call overwrites them. */
export interface Driven {
  /** 3N. */
  readonly positions: Float32Array;
  /** 12B: rest → pose. */
  readonly transforms: Float32Array;
  /** The weights of the residual's mean and shapes, as `predictorModel` has them as morphs. */
  readonly morphWeights: Float32Array;
  /** How far the points are from experience, as a multiple of the farthest example (see `Experience`): above 1 is extrapolation. */
  distance: number;
}

/** Points farther out than this many times the farthest example count as this far: numbers stay within their range. */
const FARTHEST = 1000;

/**
 * Runs a predictor (Feng 2010, §2.6): kernel vector → M → rotations and translations → dual quaternion skinning
 * of a rest pose to which the local residual was added. No arrays are made per pose.
 */
export class SurfaceDriver {
  readonly predictor: Predictor;
  readonly #kernel: KernelVector;
  readonly #inputs: Float64Array;
  readonly #limit?: InputLimit;
  readonly #experience: Experience;
  /** 3n_c: where the control points shall go. */
  readonly #goals: Float64Array;
  /** Targets = mean + Mᵀξ. */
  readonly #targets: RowBlend;
  /** Weights of the residual's shapes = blendᵀξ. */
  readonly #shapes?: RowBlend;
  readonly #matrices: Float64Array;
  readonly #translator: Translator;
  readonly #blend: BoneBlend;
  readonly #misses: Float64Array;
  readonly #skin: { positions: Float32Array; skin: SkinWeights; points: Uint32Array };
  readonly #shapeWeights: Float64Array;
  readonly #morphWeights: Float32Array;
  readonly #skinner: Skinner;
  readonly #driven: Driven & { distance: number };

  constructor(predictor: Predictor, pool?: ParallelPool) {
    const { weights, centroids, points, translations, residual, operator, mean } = predictor;
    const bones = centroids.length / 3;
    this.predictor = predictor;
    this.#targets = new RowBlend(operator, mean);
    this.#kernel = new KernelVector(predictor.kernel, this.#targets.weights);
    this.#inputs = new Float64Array(predictor.kernel.mean.length);
    const directions = directionsOf(predictor.kernel);
    this.#experience = new Experience(predictor.kernel, directions);
    if (predictor.limit !== undefined) this.#limit = new InputLimit(predictor.kernel, predictor.limit, directions);
    this.#goals = new Float64Array(3 * points.length);
    this.#matrices = new Float64Array(MATRIX_STRIDE * bones);
    this.#translator = new Translator(translations, bones);
    this.#blend = new BoneBlend(weights, bones, points);
    this.#misses = new Float64Array(3 * points.length);
    this.#skin = { positions: predictor.mesh.positions, skin: weights, points };
    const shapeCount = residual ? residual.shapes.length / residual.mean.length : 0;
    if (residual && shapeCount > 0) this.#shapes = new RowBlend(residual.blend, new Float64Array(shapeCount));
    this.#shapeWeights = this.#shapes?.out ?? new Float64Array(0);
    this.#morphWeights = new Float32Array(residual ? 1 + this.#shapeWeights.length : 0);
    if (residual) this.#morphWeights[0] = 1; // the mean
    this.#skinner = new Skinner(predictorModel(predictor, [], true), { normals: false }, pool);
    const transforms = new Float32Array(MATRIX_STRIDE * bones);
    for (let b = 0; b < bones; b++) transforms.set(IDENTITY34, MATRIX_STRIDE * b);
    const { positions } = this.#skinner.pose(transforms);
    this.#driven = { positions, transforms, morphWeights: this.#morphWeights, distance: 0 };
  }

  /**
   * Predicts the surface for given control points. The next call overwrites the result.
   *
   * @param points 3n_c coordinates, in the order of `predictor.points`.
   */
  drive(points: Float64Array): Driven {
    const expected = 3 * this.predictor.points.length;
    const bad = firstNonFinite(points);
    if (points.length !== expected || bad >= 0) {
      const got = bad >= 0 ? `${points[bad]} as coordinate ${bad}` : `${points.length} coordinates`;
      throw new PliantError('bad-input', 'drive', `control points (got ${got}, expected ${expected} finite numbers)`);
    }
    this.#goals.set(points);
    this.#predict(this.#goals);
    if (this.predictor.translations.mode === 'poisson') this.#solvePoisson(this.#goals);
    if (this.predictor.translations.mode === 'control-points') this.#bringHome(this.#goals);
    this.#driven.transforms.set(this.#matrices);
    this.#morphWeights.set(this.#shapeWeights, this.#morphWeights.length - this.#shapeWeights.length);
    this.#skinner.poseRigid(this.#driven.transforms, this.#morphWeights);
    return this.#driven;
  }

  /** Frees the memory of the kernels. */
  dispose(): void {
    this.#skinner.dispose();
  }

  /** Leaves predicted transforms in `#matrices` and the residual's weights in `#shapeWeights`. */
  #predict(points: Float64Array): void {
    const { axes, target, centroids, reach, kernel } = this.predictor;
    let at = 0;
    for (let c = 0; c < axes.length; c++) if (axes[c]) this.#inputs[at++] = points[c];
    this.#driven.distance = this.#experience.distance(this.#inputs);
    const farther = this.#kernel.set(this.#inputs) / (FARTHEST * reach);
    if (farther > 1) {
      at = 0;
      for (let c = 0; c < axes.length; c++) {
        if (!axes[c]) continue;
        points[c] = kernel.mean[at] + (points[c] - kernel.mean[at]) / farther;
        this.#inputs[at++] = points[c];
      }
      this.#kernel.set(this.#inputs);
    }
    if (this.#limit?.apply(this.#inputs)) this.#kernel.set(this.#inputs);
    this.#targets.run();
    decodeTargets(this.#matrices, target, this.#targets.out, centroids);
    if (!this.#shapes) return;
    this.#shapes.weights.set(this.#kernel.xi);
    this.#shapes.run();
  }

  #solvePoisson(points: Float64Array): void {
    releaseFree(points, this.predictor.axes, this.#matrices, this.#skin);
    this.#translator.solvePoisson(this.#matrices, points);
  }

  /** Moves the bones so that the control points come to where they were asked to be. */
  #bringHome(points: Float64Array): void {
    const { axes, residual, mesh, points: vertices } = this.predictor;
    const n = vertexCount(mesh);
    this.#blend.set(this.#matrices);
    for (let l = 0; l < vertices.length; l++) {
      const i = vertices[l];
      this.#blend.at(i);
      for (let c = 0; c < 3; c++) {
        point[c] = mesh.positions[3 * i + c];
        stray[c] = residual ? residual.mean[3 * i + c] : 0;
        for (let r = 0; r < this.#shapeWeights.length; r++) {
          stray[c] += this.#shapeWeights[r] * residual!.shapes[3 * (r * n + i) + c];
        }
      }
      const { motion } = this.#blend;
      transformPoint34(point, 0, motion, 0, point, 0);
      for (let c = 0; c < 3; c++) {
        const local = motion[4 * c] * stray[0] + motion[4 * c + 1] * stray[1] + motion[4 * c + 2] * stray[2];
        this.#misses[3 * l + c] = axes[3 * l + c] ? points[3 * l + c] - point[c] - local : 0;
      }
    }
    this.#translator.pullHome(this.#matrices, this.#misses);
  }
}

const point = new Float64Array(3);
const stray = new Float64Array(3);
