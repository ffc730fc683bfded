import {
  IDENTITY34,
  invert34,
  MATRIX_STRIDE,
  multiply34,
  transformPoint34,
  translation34,
} from '../../math/matrix34.ts';
import { rotationOfVector, rotationVector } from '../../math/rotation-vector.ts';
import { polar3 } from '../../math/svd3.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { PartPose } from '../../skin/choose-poses.ts';

/**
 * Poses as vectors that can be added: per joint how it is turned against its parent, as a rotation vector; how its pivot has
 * moved, in diagonals; how it is stretched; then weights of morphs. All are 0 in the bind pose. Where models stand is left
 * out: the first root stays, other roots are seen from it.
 */

/** Numbers per joint: 3 of rotation, 3 of displacement, 6 of stretch. */
const JOINT = 12;
const STRETCH = [0, 4, 8, 1, 2, 5] as const;

export class PoseVectors {
  readonly size: number;
  readonly #models: readonly SkinnedModel[];
  readonly #diagonal: number;
  /** Per model 3B: pivots in the bind pose. */
  readonly #pivots: Float64Array[];

  constructor(models: readonly SkinnedModel[]) {
    this.#models = models;
    this.#diagonal = Math.max(...models.map(({ mesh }) => diagonalOf(mesh.positions)));
    this.size = models.reduce(
      (sum, { skeleton, morphs }) => sum + JOINT * skeleton.parents.length + (morphs?.length ?? 0),
      0,
    );
    this.#pivots = models.map(({ skeleton: { parents, inverseBind } }) => {
      const out = new Float64Array(3 * parents.length);
      const bind = new Float64Array(MATRIX_STRIDE);
      for (let j = 0; j < parents.length; j++) {
        if (invert34(bind, 0, inverseBind, MATRIX_STRIDE * j)) out.set(translation34(bind), 3 * j);
      }
      return out;
    });
  }

  /** `near`: of turns by nearly 180°, which have two vectors, the one closer to this pose's. */
  vectorOf(parts: readonly PartPose[], near?: Float64Array): Float64Array {
    const out = new Float64Array(this.size);
    const undo = new Float64Array(MATRIX_STRIDE);
    const step = new Float64Array(MATRIX_STRIDE);
    const linear = new Float64Array(9);
    const turn = new Float64Array(9);
    const stretch = new Float64Array(9);
    const moved = new Float64Array(3);
    let o = 0;
    this.#models.forEach(({ skeleton: { parents } }, m) => {
      const { transforms, morphWeights } = parts[m];
      parents.forEach((parent, j) => {
        const isFirst = m === 0 && j === 0;
        const [above, at] = parent >= 0 ? [transforms, MATRIX_STRIDE * parent] : [parts[0].transforms, 0];
        if (!isFirst && invert34(undo, 0, above, at)) {
          multiply34(step, 0, undo, 0, transforms, MATRIX_STRIDE * j);
          for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) linear[3 * r + c] = step[4 * r + c];
          polar3(turn, stretch, linear);
          rotationVector(out, o, turn, 0);
          if (near) nearerTurn(out, o, near);
          transformPoint34(moved, 0, step, 0, this.#pivots[m], 3 * j);
          for (let c = 0; c < 3; c++) out[o + 3 + c] = (moved[c] - this.#pivots[m][3 * j + c]) / this.#diagonal;
          for (let c = 0; c < 6; c++) out[o + 6 + c] = stretch[STRETCH[c]] - Number(c < 3);
        }
        o += JOINT;
      });
      if (morphWeights) out.set(morphWeights, o);
      o += morphWeights?.length ?? 0;
    });
    return out;
  }

  poseOf(vector: Float64Array): PartPose[] {
    const turn = new Float64Array(9);
    const step = new Float64Array(MATRIX_STRIDE);
    let o = 0;
    const parts: PartPose[] = [];
    this.#models.forEach(({ skeleton: { parents }, morphs }, m) => {
      const transforms = new Float32Array(MATRIX_STRIDE * parents.length);
      const first = m === 0 ? transforms : parts[0].transforms;
      parents.forEach((parent, j) => {
        rotationOfVector(turn, 0, vector, o);
        const s = new Float64Array(9);
        for (let c = 0; c < 6; c++) s[STRETCH[c]] = vector[o + 6 + c] + Number(c < 3);
        [s[3], s[6], s[7]] = [s[1], s[2], s[5]];
        const pivot = this.#pivots[m].subarray(3 * j, 3 * j + 3);
        for (let r = 0; r < 3; r++) {
          let shift = pivot[r] + this.#diagonal * vector[o + 3 + r];
          for (let c = 0; c < 3; c++) {
            step[4 * r + c] = turn[3 * r] * s[c] + turn[3 * r + 1] * s[3 + c] + turn[3 * r + 2] * s[6 + c];
            shift -= step[4 * r + c] * pivot[c];
          }
          step[4 * r + 3] = shift;
        }
        const at = MATRIX_STRIDE * j;
        if (m === 0 && j === 0) transforms.set(IDENTITY34);
        else if (parent >= 0) multiply34(transforms, at, transforms, MATRIX_STRIDE * parent, step, 0);
        else multiply34(transforms, at, first, 0, step, 0);
        o += JOINT;
      });
      const weights = morphs && { morphWeights: Float32Array.from(vector.subarray(o, o + morphs.length)) };
      o += morphs?.length ?? 0;
      parts.push({ transforms, ...weights });
    });
    return parts;
  }
}

/** v or v − 2π v/|v|, the same turn the other way round. */
function nearerTurn(out: Float64Array, o: number, near: Float64Array): void {
  const length = Math.hypot(out[o], out[o + 1], out[o + 2]);
  if (length < 1e-6) return;
  const other = [0, 1, 2].map((c) => out[o + c] * (1 - (2 * Math.PI) / length));
  const far = (at: (c: number) => number) => [0, 1, 2].reduce((sum, c) => sum + (at(c) - near[o + c]) ** 2, 0);
  if (far((c) => other[c]) < far((c) => out[o + c])) out.set(other, o);
}
