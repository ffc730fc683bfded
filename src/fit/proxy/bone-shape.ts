import { diagonalizeTogether } from '../../decompose/bones/trs-axes.ts';
import { multiply, transpose } from '../../math/dense.ts';
import { type TrackedSvd, trackSvd } from '../../math/tracked-svd.ts';

/**
 * Affine bones are played as U·S·Vᵀ. Where singular values nearly agree, as in all that hardly stretches, their axes spin
 * while the matrix stays nearly the same, and between keys the spins of U and V do not cancel. A constant C keeps the
 * values apart:
 *
 *   A = (U·S·Vᵀ)·C,   C⁻¹ = E·D,
 *
 * with E the axes along which the bone stretches, as far as these are constant (joint diagonalisation of AᵀA), and D such
 * that A·C⁻¹ has the singular values 1/3, 1, 3 on average. A bone that stretches along constant axes then has V = 1
 * throughout, and one that does nearly so has a V near it. Which axis gets which value is tried out.
 *
 * Half-way error without and with C, at no other cost (20–30 bones): flag .304, .187; tablecloth .032, .020; balloon .080,
 * .030; cow .098, .071. A separation of 2 or 5 is within 5 % of that.
 */
const SEPARATION = 3;
/** Axes are not thinned out beyond this fraction of the largest mean stretch. */
const THINNEST = 1e-3;

const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const;

/** C = D⁻¹·Eᵀ of a bone. */
export interface BoneShape {
  /** 9, row-major, axes in columns, det +1: E. */
  axes: Float64Array;
  /** 3: the diagonal of D⁻¹. */
  thinning: Float64Array;
}

/**
 * @param linear 9P: the linear parts of one bone, row-major.
 * @param covariance 9: of the bone's support.
 * @param tolerance see `trackSvd`.
 * @returns the motion A·C⁻¹, tracked, and C.
 */
export function trackShaped(
  linear: Float64Array,
  covariance: Float64Array,
  tolerance: number,
): { tracked: TrackedSvd; shape: BoneShape } {
  const { axes, stretches } = meanStretch(linear);
  const shapes = ORDERS.map((order): BoneShape => {
    const thinning = stretches.map((stretch, a) => fewBits(stretch / SEPARATION ** (order[a] - 1)));
    return { axes, thinning };
  });
  return shapes
    .map((shape) => ({ shape, tracked: track(linear, covariance, tolerance, shape) }))
    .reduce((best, other) => (other.tracked.halfWay < best.tracked.halfWay ? other : best));
}

/** Six bits will do, and files that round their tracks keep them. */
function fewBits(x: number): number {
  const unit = 2 ** (Math.floor(Math.log2(x)) - 5);
  return unit * Math.round(x / unit);
}

function track(
  linear: Float64Array,
  covariance: Float64Array,
  tolerance: number,
  { axes, thinning }: BoneShape,
): TrackedSvd {
  const back = axes.map((x, c) => x / thinning[c % 3]); // C⁻¹
  const forth = axes.map((x, c) => x * thinning[c % 3]); // Cᵀ
  const shaped = new Float64Array(linear.length);
  for (let k = 0; k < linear.length; k += 9) {
    multiply(shaped.subarray(k, k + 9), linear.subarray(k, k + 9), back, 3, 3, 3);
  }
  const half = multiply(new Float64Array(9), covariance, forth, 3, 3, 3);
  const spread = multiply(new Float64Array(9), transpose(new Float64Array(9), forth, 3, 3), half, 3, 3, 3);
  return trackSvd(shaped, { kind: 'affine' }, spread, tolerance);
}

/** Axes that make all AᵀA as diagonal as possible, and the mean stretch along each. */
function meanStretch(linear: Float64Array): { axes: Float64Array; stretches: Float64Array } {
  const frames = linear.length / 9;
  const tensors = new Float64Array(linear.length);
  for (let k = 0; k < linear.length; k += 9) {
    const a = linear.subarray(k, k + 9);
    multiply(tensors.subarray(k, k + 9), transpose(new Float64Array(9), a, 3, 3), a, 3, 3, 3);
  }
  const axes = new Float64Array(9);
  diagonalizeTogether(tensors, frames, axes);
  const stretches = new Float64Array(3);
  for (let k = 0; k < frames; k++) {
    for (let a = 0; a < 3; a++) stretches[a] += Math.sqrt(Math.max(0, tensors[9 * k + 4 * a])) / frames;
  }
  const least = THINNEST * Math.max(...stretches) || 1;
  return { axes, stretches: stretches.map((stretch) => Math.max(stretch, least)) };
}
