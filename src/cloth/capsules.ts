/**
 * A rig as capsules, one per bone that vertices follow most: quick to collide with, and never torn open by a pose. Each
 * is fitted to the vertices whose heaviest bone it is, weighted by that weight: of the axes through their centroid (the
 * principal ones and the one that leads away from the joint) and of round or open ends, those that leave the least
 * distance between vertices and capsule.
 */
import { invert34, MATRIX_STRIDE } from '../math/matrix34.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { dot3, length3, type Vector, vectorOf } from '../math/vector.ts';
import { vertexCount } from '../model/mesh.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** A bone's capsule in the rest pose. */
export interface BoneCapsule {
  bone: number;
  a: Vector;
  b: Vector;
  radius: number;
}

/** Fewer vertices than these say little about the shape of a limb. */
const MIN_VERTICES = 8;
/** The share of vertices beyond each end of a capsule: spikes do not count. */
const BEYOND = 0.02;

/** Points that follow a bone, and how much. */
interface Followers {
  points: Vector[];
  weights: number[];
}

export function fitCapsules(model: SkinnedModel): BoneCapsule[] {
  const { skeleton } = model;
  const followers = followersOf(model);
  const joint = new Float64Array(MATRIX_STRIDE);
  const capsules: BoneCapsule[] = [];
  for (let bone = 0; bone < boneCount(skeleton); bone++) {
    const of = followers[bone];
    if (of.points.length < MIN_VERTICES) continue;
    const centre = weightedMean(of);
    const placed = invert34(joint, 0, skeleton.inverseBind, MATRIX_STRIDE * bone);
    const away = vectorOf((c) => (placed ? centre[c] - joint[4 * c + 3] : 0));
    let best: ReturnType<typeof capsuleAlong> | undefined;
    for (const axis of [...principalAxes(of, centre), scaled(away)]) {
      if (length3(axis) === 0) continue;
      for (const round of ROUND_ENDS) {
        const fitted = capsuleAlong(of, centre, axis, round);
        if (fitted.radius > 0 && !(fitted.error >= (best?.error ?? Infinity))) best = fitted;
      }
    }
    if (best) capsules.push({ bone, a: best.a, b: best.b, radius: best.radius });
  }
  return capsules;
}

/** Whether the surface closes around the first and the second end, as at a fingertip, or goes on. */
const ROUND_ENDS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

function followersOf({ mesh, weights: skin, skeleton }: SkinnedModel): Followers[] {
  const followers = Array.from({ length: boneCount(skeleton) }, (): Followers => ({ points: [], weights: [] }));
  for (let i = 0; i < vertexCount(mesh); i++) {
    // Influences are sorted: the first is the heaviest.
    const of = followers[skin.joints[i * skin.influences]];
    of.points.push(vectorOf((c) => mesh.positions[3 * i + c]));
    of.weights.push(skin.weights[i * skin.influences]);
  }
  return followers;
}

const scaled = (v: Vector): Vector => vectorOf((c) => v[c] / (length3(v) || 1));

function weightedMean({ points, weights }: Followers): Vector {
  const total = weights.reduce((sum, w) => sum + w, 0);
  return vectorOf((c) => points.reduce((sum, p, q) => sum + weights[q] * p[c], 0) / total);
}

function principalAxes({ points, weights }: Followers, centre: Vector): Vector[] {
  const covariance = new Float64Array(9);
  points.forEach((p, q) => {
    for (let c = 0; c < 9; c++) {
      const row = Math.floor(c / 3);
      covariance[c] += weights[q] * (p[row] - centre[row]) * (p[c % 3] - centre[c % 3]);
    }
  });
  const { vectors } = symmetricEigen(covariance, 3);
  return [0, 3, 6].map((row) => vectorOf((c) => vectors[row + c]));
}

/** The capsule along an axis, and the mean distance between its surface and the points. */
function capsuleAlong(
  { points, weights }: Followers,
  centre: Vector,
  axis: Vector,
  round: readonly [boolean, boolean],
) {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const along = points.map((p) => dot3(p, axis) - dot3(centre, axis));
  const across = points.map((p, q) => length3(vectorOf((c) => p[c] - centre[c] - along[q] * axis[c])));
  const radius = across.reduce((sum, r, q) => sum + weights[q] * r, 0) / total;
  const sorted = along.slice().sort((s, t) => s - t);
  const beyond = Math.floor(BEYOND * sorted.length);
  let low = sorted[beyond] + (round[0] ? radius : 0);
  let high = sorted[sorted.length - 1 - beyond] - (round[1] ? radius : 0);
  if (low > high) low = high = (low + high) / 2;
  const error = along.reduce((sum, t, q) => {
    const outside = t - Math.min(high, Math.max(low, t));
    return sum + weights[q] * Math.abs(Math.hypot(outside, across[q]) - radius);
  }, 0);
  const at = (t: number): Vector => vectorOf((c) => centre[c] + t * axis[c]);
  return { a: at(low), b: at(high), radius, error };
}
