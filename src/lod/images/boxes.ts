import { DenseSimplexQp } from '../../math/simplex-qp.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import type { PatchBoxes } from '../../model/geometry-images.ts';

/** Samples of a surface, and what moves them. */
export interface BoxedSamples {
  /** 3S, at rest. */
  positions: ArrayLike<number>;
  /** 4S; absent for a surface that does not move. */
  joints?: ArrayLike<number>;
  weights?: ArrayLike<number>;
  /** K arrays of 12B: the poses that boxes are solved for. */
  bones?: readonly ArrayLike<number>[];
}

/** Bones that are tried for a corner of a box, and that it follows: they are looked at in every picture. */
const CANDIDATES = 8;
const MOST = 2;
/** Pull of a patch's affine motion to that of its mean weights, relative to its own extent: decides across flat patches. */
const RIDGE = 0.02;

/**
 * Oriented boxes along the principal axes of each patch, Feng 2010, §4.6.1. A corner of a box moves with the patch: its
 * weights are those whose blended bones are nearest, over the poses, to where the patch's best affine motion takes it.
 *
 * @param samples Patch → the numbers of its samples.
 */
export function patchBoxes(patches: readonly ArrayLike<number>[], samples: BoxedSamples): PatchBoxes {
  const points = new Float32Array(12 * patches.length);
  const skinned = samples.joints !== undefined && samples.weights !== undefined;
  const out: PatchBoxes = {
    points,
    ...(skinned && {
      joints: new Uint16Array(16 * patches.length),
      weights: new Float32Array(16 * patches.length),
    }),
  };
  const qp = new DenseSimplexQp(CANDIDATES, MOST);
  patches.forEach((patch, p) => {
    orientedBox(points, 12 * p, patch, samples.positions);
    if (skinned) solveCorners(out, p, patch, samples, qp);
  });
  return out;
}

/** A corner of the box at `o`, and the three that are next to it. */
function orientedBox(out: Float32Array, o: number, patch: ArrayLike<number>, x: ArrayLike<number>): void {
  const { mean, covariance } = momentsOf(patch, x);
  const { vectors } = symmetricEigen(covariance, 3);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let q = 0; q < patch.length; q++) {
    for (let axis = 0; axis < 3; axis++) {
      let along = 0;
      for (let d = 0; d < 3; d++) along += vectors[3 * axis + d] * (x[3 * patch[q] + d] - mean[d]);
      low[axis] = Math.min(low[axis], along);
      high[axis] = Math.max(high[axis], along);
    }
  }
  for (let d = 0; d < 3; d++) {
    const corner = mean[d] + low[0] * vectors[d] + low[1] * vectors[3 + d] + low[2] * vectors[6 + d];
    out[o + d] = corner;
    for (let axis = 0; axis < 3; axis++) {
      out[o + 3 + 3 * axis + d] = corner + (high[axis] - low[axis]) * vectors[3 * axis + d];
    }
  }
}

function momentsOf(patch: ArrayLike<number>, x: ArrayLike<number>) {
  const mean = [0, 0, 0];
  const covariance = new Float64Array(9);
  for (let q = 0; q < patch.length; q++) for (let d = 0; d < 3; d++) mean[d] += x[3 * patch[q] + d] / patch.length;
  for (let q = 0; q < patch.length; q++) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        covariance[3 * a + b] += (x[3 * patch[q] + a] - mean[a]) * (x[3 * patch[q] + b] - mean[b]);
      }
    }
  }
  return { mean, covariance };
}

function solveCorners(
  out: PatchBoxes,
  p: number,
  patch: ArrayLike<number>,
  samples: BoxedSamples,
  qp: DenseSimplexQp,
): void {
  const { joints, weights, bones = [] } = samples;
  const totals = new Map<number, number>();
  for (let q = 0; q < patch.length; q++) {
    for (let c = 4 * patch[q]; c < 4 * patch[q] + 4; c++) {
      if (weights![c] > 0) totals.set(joints![c], (totals.get(joints![c]) ?? 0) + weights![c] / patch.length);
    }
  }
  const candidates = [...totals].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, CANDIDATES);
  const m = candidates.length;
  const motions = bones.map((pose) => affineMotion(patch, samples, pose, candidates));
  const g = new Float64Array(m * m);
  const away = new Float64Array(3 * m);
  for (let k = 0; k < 4; k++) {
    const corner = out.points.subarray(12 * p + 3 * k, 12 * p + 3 * k + 3);
    g.fill(0);
    bones.forEach((pose, b) => {
      candidates.forEach(([joint], c) => {
        for (let d = 0; d < 3; d++) {
          away[3 * c + d] = applied(pose, 12 * joint, d, corner) - applied(motions[b], 0, d, corner);
        }
      });
      for (let a = 0; a < m; a++) {
        for (let c = 0; c < m; c++) {
          for (let d = 0; d < 3; d++) g[a * m + c] += away[3 * a + d] * away[3 * c + d];
        }
      }
    });
    qp.w.fill(0);
    qp.w[0] = 1;
    qp.minimize(g, m);
    const used = candidates.map(([joint], c) => ({ joint, weight: qp.w[c] })).filter(({ weight }) => weight > 0);
    used.sort((a, b) => b.weight - a.weight);
    used.forEach(({ joint, weight }, c) => {
      out.joints![16 * p + 4 * k + c] = joint;
      out.weights![16 * p + 4 * k + c] = weight;
    });
  }
}

/** Row d of a matrix at `o`, applied to a point. */
const applied = (m: ArrayLike<number>, o: number, d: number, x: ArrayLike<number>): number =>
  m[o + 4 * d] * x[0] + m[o + 4 * d + 1] * x[1] + m[o + 4 * d + 2] * x[2] + m[o + 4 * d + 3];

/** 3 × 4: the affine map that is nearest to what the bones of a pose do to the samples of a patch. */
function affineMotion(
  patch: ArrayLike<number>,
  { positions, joints, weights }: BoxedSamples,
  pose: ArrayLike<number>,
  means: readonly (readonly [joint: number, weight: number])[],
): Float64Array {
  const { mean, covariance } = momentsOf(patch, positions);
  const to = [0, 0, 0];
  const cross = new Float64Array(9);
  const y = new Float64Array(3 * patch.length);
  const x = new Float64Array(3);
  for (let q = 0; q < patch.length; q++) {
    const s = patch[q];
    for (let d = 0; d < 3; d++) x[d] = positions[3 * s + d];
    for (let c = 4 * s; c < 4 * s + 4; c++) {
      if (weights![c] === 0) continue;
      for (let d = 0; d < 3; d++) y[3 * q + d] += weights![c] * applied(pose, 12 * joints![c], d, x);
    }
    for (let d = 0; d < 3; d++) to[d] += y[3 * q + d] / patch.length;
  }
  for (let q = 0; q < patch.length; q++) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        cross[3 * a + b] += (y[3 * q + a] - to[a]) * (positions[3 * patch[q] + b] - mean[b]);
      }
    }
  }
  // A = (Σ y xᵀ + λ A₀)·(Σ x xᵀ + λ I)⁻¹, in the axes of the covariance; A₀ blends the bones by the patch's mean weights.
  const { values, vectors } = symmetricEigen(covariance, 3);
  const ridge = RIDGE * values[0] + 1e-30;
  const total = means.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [joint, weight] of means) {
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) cross[3 * a + b] += (ridge * weight * pose[12 * joint + 4 * a + b]) / total;
    }
  }
  const out = new Float64Array(12);
  for (let axis = 0; axis < 3; axis++) {
    const v = vectors.subarray(3 * axis, 3 * axis + 3);
    for (let a = 0; a < 3; a++) {
      const along = (cross[3 * a] * v[0] + cross[3 * a + 1] * v[1] + cross[3 * a + 2] * v[2]) / (values[axis] + ridge);
      for (let b = 0; b < 3; b++) out[4 * a + b] += along * v[b];
    }
  }
  for (let a = 0; a < 3; a++) {
    out[4 * a + 3] = to[a] - out[4 * a] * mean[0] - out[4 * a + 1] * mean[1] - out[4 * a + 2] * mean[2];
  }
  return out;
}
